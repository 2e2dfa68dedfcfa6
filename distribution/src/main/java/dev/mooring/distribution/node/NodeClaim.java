// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.distribution.cluster.LiveCluster;
import dev.mooring.distribution.node.Heartbeat.Beat;
import dev.mooring.distribution.operations.StopSignal;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.store.ClusterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that one agent has a Node: refuses a Node that belongs to another, takes its Lease, and keeps it. For one thread at a time.
 */
public final class NodeClaim {
    private static final Logger LOG = LoggerFactory.getLogger(NodeClaim.class);

    private final ClusterStore store;
    private final NodeClaimant claimant;
    private final TimeSource time;
    private final Consumer<String> told;
    private Optional<Heartbeat> heartbeat = Optional.empty();

    /**
     * Nothing is claimed yet.
     *
     * @param claimant who claims which Node
     * @param told gets, after each try, what is wrong; an empty text if nothing is
     */
    public NodeClaim(ClusterStore store, NodeClaimant claimant, TimeSource time, Consumer<String> told) {
        this.store = store;
        this.claimant = claimant;
        this.time = time;
        this.told = told;
    }

    /**
     * Changes nothing.
     *
     * @param onMachine what else speaks for another agent, one sentence each
     * @throws NodeRefused if anything does
     * @throws LiveCluster.ClusterException if the cluster does not tell
     */
    public void refuseIfManaged(List<String> onMachine) {
        List<String> evidence = new ArrayList<>(KubeletEvidence.inCluster(
                new LiveCluster(store).find(Kinds.NODE, ObjectKey.cluster(claimant.node())),
                lease(),
                claimant.holder(),
                time.now().wall()));
        evidence.addAll(onMachine);
        if (!evidence.isEmpty()) {
            throw new NodeRefused(claimant.node(), evidence);
        }
    }

    private Optional<Lease> lease() {
        return new LiveCluster(store).find(Kinds.LEASE, ObjectKey.of(Heartbeat.LEASES, claimant.node()));
    }

    /**
     * Registers the Node and takes its Lease; waits if another agent had it before, and while it cannot be written.
     *
     * @return the Node; empty if it turns out to belong to another agent, or the signal was given
     * @throws LiveCluster.ClusterException if the cluster does not tell or take the Node
     */
    public Optional<NodeRef> take(StopSignal signal) {
        boolean inherited = lease().filter(there -> KubeletEvidence.isForeign(there, claimant.holder()))
                .isPresent();
        NodeRef node = new NodeRegistration(store, claimant.node(), claimant.description()).register();
        heartbeat = Optional.of(new Heartbeat(store, time, node, claimant.holder(), claimant.lease()));
        if (!renew(signal)) {
            return Optional.empty();
        }
        // The process that held it before may only have been slow, or have another time: then it has taken the lease
        // back.
        return !inherited || (signal.pause(halfALease()) && renew(signal)) ? Optional.of(node) : Optional.empty();
    }

    private Duration halfALease() {
        return claimant.lease().dividedBy(2);
    }

    /** How often {@link #keep} is to be called. */
    public Duration interval() {
        return claimant.lease().dividedBy(4);
    }

    /** Renews for sure; false if the Node is not ours, or it is time to stop. */
    private boolean renew(StopSignal signal) {
        Beat beat = beat();
        while (beat == Beat.MISSED && signal.pause(interval())) {
            beat = beat();
        }
        return beat == Beat.KEPT;
    }

    /** Renews the Lease if that can be done now; false if the Node is not ours any more. */
    public boolean keep() {
        return beat() != Beat.LOST;
    }

    /**
     * Whether there is no Node of that name, for example because it was deleted.
     *
     * @throws LiveCluster.ClusterException if the cluster does not tell
     */
    public boolean isGone() {
        return new LiveCluster(store)
                .find(Kinds.NODE, ObjectKey.cluster(claimant.node()))
                .isEmpty();
    }

    private Beat beat() {
        Heartbeat.Result result = heartbeat.orElseThrow().beat();
        told.accept(result.why());
        if (result.beat() == Beat.LOST) {
            LOG.error("{}", result.why());
        } else if (result.beat() == Beat.MISSED) {
            LOG.warn("{}", result.why());
        }
        return result.beat();
    }
}
