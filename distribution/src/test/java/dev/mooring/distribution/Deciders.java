// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.util.Set;
import java.util.stream.Collectors;

/** The threads of this JVM that decide, for tests in which one of them ends. */
public final class Deciders {
    private Deciders() {}

    /** Those that are there now. */
    public static Set<Thread> now() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("-decider-"))
                .collect(Collectors.toSet());
    }

    /** Waits for some that were not there before, and has them end. */
    public static void endAllBut(Set<Thread> before) throws InterruptedException {
        Set<Thread> added;
        do {
            Thread.onSpinWait();
            added = now();
            added.removeAll(before);
        } while (added.isEmpty());
        for (Thread each : added) {
            each.interrupt();
            each.join();
        }
    }
}
