// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Taint;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Notices that a node is silent, as kube-controller-manager's node life cycle controller does: silence is measured from when a
 * heartbeat was seen here to be another one than before, by the monotonic clock, so that the clock of the node does not matter.
 *
 * <p>Other than Kubernetes, whose kubelet reports itself Ready again, a node whose Lease is renewed after the silence is Ready again at
 * once: an agent that renews nothing but its Lease comes back too.
 */
final class NodeLifecycle implements Controller {
    private static final String TYPE = "node";
    private static final String LEASE_NAMESPACE = "kube-node-lease";

    private final Duration gracePeriod;

    NodeLifecycle(Duration gracePeriod) {
        this.gracePeriod = gracePeriod;
    }

    @Override
    public String name() {
        return "node-lifecycle";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.NODE, Kinds.LEASE);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        boolean lease = change.concerns(Kinds.LEASE);
        if (lease && !change.key().namespace().equals(LEASE_NAMESPACE)) {
            return;
        }
        Key key = new Key(TYPE, ObjectKey.cluster(change.key().name()));
        if (change.origin() == Origin.WATCH) {
            mailbox.inputChanged(key);
        } else {
            mailbox.recheck(key);
        }
    }

    /**
     * What was last heard of a node.
     *
     * @param uid the node
     * @param heartbeat of its Ready condition
     * @param renewed of its Lease
     * @param heardNanos when this was first seen
     * @param leaseMoves whether the Lease was seen to be renewed since the node was found silent, or since the start
     */
    private record Heard(
            String uid, Optional<Instant> heartbeat, Optional<Instant> renewed, long heardNanos, boolean leaseMoves)
            implements KeyState {}

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<Node> found = situation.caches().get(Kinds.NODE, key.object());
        if (found.isEmpty()) {
            return Decision.nothing();
        }
        Node node = found.get();
        Optional<Heard> known = state.map(Heard.class::cast)
                .filter(before -> before.uid().equals(node.metadata().uid()));
        Heard heard = hear(node, known, situation);
        if (heard.heartbeat().isEmpty() && heard.renewed().isEmpty()) {
            return Decision.nothing();
        }
        Duration silence = Duration.ofNanos(situation.now().monotonicNanos() - heard.heardNanos());
        boolean silent = silence.compareTo(gracePeriod) >= 0;
        Heard next = silent ? silent(heard) : heard;
        Instant now = situation.now().wall();
        List<Condition> conditions = node.status().conditions();
        List<Condition> wanted = conditions;
        if (silent) {
            wanted = NodeConditions.silent(conditions, node.metadata().creationTimestamp(), now);
        } else if (heard.leaseMoves()) {
            wanted = NodeConditions.backAgain(conditions, now);
        }
        Decision decision = wanted.equals(conditions)
                ? taint(node, now)
                : Decision.act(new Effect.UpdateStatus<>(
                        "show-node-condition",
                        Kinds.NODE,
                        new Change<>(node, node.withStatus(node.status().withConditions(wanted)))));
        Decision remembering = decision.withState(next);
        return silent ? remembering : remembering.wakeAfter(gracePeriod.minus(silence));
    }

    private static Heard silent(Heard heard) {
        return new Heard(heard.uid(), heard.heartbeat(), heard.renewed(), heard.heardNanos(), false);
    }

    private static Heard hear(Node node, Optional<Heard> known, Situation situation) {
        Optional<Instant> heartbeat = NodeConditions.heartbeat(node.status().conditions());
        Optional<Instant> renewed = situation
                .caches()
                .get(Kinds.LEASE, ObjectKey.of(LEASE_NAMESPACE, node.metadata().name()))
                .flatMap(lease -> lease.spec().renewTime());
        long now = situation.now().monotonicNanos();
        String uid = node.metadata().uid();
        if (known.isEmpty()) {
            return new Heard(uid, heartbeat, renewed, now, false);
        }
        Heard before = known.get();
        boolean leaseRenewed = renewed.isPresent()
                && before.renewed().filter(time -> !renewed.get().isAfter(time)).isEmpty();
        boolean beat = heartbeat.isPresent() && !heartbeat.equals(before.heartbeat());
        return leaseRenewed || beat
                ? new Heard(uid, heartbeat, renewed, now, before.leaseMoves() || leaseRenewed)
                : before;
    }

    private static Decision taint(Node node, Instant now) {
        List<Taint> taints =
                NodeConditions.taints(node.spec().taints(), node.status().conditions(), now);
        return taints.equals(node.spec().taints())
                ? Decision.nothing()
                : Decision.act(new Effect.Update<>(
                        "taint-node",
                        Kinds.NODE,
                        new Change<>(node, node.withSpec(node.spec().withTaints(taints)))));
    }
}
