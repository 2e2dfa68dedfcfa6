// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A list of attached volumes that may still reach a Node: it is on its way, or its answer was lost (semantics/attach-and-mount §1.10).
 *
 * @param names what it lists
 * @param version the version of the Node that it replaces: it fails against any other
 * @param sinceNanos when it was sent
 */
record ReportState(Set<String> names, String version, long sinceNanos) implements KeyState {
    /** What may still come after an answer, and after the Node was seen in some version. */
    static Optional<ReportState> learn(
            Optional<ReportState> before, Optional<EffectResult> answer, Node node, Time now) {
        boolean settled = answer.filter(result -> !result.storeFailure().equals(Optional.of(Failure.UNKNOWN)))
                .isPresent();
        return before.filter(sent -> !settled
                && sent.version().equals(node.metadata().resourceVersion())
                && !sent.waitFrom(now).isZero());
    }

    /** A list is sent; one that was lost before may still come instead of it. */
    static ReportState sent(Optional<ReportState> lost, Set<String> names, Node node, Time now) {
        Set<String> either = new TreeSet<>(names);
        lost.ifPresent(before -> either.addAll(before.names()));
        return new ReportState(either, node.metadata().resourceVersion(), now.monotonicNanos());
    }

    /** How long until it surely comes no more. */
    Duration waitFrom(Time now) {
        return LateWrites.left(sinceNanos, now);
    }
}
