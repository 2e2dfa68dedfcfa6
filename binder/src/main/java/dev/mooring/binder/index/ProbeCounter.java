// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

/** Counts comparisons with stored elements, shared by all sequences of one index. */
final class ProbeCounter {
    private long count;

    void add(int probes) {
        count += probes;
    }

    long count() {
        return count;
    }
}
