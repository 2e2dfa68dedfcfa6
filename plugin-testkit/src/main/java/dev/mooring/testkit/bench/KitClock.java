// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import java.time.Clock;
import java.time.InstantSource;

/** The time of the tests: real, since a real machine's tools take some. */
final class KitClock {
    private KitClock() {}

    static InstantSource real() {
        return Clock.systemUTC();
    }

    /** For durations. */
    static long nanos() {
        return System.nanoTime();
    }
}
