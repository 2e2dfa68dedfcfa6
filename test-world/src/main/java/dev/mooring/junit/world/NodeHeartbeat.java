// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionBuilder;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.LeaseSpec;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.OwnerReferenceBuilder;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a kubelet does to show that its node is alive: it renews the node's Lease every ten seconds, and reports Ready when it starts and
 * whenever the Node says otherwise. It dies with its machine.
 */
final class NodeHeartbeat implements Controller {
    private static final String LEASES = "kube-node-lease";
    private static final String READY = "Ready";
    private static final Duration RENEW_EVERY = Duration.ofSeconds(10);
    private static final long LEASE_SECONDS = 40;

    private final NodeRef node;
    private final Key key;

    NodeHeartbeat(NodeRef node) {
        this.node = node;
        key = new Key("heartbeat", ObjectKey.cluster(node.name()));
    }

    @Override
    public String name() {
        return "node-heartbeat";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.NODE, Kinds.LEASE);
    }

    @Override
    public void started(Mailbox mailbox) {
        mailbox.recheck(key);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        boolean ours = change.key().name().equals(node.name());
        if (ours && (change.concerns(Kinds.NODE) || change.key().namespace().equals(LEASES))) {
            mailbox.recheck(key);
        }
    }

    /** The machine has reported since it booted. */
    private record Reported() implements KeyState {}

    @Override
    public Decision decide(Key which, Optional<KeyState> state, Situation situation) {
        Instant now = situation.now().wall();
        Optional<Node> known = situation.caches().get(Kinds.NODE, ObjectKey.cluster(node.name()));
        if (known.isEmpty() || !known.get().metadata().uid().equals(node.uid())) {
            return Decision.nothing();
        }
        List<Effect> effects = new ArrayList<>();
        if (state.isEmpty() || !known.get().isReady()) {
            effects.add(report(known.get(), now));
        }
        Optional<Lease> lease = situation.caches().get(Kinds.LEASE, ObjectKey.of(LEASES, node.name()));
        Duration sinceRenewed = lease.flatMap(each -> each.spec().renewTime())
                .map(renewed -> Duration.between(renewed, now))
                .orElse(RENEW_EVERY);
        if (sinceRenewed.compareTo(RENEW_EVERY) >= 0) {
            effects.add(renew(lease, now));
        }
        Duration next = effects.isEmpty() ? RENEW_EVERY.minus(sinceRenewed) : RENEW_EVERY;
        return new Decision(Optional.of(new Reported()), effects, Optional.of(next));
    }

    private Effect renew(Optional<Lease> lease, Instant now) {
        LeaseSpec spec = lease.map(Lease::spec)
                .orElse(LeaseSpec.EMPTY.withAcquireTime(Optional.of(now)))
                .withHolderIdentity(node.name())
                .withLeaseDurationSeconds(Optional.of(LEASE_SECONDS))
                .withRenewTime(Optional.of(now));
        if (lease.isPresent()) {
            return new Effect.Update<>(
                    "renew-lease",
                    Kinds.LEASE,
                    new Change<>(lease.get(), lease.get().withSpec(spec)));
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
        return new Effect.Create<>("renew-lease", Kinds.LEASE, new Lease(metadata, spec));
    }

    private static Effect report(Node node, Instant now) {
        List<Condition> conditions = new ArrayList<>(node.status().conditions());
        Optional<Instant> since = conditions.stream()
                .filter(condition -> condition.type().equals(READY) && condition.status() == ConditionStatus.TRUE)
                .findFirst()
                .flatMap(Condition::lastTransitionTime)
                .or(() -> Optional.of(now));
        conditions.removeIf(condition -> condition.type().equals(READY));
        conditions.add(ConditionBuilder.builder()
                .type(READY)
                .status(ConditionStatus.TRUE)
                .reason("KubeletReady")
                .message("the simulated node is up")
                .lastTransitionTime(since)
                .lastHeartbeatTime(now)
                .build());
        Node ready = node.withStatus(node.status().withConditions(conditions));
        return new Effect.UpdateStatus<>("report-ready", Kinds.NODE, new Change<>(node, ready));
    }
}
