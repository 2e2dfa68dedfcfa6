// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.controlplane.ControlPlane;
import dev.mooring.distribution.wiring.ControllerGraph;
import dev.mooring.distribution.wiring.ControllerParts;
import dev.mooring.kubernetes.Term;
import dev.mooring.runtime.CloseReport;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.term.FencedCalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * The controllers of one term at work, and what is measured of them.
 *
 * @param plane their work
 * @param leases what they hold of side-cars; given back when nothing is in flight any more
 */
record RunningControllers(ControlPlane plane, Optional<ServedLeases> leases) {
    /** Controllers that have begun without an election. */
    static RunningControllers start(ControllerParts parts) {
        return new RunningControllers(ControllerGraph.start(parts), Optional.empty());
    }

    /** The same, with what is to be given back after them. */
    RunningControllers with(Optional<ServedLeases> held) {
        return new RunningControllers(plane, held);
    }

    /**
     * Controllers that have begun, and that write and call plugins only during a term.
     *
     * @param parts their store writes only during it
     */
    static RunningControllers start(ControllerParts parts, Term term) {
        UnaryOperator<CallHandler> inner = parts.calls();
        return start(parts.withCalls(calls -> FencedCalls.during(term, inner.apply(calls))));
    }

    ControllerRuntime runtime() {
        return plane.runtime();
    }

    /** All metrics with their values now. */
    CompletableFuture<List<Metric>> metrics() {
        return plane.metrics();
    }

    CloseReport close(Duration limit) {
        CloseReport report = runtime().close(limit);
        leases.ifPresent(held -> held.close(report.clean()));
        return report;
    }
}
