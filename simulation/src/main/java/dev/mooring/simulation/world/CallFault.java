// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import java.util.List;
import java.util.Locale;

/**
 * Calls to a back-end that go wrong.
 *
 * @param plugin whose calls, by name
 * @param operation which operation
 * @param node on which node; empty for any place
 * @param outcome how they go wrong
 * @param message what the back-end says; empty for a text of our own
 * @param times how many calls; {@link #ALWAYS} without end
 */
public record CallFault(String plugin, String operation, String node, Outcome outcome, String message, long times) {
    /** Without end. */
    public static final long ALWAYS = Long.MAX_VALUE;

    /** The operations that a back-end may be asked for; the last three are steps of {@code stage} where a volume is a device. */
    public static final List<String> OPERATIONS = List.of(
            "provision",
            "delete",
            "recycle",
            "attach",
            "detach",
            "stage",
            "unstage",
            "publish",
            "unpublish",
            "expand",
            "expand-on-node",
            "modify",
            "probe",
            "mkfs",
            "mount");

    /** The steps among them, which only simulated storage has. */
    public static final List<String> STEPS = List.of("probe", "mkfs", "mount");

    /**
     * Whether what is said of an operation is about a call: what the file calls {@code expand} is, on a node, the node's part of it.
     *
     * @param node the node that is named with it; empty for any place
     */
    public static boolean isAbout(String operation, String node, String called) {
        return operation.equals(called)
                || (operation.equals("expand") && !node.isEmpty() && called.equals("expand-on-node"));
    }

    /** How a call goes wrong. */
    public enum Outcome {
        /** Surely not applied, and the next try will fare no better. */
        REFUSED,
        /** Not applied, and not answered. */
        UNCERTAIN,
        /** Applied, and not answered. */
        UNCERTAIN_APPLIED,
        /** Surely not started. */
        DEFERRED,
        /** Not answered before the deadline. */
        HANG,
        /** Held by another node. */
        IN_USE_ELSEWHERE,
        /** Not answered before the deadline, and applied just before it. */
        HANG_APPLIED,
        /** Said to be done, and not applied. */
        LIE,
        /** Done, and the answer arrives twice. */
        TWICE,
        /** The caller dies just before the call. */
        CRASH_BEFORE,
        /** Applied, and the caller dies before it has the answer. */
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
