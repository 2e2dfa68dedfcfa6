// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Announcement;
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
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Taint;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Deletes pods that do not tolerate a taint {@code NoExecute} of their node, or no longer, as kube-controller-manager's taint eviction
 * does. One key per pod. How long is counted from when such a taint was first seen here: a restart counts from the beginning, as Kubernetes' does.
 */
final class TaintEviction implements Controller {
    private static final String TYPE = "pod";
    private static final String NO_EXECUTE = "NoExecute";
    private static final String REASON = "DeletionByTaintManager";

    /** What Kubernetes' admission writes into pods that say nothing of these two taints. */
    private static final Duration USUAL = Duration.ofMinutes(5);

    /** Thirty years: more makes no difference. */
    private static final long LONGEST_SECONDS = 1_000_000_000;

    private static final List<String> USUALLY_TOLERATED =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private final PodsByNode pods = new PodsByNode();

    @Override
    public String name() {
        return "taint-eviction-controller";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.NODE, Kinds.POD);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.POD)) {
            if (!pods.observe(change.as(Kinds.POD)).isEmpty()) {
                post(change.key(), change.origin(), mailbox);
            }
            return;
        }
        ObjectChange<Node> news = change.as(Kinds.NODE);
        // Heartbeats of a node change nothing for its pods.
        if (!taints(news.before()).equals(taints(news.after()))) {
            pods.on(change.key().name()).forEach(pod -> post(pod, change.origin(), mailbox));
        }
    }

    private static void post(ObjectKey pod, Origin origin, Mailbox mailbox) {
        Key key = new Key(TYPE, pod);
        if (origin == Origin.WATCH) {
            mailbox.inputChanged(key);
        } else {
            mailbox.recheck(key);
        }
    }

    private static List<Taint> taints(Optional<Node> node) {
        return node.map(each -> each.spec().taints()).orElse(List.of()).stream()
                .filter(taint -> taint.effect().equals(NO_EXECUTE))
                .toList();
    }

    /**
     * A pod on a node that has such taints.
     *
     * @param uid the pod
     * @param sinceNanos when this was first seen
     */
    private record Tainted(String uid, long sinceNanos) implements KeyState {}

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<Pod> found = situation
                .caches()
                .get(Kinds.POD, key.object())
                .filter(each -> !each.metadata().isDeleting());
        if (found.isEmpty()) {
            return Decision.nothing();
        }
        Pod pod = found.get();
        List<Taint> taints = taints(
                situation.caches().get(Kinds.NODE, ObjectKey.cluster(pod.spec().nodeName())));
        Optional<Duration> patience = patience(pod, taints);
        if (patience.isEmpty()) {
            return Decision.nothing();
        }
        long now = situation.now().monotonicNanos();
        Tainted tainted = state.map(Tainted.class::cast)
                .filter(known -> known.uid().equals(pod.metadata().uid()))
                .orElse(new Tainted(pod.metadata().uid(), now));
        Duration left = patience.get().minusNanos(now - tainted.sinceNanos());
        if (!left.isNegative() && !left.isZero()) {
            return Decision.remember(tainted).wakeAfter(left);
        }
        return (Disruptions.isShown(pod.status().conditions(), REASON)
                        ? Decision.act(delete(pod))
                        : show(pod, situation))
                .withState(tainted);
    }

    /** How long the pod stays in spite of the taints; empty for ever. */
    private static Optional<Duration> patience(Pod pod, List<Taint> taints) {
        return taints.stream().flatMap(taint -> patience(pod, taint).stream()).min(Duration::compareTo);
    }

    /** By the first toleration that fits, as in Kubernetes. */
    private static Optional<Duration> patience(Pod pod, Taint taint) {
        return pod.spec().tolerations().stream()
                .filter(each -> each.tolerates(taint))
                .findFirst()
                .map(each ->
                        each.tolerationSeconds().map(seconds -> Duration.ofSeconds(Math.min(seconds, LONGEST_SECONDS))))
                .orElse(Optional.of(USUALLY_TOLERATED.contains(taint.key()) ? USUAL : Duration.ZERO));
    }

    /** Clients that wait for the pod's end learn how it ended. */
    private static Decision show(Pod pod, Situation situation) {
        List<Condition> conditions = Disruptions.with(
                pod.status().conditions(),
                REASON,
                "Taint manager: deleting due to NoExecute taint",
                situation.now().wall());
        return Decision.act(
                new Effect.UpdateStatus<>(
                        "show-eviction",
                        Kinds.POD,
                        new Change<>(pod, pod.withStatus(pod.status().withConditions(conditions)))),
                Announcement.normal(
                        Kinds.POD,
                        pod,
                        "TaintManagerEviction",
                        "Marking for deletion Pod " + ObjectKey.of(pod),
                        "taint-eviction-controller"));
    }

    private static Effect delete(Pod pod) {
        DeleteOptions options = DeleteOptions.ofUid(pod.metadata().uid());
        return new Effect.Delete<>("evict-pod", Kinds.POD, ObjectKey.of(pod), options);
    }
}
