// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * As many of a row of tests as there is time for. A guest on one machine takes ten times as long as on another, and a gate has its limit:
 * with {@code -Dmooring.e2e.seconds=300} no further test of a row begins after five minutes, but the first two always do. What was done is
 * spread over the whole row, and how many were left out is printed. Without it all are done.
 */
final class TimeShare {
    private static final int LEAST = 2;

    private final long nanos;
    private final int all;
    private final long begun = System.nanoTime();
    private int done;

    private TimeShare(int all) {
        this.nanos = Long.getLong("mooring.e2e.seconds", Long.MAX_VALUE / 1_000_000_000) * 1_000_000_000;
        this.all = all;
    }

    /** The tests, each of which is asked for when the one before has ended. */
    static Stream<DynamicTest> of(List<DynamicTest> tests) {
        TimeShare share = new TimeShare(tests.size());
        return spread(tests.size()).mapToObj(tests::get).takeWhile(test -> share.goesOn());
    }

    private boolean goesOn() {
        boolean goesOn = done < LEAST || System.nanoTime() - begun < nanos;
        if (goesOn) {
            done++;
        } else {
            System.out.println("   no time for " + (all - done) + " of " + all);
        }
        return goesOn;
    }

    /** The numbers below a size, the first ones far apart, each later one between two of them: by their digits backwards. */
    static IntStream spread(int size) {
        return IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparingInt(n -> Integer.reverse(n) >>> 1))
                .mapToInt(Integer::intValue);
    }
}
