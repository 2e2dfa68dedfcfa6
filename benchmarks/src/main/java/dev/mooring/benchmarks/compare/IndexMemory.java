// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import dev.mooring.benchmarks.index.IndexedVolumes;
import dev.mooring.binder.index.VolumeIndex;

/** What the index takes for each volume beside the object itself. */
final class IndexMemory {
    private IndexMemory() {}

    static void measure(ComparisonFindings findings, int count) {
        for (String sizes : new String[] {"20", "distinct"}) {
            IndexedVolumes volumes = new IndexedVolumes(count, sizes.equals("20") ? 20 : count);
            long before = used();
            VolumeIndex index = volumes.index();
            long after = used();
            if (index.size() != volumes.count()) {
                throw new IllegalStateException("some volumes are missing");
            }
            findings.figure("index.bytesPerVolume." + sizes, (double) (after - before) / count);
        }
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        // Twice: the first one may only mark what it could not free yet.
        System.gc();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
