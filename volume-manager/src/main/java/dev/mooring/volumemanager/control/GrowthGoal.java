// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.storage.model.Quantity;
import java.util.Optional;

/**
 * How large this node shall make a volume now: the node's half of an expansion (semantics/attach-and-mount §3.16). Pure.
 *
 * @param kind what has to be written of it
 * @param target the least size
 */
record GrowthGoal(Kind kind, Quantity target) {
    /** What has to be written. */
    enum Kind {
        /** That the node is at it, and that it is done. */
        RECOVERABLE,
        /** Only that it is done: an older resizer waits for the claim's capacity. */
        LEGACY,
        /** Nothing: another node has finished the claim, this one has a file system of its own to grow. */
        OWN_COPY
    }

    /**
     * What the objects show.
     *
     * @param status {@code status.allocatedResourceStatuses} of the claim; empty if there is none
     * @param allocated the size that the expansion goes for
     * @param capacity what the claim has
     * @param volume what the volume has
     * @param fileSystemPending whether the condition FileSystemResizePending holds
     * @param manyNodes whether several nodes may use the volume for writing
     * @param notRequired whether the claim says that nodes have nothing to do
     * @param known how large this node has made or found it
     */
    record Facts(
            String status,
            Optional<Quantity> allocated,
            Quantity capacity,
            Quantity volume,
            boolean fileSystemPending,
            boolean manyNodes,
            boolean notRequired,
            Quantity known) {}

    /** What this node shall do; empty if nothing. */
    static Optional<GrowthGoal> of(Facts facts) {
        return switch (facts.status()) {
            case GrowthMarks.PENDING, GrowthMarks.IN_PROGRESS ->
                Optional.of(new GrowthGoal(Kind.RECOVERABLE, facts.allocated().orElse(facts.volume())));
            case GrowthMarks.INFEASIBLE, "ControllerResizeInProgress", "ControllerResizeInfeasible" ->
                Optional.empty(); // the controllers' turn
            default -> settled(facts);
        };
    }

    private static Optional<GrowthGoal> settled(Facts facts) {
        boolean claimIsBehind = facts.capacity().compareTo(facts.volume()) < 0;
        if (claimIsBehind) {
            return facts.fileSystemPending() && facts.allocated().isEmpty()
                    ? Optional.of(new GrowthGoal(Kind.LEGACY, facts.volume()))
                    : Optional.empty();
        }
        boolean smallHere = facts.known().compareTo(facts.volume()) < 0;
        return facts.manyNodes() && smallHere && !facts.notRequired()
                ? Optional.of(new GrowthGoal(Kind.OWN_COPY, facts.volume()))
                : Optional.empty();
    }
}
