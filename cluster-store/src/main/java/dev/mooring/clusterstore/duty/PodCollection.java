// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Deletes pods that no kubelet will ever end, as kube-controller-manager's pod garbage collector does: those whose node has gone, once it
 * was away for a while and a live read has shown that it is, and those that are being deleted on a node that is out of service. One key
 * per name of a node.
 */
final class PodCollection implements Controller {
    private static final String TYPE = "node";
    private static final String CONFIRM = "confirm-node";
    private static final int AT_ONCE = 100;

    /** Kubernetes' own: a node that is created again under its name keeps its pods. */
    private static final Duration QUARANTINE = Duration.ofSeconds(40);

    private final PodsByNode pods = new PodsByNode();

    @Override
    public String name() {
        return "pod-garbage-collector";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.NODE, Kinds.POD);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.NODE)) {
            post(change.key().name(), change.origin(), mailbox);
            return;
        }
        String node = pods.observe(change.as(Kinds.POD));
        if (!node.isEmpty()) {
            post(node, change.origin(), mailbox);
        }
    }

    private static void post(String node, Origin origin, Mailbox mailbox) {
        Key key = new Key(TYPE, ObjectKey.cluster(node));
        if (origin == Origin.WATCH) {
            mailbox.inputChanged(key);
        } else {
            mailbox.recheck(key);
        }
    }

    /**
     * A node that is not there.
     *
     * @param sinceNanos when this was first seen
     * @param confirmed whether a live read has shown it since
     */
    private record Away(long sinceNanos, boolean confirmed) implements KeyState {}

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        List<Pod> there = pods(key.object().name(), situation);
        Optional<Node> node = situation.caches().get(Kinds.NODE, key.object());
        if (there.isEmpty()) {
            return Decision.nothing();
        } else if (node.isPresent()) {
            return isOutOfService(node.get()) ? endDeleting(there) : Decision.nothing();
        }
        long now = situation.now().monotonicNanos();
        Away away = state.map(Away.class::cast).orElse(new Away(now, false));
        Duration left = QUARANTINE.minusNanos(now - away.sinceNanos());
        if (!left.isNegative() && !left.isZero()) {
            return Decision.remember(away).wakeAfter(left);
        }
        Optional<Boolean> answer = away.confirmed() ? Optional.of(true) : answer(situation);
        if (answer.isEmpty()) {
            return Decision.act(new Effect.Read<>(CONFIRM, Kinds.NODE, key.object()))
                    .withState(away);
        }
        return answer.get()
                ? end(there, situation.now().wall()).withState(new Away(away.sinceNanos(), true))
                : Decision.nothing(); // the cache will hear of it
    }

    /** Pods there that can still be ended: what finalizers hold is for those who set them. */
    private List<Pod> pods(String node, Situation situation) {
        List<Pod> there = new ArrayList<>();
        for (ObjectKey key : pods.on(node)) {
            situation.caches().get(Kinds.POD, key).filter(pod -> !isEnded(pod)).ifPresent(there::add);
        }
        return there;
    }

    private static boolean isEnded(Pod pod) {
        return pod.metadata().isDeleting()
                && pod.metadata().deletionGracePeriodSeconds().orElse(0L) == 0;
    }

    /** Whether the live read has shown that the node is not there; empty if it did not answer. */
    private static Optional<Boolean> answer(Situation situation) {
        for (EffectResult result : situation.results()) {
            if (result.effect() instanceof Effect.Read<?> && result.succeeded()) {
                return Optional.of(false);
            } else if (result.effect() instanceof Effect.Read<?>
                    && result.storeFailure().equals(Optional.of(Failure.NOT_FOUND))) {
                return Optional.of(true);
            }
        }
        return Optional.empty();
    }

    /** As upstream, a node that never said that it is ready is not, unlike in {@link Node#isReady}. */
    private static boolean isOutOfService(Node node) {
        boolean ready = NodeConditions.ready(node.status().conditions())
                .filter(condition -> condition.status() == ConditionStatus.TRUE)
                .isPresent();
        return !ready && node.hasOutOfServiceTaint();
    }

    private static Decision endDeleting(List<Pod> pods) {
        return Decision.act(pods.stream()
                .filter(pod -> pod.metadata().isDeleting())
                .limit(AT_ONCE)
                .map(PodCollection::delete)
                .toArray(Effect[]::new));
    }

    /** A pod is shown to have failed first: clients that wait for its end learn how it ended. */
    private static Decision end(List<Pod> pods, Instant now) {
        return Decision.act(pods.stream()
                .limit(AT_ONCE)
                .map(pod -> pod.status().phase().isTerminal() ? delete(pod) : fail(pod, now))
                .toArray(Effect[]::new));
    }

    private static Effect delete(Pod pod) {
        DeleteOptions options = DeleteOptions.ofUid(pod.metadata().uid()).withGracePeriodSeconds(0);
        return new Effect.Delete<>("collect-pod", Kinds.POD, ObjectKey.of(pod), options);
    }

    private static Effect fail(Pod pod, Instant now) {
        List<Condition> conditions =
                Disruptions.with(pod.status().conditions(), "DeletionByPodGC", "PodGC: node no longer exists", now);
        return new Effect.UpdateStatus<>(
                "fail-pod",
                Kinds.POD,
                new Change<>(
                        pod,
                        pod.withStatus(pod.status().withPhase(PodPhase.FAILED).withConditions(conditions))));
    }
}
