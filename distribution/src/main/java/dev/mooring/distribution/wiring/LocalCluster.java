// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.controlplane.ControlPlane;
import dev.mooring.controlplane.NodeAgent;
import dev.mooring.distribution.csi.ServedDrivers;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A whole control plane in this process: the controllers, and beside them the agent of this machine as a node. Both see the store as
 * they would from different machines. The Node object is made if it is not there.
 *
 * <p>Closing ends the loops and leaves store, records and everything mounted as it is. Thread-safe.
 */
public final class LocalCluster implements AutoCloseable {
    private final NodeRef node;
    private final ServedDrivers drivers;
    private final DriverCallMetrics driverCalls = DriverCallMetrics.ofControllers();
    private final ControlPlane controllers;
    private final NodeAgent agent;

    private LocalCluster(LocalParts parts) {
        node = nodeOf(parts);
        drivers = ServedDrivers.of(parts.store().as("controllers"), parts.endpoints(), driverCalls);
        controllers = ControllerGraph.start(parts.forControllers(drivers.plugins(), node));
        drivers.start(controllers.runtime()::pluginCame);
        try {
            agent = NodeGraph.start(parts.forNode(node));
        } catch (RuntimeException failure) {
            controllers.close(); // no other program could
            drivers.close();
            throw failure;
        }
    }

    /** Puts the parts together and starts them. */
    public static LocalCluster start(LocalParts parts) {
        return new LocalCluster(parts);
    }

    private static NodeRef nodeOf(LocalParts parts) {
        Node there = parts.store()
                .get(Kinds.NODE, ObjectKey.cluster(parts.node()))
                .value()
                .orElseGet(() -> parts.store()
                        .create(Kinds.NODE, NodeAgent.newNode(parts.node(), Map.of()))
                        .orThrow());
        return new NodeRef(parts.node(), there.metadata().uid());
    }

    /** This machine as a node. */
    public NodeRef node() {
        return node;
    }

    /** The controllers, to be asked about what they see; they stay this cluster's. */
    public ControllerRuntime controllers() {
        return controllers.runtime();
    }

    /** Waits until neither the controllers nor the node's agent has anything to do; see {@link ControllerRuntime#whenQuiescent}. */
    public void awaitQuiescence() {
        // Each may give the other something to do, so the first one is asked again.
        controllers.whenQuiescent().join();
        agent.whenQuiescent().join();
        controllers.whenQuiescent().join();
    }

    /** The metrics of the controllers and of the node with their values now; reads the node's records. */
    public CompletableFuture<List<Metric>> metrics() {
        return controllers.metrics().thenCombine(agent.metrics(), (all, more) -> {
            all.addAll(more);
            all.add(driverCalls.collect());
            return all;
        });
    }

    /** What the controllers or the agent ended by themselves; see {@link ControllerRuntime#failure}. */
    public Optional<Throwable> failure() {
        return controllers.failure().or(agent::failure);
    }

    /** As {@link NodeAgent#leaveMachine}. */
    public boolean leaveMachine(Duration limit) {
        return agent.leaveMachine(limit);
    }

    @Override
    public void close() {
        try {
            agent.close();
        } finally {
            controllers.close();
            drivers.close();
        }
    }

    /**
     * Closes, and waits no longer than the limit for what does not end.
     *
     * @return whether everything had answered
     */
    public boolean close(Duration limit) {
        // Both at once: together they take no longer than the limit.
        CompletableFuture<Boolean> othersClean = CompletableFuture.supplyAsync(
                () -> controllers.close(limit).clean(), task -> new Thread(task, "closing").start());
        boolean agentClean = false;
        try {
            agentClean = agent.close(limit);
        } finally {
            agentClean &= othersClean.join();
            drivers.close();
        }
        return agentClean;
    }
}
