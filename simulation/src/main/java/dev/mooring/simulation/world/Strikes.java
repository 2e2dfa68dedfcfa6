// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import java.util.EnumMap;
import java.util.Map;

/** Counts what really went wrong in a world: what was declared to, and met nothing, is not counted. Confined to the world's thread. */
public final class Strikes {
    private final Map<Strike, Integer> counts = new EnumMap<>(Strike.class);

    Strikes() {}

    void count(Strike strike) {
        counts.merge(strike, 1, Integer::sum);
    }

    /** Of a write; that its process dies is counted as an interruption. */
    void count(WriteFault.Outcome outcome) {
        if (!outcome.isCrash()) {
            count(Strike.WRITE);
        }
    }

    /** Of a call, or a step of one; that its process dies is counted as an interruption. */
    void count(CallFault.Outcome outcome) {
        if (!outcome.isCrash()) {
            count(Strike.CALL);
        }
    }

    /** How often something went wrong. */
    public int of(Strike strike) {
        return counts.getOrDefault(strike, 0);
    }

    /** What may go wrong. */
    public enum Strike {
        /** A process that lived died or was stopped, or another took its place. */
        INTERRUPTION,
        /** Watch events waited until their watch was released, were shown once more, or were missing in a first list. */
        STALE_NEWS,
        /** A watch that listed again had lost changes. */
        LOST_NEWS,
        /** A write was refused, or its answer was lost. */
        WRITE,
        /** A call, or a step of one, went wrong. */
        CALL,
        /** A machine that ran went down, or the clocks jumped. */
        MACHINE
    }
}
