// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.index;

import dev.mooring.binder.index.VolumeIndex;
import dev.mooring.storage.model.PersistentVolume;

/** Volumes of the benchmarks, for what is not measured by JMH. */
public final class IndexedVolumes {
    private final PersistentVolume[] volumes;

    /** So many free volumes of so many sizes. */
    public IndexedVolumes(int count, int sizes) {
        volumes = new Population(count, sizes).volumes();
    }

    /** How many there are. */
    public int count() {
        return volumes.length;
    }

    /** A new index that holds them. */
    public VolumeIndex index() {
        return Population.index(volumes);
    }
}
