// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A part of the broken plugins: each takes seconds. One of eight is tried by default; .ci/run takes others each day, .ci/long all. */
final class Slice {
    private static final int SLICES = Integer.getInteger("mooring.testkit.slices", 8);

    private static final int SLICE = Integer.getInteger("mooring.testkit.slice", 0);

    private Slice() {}

    static <T> Stream<T> of(List<T> all) {
        return IntStream.range(0, all.size())
                .filter(i -> i % SLICES == SLICE % SLICES)
                .mapToObj(all::get);
    }
}
