// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import java.util.Locale;

/**
 * One write of a controller or agent that goes wrong.
 *
 * @param verb which kind of write
 * @param kind the kind written
 * @param subresource {@code status}, or empty for writes of the object itself
 * @param outcome how it goes wrong
 * @param nth which of the matching writes since the fault was declared, from 1
 */
public record WriteFault(Verb verb, String kind, String subresource, Outcome outcome, long nth) {
    /** A kind of write. */
    public enum Verb {
        /** An object is created. */
        CREATE,
        /** An object or its status is changed. */
        UPDATE,
        /** An object is deleted. */
        DELETE;

        /** The word in a scenario. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a write goes wrong. */
    public enum Outcome {
        /** Another writer was faster; not applied. */
        CONFLICT,
        /** The store cannot be reached; not applied. */
        UNAVAILABLE,
        /** Applied, but the answer is lost. */
        UNAVAILABLE_APPLIED,
        /** The answer is "unknown", and the write is applied later if it still can be. */
        LATE,
        /** The writer dies just before the write. */
        CRASH_BEFORE,
        /** The writer dies just after the write. */
        CRASH_AFTER;

        /** Whether the process dies that writes or calls. */
        boolean isCrash() {
            return this == CRASH_BEFORE || this == CRASH_AFTER;
        }

        /** The word in a scenario. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
