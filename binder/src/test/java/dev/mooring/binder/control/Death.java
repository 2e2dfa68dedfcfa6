// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * When the process dies once.
 *
 * @param moment before or after what
 * @param number of which write or call; the first is 1
 */
record Death(Moment moment, int number) {
    /** Where in the work the process dies. */
    enum Moment {
        BEFORE_WRITE,
        AFTER_WRITE,
        BEFORE_CALL,
        AFTER_CALL
    }

    /** A death before and one after each of the first writes. */
    static Stream<Death> atWrites(int most) {
        return at(most, Moment.BEFORE_WRITE, Moment.AFTER_WRITE);
    }

    /** A death before and one after each of the first writes and of the first calls. */
    static Stream<Death> atWritesAndCalls(int most) {
        return at(most, Moment.values());
    }

    /** A death before and one after the first call. */
    static Stream<Death> atTheCall() {
        return at(1, Moment.BEFORE_CALL, Moment.AFTER_CALL);
    }

    private static Stream<Death> at(int most, Moment... moments) {
        return IntStream.rangeClosed(1, most)
                .boxed()
                .flatMap(number -> Stream.of(moments).map(moment -> new Death(moment, number)));
    }

    /** Lets a cluster's process die so. */
    void in(Cluster cluster) {
        Predicate<Integer> now = count -> count == number;
        switch (moment) {
            case BEFORE_WRITE -> cluster.diesBefore = now;
            case AFTER_WRITE -> cluster.diesAfter = now;
            case BEFORE_CALL -> cluster.diesBeforeCall = now;
            case AFTER_CALL -> cluster.diesAfterCall = now;
        }
    }

    @Override
    public String toString() {
        return moment.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + number;
    }
}
