// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.controlplane.ControlPlane;
import dev.mooring.distribution.wiring.ControllerGraph;
import dev.mooring.distribution.wiring.ControllerParts;
import dev.mooring.kubernetes.Term;
import dev.mooring.runtime.CloseReport;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.term.FencedCalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The controllers of one term at work, and what is measured of them.
 *
 * @param plane their work
 */
record RunningControllers(ControlPlane plane) {
    /** Controllers that have begun, and that nobody has elected. */
    static RunningControllers start(ControllerParts parts) {
        return new RunningControllers(ControllerGraph.start(parts));
    }

    /**
     * Controllers that have begun, and that write and call plugins only during a term.
     *
     * @param parts their store writes only during it
     */
    static RunningControllers start(ControllerParts parts, Term term) {
        return start(parts.withCalls(calls -> new FencedCalls(calls, term)));
    }

    ControllerRuntime runtime() {
        return plane.runtime();
    }

    /** All metrics with their values now. */
    CompletableFuture<List<Metric>> metrics() {
        return plane.metrics();
    }

    CloseReport close(Duration limit) {
        return runtime().close(limit);
    }
}
