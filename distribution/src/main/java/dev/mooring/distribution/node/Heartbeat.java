// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionBuilder;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.LeaseSpec;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.OwnerReferenceBuilder;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Shows that the Node is alive, as a kubelet does: renews its Lease, and reports Ready every five minutes, and whenever the Node may have
 * been marked otherwise. Finds that another agent has taken the Node. Confined to one thread.
 */
final class Heartbeat {
    static final String LEASES = "kube-node-lease";
    private static final String READY = "Ready";
    private static final Duration REPORT_EVERY = Duration.ofMinutes(5);

    private final ClusterStore store;
    private final TimeSource time;
    private final NodeRef node;
    private final String holder;
    private final Duration duration;
    private Optional<Lease> mine = Optional.empty();
    private boolean held;
    private Optional<Long> reportedNanos = Optional.empty();

    /** What came of one beat. */
    enum Beat {
        /** The lease is renewed. */
        KEPT,
        /** It could not be renewed; try again. */
        MISSED,
        /** Another agent has the Node, or the Node has gone: this one must end. */
        LOST
    }

    /**
     * The result of a beat.
     *
     * @param beat what came of it
     * @param why empty if all is well
     */
    record Result(Beat beat, String why) {}

    Heartbeat(ClusterStore store, TimeSource time, NodeRef node, String holder, Duration duration) {
        this.store = store;
        this.time = time;
        this.node = node;
        this.holder = holder;
        this.duration = duration;
    }

    /** Renews the lease, taking it if this is the first beat; with three requests at most. */
    Result beat() {
        Time now = time.now();
        StoreResult<Lease> renewed = mine.isPresent()
                ? renew(mine.get(), now.wall())
                : store.get(Kinds.LEASE, key()).match(there -> take(there, now.wall()), this::absent);
        Optional<Result> bad = renewed.match(
                lease -> {
                    mine = Optional.of(lease);
                    held = true;
                    return Optional.empty();
                },
                this::notRenewed);
        if (bad.isPresent()) {
            reportedNanos = Optional.empty(); // a controller may have marked the node as silent
            return bad.get();
        }
        boolean due = reportedNanos
                .filter(at -> now.monotonicNanos() - at < REPORT_EVERY.toNanos())
                .isEmpty();
        return due ? report(now) : new Result(Beat.KEPT, "");
    }

    private ObjectKey key() {
        return ObjectKey.of(LEASES, node.name());
    }

    private StoreResult<Lease> absent(StoreResult.Failed<Lease> failed) {
        if (failed.reason() != Failure.NOT_FOUND) {
            return failed;
        }
        ObjectMeta metadata = ObjectMeta.EMPTY
                .withNamespace(LEASES)
                .withName(node.name())
                .withOwnerReferences(List.of(OwnerReferenceBuilder.builder()
                        .apiVersion("v1")
                        .kind("Node")
                        .name(node.name())
                        .uid(node.uid())
                        .build()));
        Instant now = time.now().wall();
        return store.create(
                Kinds.LEASE, new Lease(metadata, held(LeaseSpec.EMPTY, now).withAcquireTime(Optional.of(now))));
    }

    /** Once held, it is never taken back from another holder: that agent has the Node now. */
    private StoreResult<Lease> take(Lease there, Instant now) {
        return held && KubeletEvidence.isForeign(there, holder)
                ? StoreResult.failed(Failure.CONFLICT, "it is taken")
                : renew(there, now);
    }

    private StoreResult<Lease> renew(Lease lease, Instant now) {
        return store.update(Kinds.LEASE, new Change<>(lease, lease.withSpec(held(lease.spec(), now))));
    }

    private LeaseSpec held(LeaseSpec spec, Instant now) {
        return spec.withHolderIdentity(holder)
                .withLeaseDurationSeconds(Optional.of(duration.toSeconds()))
                .withRenewTime(Optional.of(now));
    }

    private Optional<Result> notRenewed(StoreResult.Failed<Lease> failed) {
        StoreResult<Lease> read = store.get(Kinds.LEASE, key());
        Optional<Lease> foreign = read.value().filter(lease -> KubeletEvidence.isForeign(lease, holder));
        if (held && foreign.isPresent()) {
            return Optional.of(new Result(
                    Beat.LOST,
                    "the lease " + key() + " is taken by "
                            + foreign.get().spec().holderIdentity()));
        }
        // While the present version is unknown, the next beat tries the known one, and finds out.
        mine = read.match(
                lease -> foreign.isPresent() ? Optional.empty() : Optional.of(lease),
                unread -> unread.reason() == Failure.NOT_FOUND ? Optional.empty() : mine);
        return Optional.of(new Result(Beat.MISSED, "the lease " + key() + " cannot be renewed: " + failed.message()));
    }

    private Result report(Time now) {
        return store.get(Kinds.NODE, ObjectKey.cluster(node.name()))
                .match(
                        there -> {
                            if (!there.metadata().uid().equals(node.uid())) {
                                return new Result(Beat.LOST, "node " + node.name() + " is another one now");
                            }
                            Node ready = there.withStatus(there.status()
                                    .withConditions(ready(there.status().conditions(), now.wall())));
                            return store.updateStatus(Kinds.NODE, new Change<>(there, ready))
                                    .match(
                                            written -> {
                                                reportedNanos = Optional.of(now.monotonicNanos());
                                                return new Result(Beat.KEPT, "");
                                            },
                                            failed -> new Result(Beat.KEPT, "")); // with the next beat
                        },
                        failed -> failed.reason() == Failure.NOT_FOUND
                                ? new Result(Beat.LOST, "node " + node.name() + " was deleted")
                                : new Result(Beat.KEPT, ""));
    }

    private static List<Condition> ready(List<Condition> conditions, Instant now) {
        List<Condition> others = new ArrayList<>(conditions);
        Optional<Condition> before = conditions.stream()
                .filter(condition -> condition.type().equals(READY))
                .findFirst();
        before.ifPresent(others::remove);
        Optional<Instant> since = before.filter(condition -> condition.status() == ConditionStatus.TRUE)
                .flatMap(Condition::lastTransitionTime)
                .or(() -> Optional.of(now));
        others.add(ConditionBuilder.builder()
                .type(READY)
                .status(ConditionStatus.TRUE)
                .reason("AgentReady")
                .message("the node's agent is running")
                .lastTransitionTime(since)
                .lastHeartbeatTime(now)
                .build());
        return others;
    }
}
