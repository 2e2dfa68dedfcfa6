// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.controlplane.NodeAgent;
import dev.mooring.distribution.operations.Operations;
import dev.mooring.distribution.operations.ProcessMetrics;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.metrics.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a node process knows of itself. Written by the thread that renews the lease, read by any. */
final class NodeStatusPage implements Operations {
    /** How many leases long the process may try nothing before it is thought to hang. */
    private static final int SILENT_LEASES = 4;

    private final TimeSource time;
    private final Duration lease;
    private volatile Optional<NodeAgent> agent = Optional.empty();
    private volatile Optional<Long> lastTry = Optional.empty();
    private volatile String problem = "the node is not registered yet";

    NodeStatusPage(TimeSource time, Duration lease) {
        this.time = time;
        this.lease = lease;
    }

    /** Volumes are mounted from now on. */
    void works(NodeAgent running) {
        agent = Optional.of(running);
    }

    /** The lease was tried. */
    void tried(String why) {
        lastTry = Optional.of(time.now().monotonicNanos());
        problem = why;
    }

    @Override
    public CompletableFuture<List<Metric>> metrics() {
        return ProcessMetrics.with(agent.map(NodeAgent::metrics));
    }

    @Override
    public Optional<String> sickness() {
        return Operations.sickness(agent.flatMap(NodeAgent::failure)).or(this::silence);
    }

    private Optional<String> silence() {
        return lastTry.map(at -> Duration.ofNanos(time.now().monotonicNanos() - at))
                .filter(silence -> silence.compareTo(lease.multipliedBy(SILENT_LEASES)) > 0)
                .map(silence -> "no try to renew the lease for " + silence.toSeconds() + " s");
    }

    @Override
    public Optional<String> hindrance() {
        return Optional.of(problem)
                .filter(why -> !why.isEmpty())
                .or(() -> agent.isEmpty() ? Optional.of("volumes are not looked after yet") : Optional.empty());
    }
}
