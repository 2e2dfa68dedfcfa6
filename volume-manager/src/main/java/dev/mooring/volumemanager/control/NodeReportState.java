// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the agent knows of its own reports.
 *
 * @param ready whether it has been reported Ready, or found so
 * @param underway a report that may still reach the store; absent if none can
 */
record NodeReportState(boolean ready, Optional<Underway> underway) implements KeyState {
    /** Nothing has been reported yet. */
    static final NodeReportState NONE = new NodeReportState(false, Optional.empty());

    /** After this time no request that got no answer reaches the store any more; twice what a server lets one run. */
    private static final Duration LOST_AFTER = Duration.ofMinutes(2);

    /**
     * A report whose answer has not come.
     *
     * @param names what it leaves in use
     * @param version the version of the Node that it replaces: it fails against any other
     * @param sinceNanos when it was sent
     */
    record Underway(List<String> names, String version, long sinceNanos) {}

    /** What stands after an answer, and after the Node was seen in some version. */
    NodeReportState learn(Optional<EffectResult> answer, Node node, Time now) {
        boolean done = answer.filter(EffectResult::succeeded).isPresent();
        boolean surelyNot = answer.flatMap(EffectResult::storeFailure)
                .filter(failure -> failure != Failure.UNKNOWN)
                .isPresent();
        boolean overtaken = underway.filter(
                        sent -> !sent.version().equals(node.metadata().resourceVersion())
                                || waitOf(sent, now).isZero())
                .isPresent();
        return new NodeReportState(ready || done, done || surelyNot || overtaken ? Optional.empty() : underway);
    }

    /** It is Ready. */
    NodeReportState isReady() {
        return new NodeReportState(true, underway);
    }

    /** A report is sent; one that was lost before may still come instead of it. */
    NodeReportState reporting(List<String> names, Node node, Time now) {
        List<String> left = underway.map(
                        sent -> names.stream().filter(sent.names()::contains).toList())
                .orElse(names);
        return new NodeReportState(
                ready, Optional.of(new Underway(left, node.metadata().resourceVersion(), now.monotonicNanos())));
    }

    /** What is in use whichever report comes; absent if none can. */
    Optional<List<String>> names() {
        return underway.map(Underway::names);
    }

    /** When a lost report can surely not come any more; absent if there is none. */
    Optional<Duration> settlesIn(Time now) {
        return underway.map(sent -> waitOf(sent, now));
    }

    private static Duration waitOf(Underway sent, Time now) {
        Duration left = LOST_AFTER.minusNanos(now.monotonicNanos() - sent.sinceNanos());
        return left.isNegative() ? Duration.ZERO : left;
    }
}
