// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.moving;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What it took. */
final class Tally {
    /** Writes to the API server by the controller. */
    long controllerWrites;

    /** Those of them that were refused and made again, because another writer had just written the object. */
    long conflicts;

    /** Those of them that were to the status of a Node. */
    long statusPatches;

    /** Live reads by the controller. */
    long controllerReads;

    /** Writes to the status of a Node by the nodes. */
    long nodeWrites;

    /** Writes by the driver's attacher. */
    long attacherWrites;

    /** How often the controller looked at something: entries of a scan, or decisions. */
    long looks;

    private final List<Long> waits = new ArrayList<>();

    void moved(long nanos) {
        waits.add(nanos);
    }

    int arrived() {
        return waits.size();
    }

    /** Until so large a part of the pods had their volumes. */
    Duration until(double part) {
        List<Long> sorted = new ArrayList<>(waits);
        Collections.sort(sorted);
        int index = (int) Math.ceil(part * sorted.size()) - 1;
        return Duration.ofNanos(sorted.get(Math.max(0, index)));
    }

    long writes() {
        return controllerWrites + nodeWrites + attacherWrites;
    }
}
