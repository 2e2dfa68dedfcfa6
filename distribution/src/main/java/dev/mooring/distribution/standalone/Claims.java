// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.distribution.node.NodeClaim;
import dev.mooring.distribution.node.NodeClaimant;
import dev.mooring.distribution.operations.StopSignal;
import dev.mooring.runtime.control.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps others from the work that this server does: the Lease of its Node, renewed by a thread of its own as {@code mooring node}
 * does, and the Lease of its controllers.
 */
final class Claims implements AutoCloseable {
    /** One name for all: a process that serves a store knows that all who served it before have ended. */
    static final String HOLDER = "mooring-standalone";

    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final NodeClaim node;
    private final ControllerLease controllers;
    private final Duration lease;
    private final StopSignal signal = new StopSignal();
    private volatile String problem = "";
    private volatile boolean keeping;
    private volatile boolean lost;

    /** Nothing is claimed yet. */
    Claims(DocumentStore store, NodeClaimant claimant) {
        this.node =
                new NodeClaim(store.as("node/" + claimant.node()), claimant, TimeSource.system(), why -> problem = why);
        this.controllers = new ControllerLease(store.as("controllers"), InstantSource.system());
        this.lease = claimant.lease();
    }

    /**
     * Changes nothing. That a kubelet runs on this machine says nothing: it does not manage a Node of this cluster.
     *
     * @throws dev.mooring.distribution.node.NodeRefused if another agent has the Node
     */
    void refuseIfManaged() {
        node.refuseIfManaged(List.of());
    }

    /**
     * Takes both; if either was another's, waits until that one has surely noticed, for which it has to reach the server.
     *
     * @throws IOException if the other one took the Node back
     */
    void take() throws IOException {
        if (controllers.take()) {
            signal.pause(lease.dividedBy(2)); // longer than the term of a leader
        }
        if (node.take(signal).isEmpty()) {
            throw new IOException("another agent has the node: " + problem);
        }
    }

    /** Keeps both from now on, as long as the node's agent works. Otherwise they must not suggest that it does. */
    void keep(BooleanSupplier works) {
        Thread thread = new Thread(() -> renewUntilStopped(works), "leases");
        thread.setDaemon(true);
        keeping = true;
        thread.start();
    }

    private void renewUntilStopped(BooleanSupplier works) {
        boolean deleted = false;
        try {
            while (!lost && signal.pause(node.interval()) && works.getAsBoolean()) {
                controllers.take();
                deleted = deleted ? isStillDeleted() : isDeleted();
            }
        } catch (RuntimeException e) {
            LOG.error("the leases are not renewed any more", e);
            problem = "the leases are not renewed any more: " + e;
            lost = true;
        } finally {
            signal.stopped();
        }
    }

    /** Whether the Node was deleted. That is no reason to end the server. */
    private boolean isDeleted() {
        if (node.keep()) {
            return false;
        }
        boolean deleted = node.isGone();
        lost = !deleted;
        if (deleted) {
            LOG.warn("{}: nothing runs on the node. Restart this server to create the node again", problem);
        }
        return deleted;
    }

    private boolean isStillDeleted() {
        if (!node.isGone()) {
            problem = "the node was deleted, and another client created it again";
            lost = true;
        }
        return !lost;
    }

    /** Why this server must end; empty if all is well. */
    Optional<String> loss() {
        return lost ? Optional.of(problem) : Optional.empty();
    }

    @Override
    public void close() {
        if (keeping) {
            signal.stop(PATIENCE);
        }
    }
}
