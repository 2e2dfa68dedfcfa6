// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.EmptyDirSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.MeasureCall;
import dev.mooring.volumemanager.calls.MeasureCall.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Evicts pods whose empty directories on the disk hold more than their {@code sizeLimit} (semantics/attach-and-mount §3.2, §3.17), in
 * Kubernetes' words, but for a pod whose containers may run: who runs them is asked to end it, since volumes stay under it until then
 * (S7). Critical pods are left alone. Only directories with a limit are ever measured, one call each, a minute apart or longer where
 * there is much to count; on a node without any nothing happens. Directories in memory are bounded by the kernel.
 */
public final class EmptyDirLimits extends NodeController {
    /** How long after one measurement the next one begins, at least. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    /** A measurement takes at most this part of the time. */
    private static final int SHARE = 20;

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);
    private static final String TYPE = "empty-dir-limit";
    private static final String COMPONENT = "kubelet";
    private static final String MIRROR = "kubernetes.io/config.mirror";
    private static final String CONFIG_SOURCE = "kubernetes.io/config.source";
    private static final long CRITICAL = 2_000_000_000;
    private static final Set<String> CRITICAL_CLASSES = Set.of("system-cluster-critical", "system-node-critical");

    private final NodeRecords records;
    private final Map<String, ObjectKey> limitedPods = new TreeMap<>();

    public EmptyDirLimits(NodeConfig config, NodeRecords records) {
        super(config);
        this.records = records;
        records.onPublish(record -> {
            if (limitedPods.containsKey(record.pod().uid())) {
                recheck(key(record.pod().uid(), record.podVolume()));
            }
        });
    }

    /**
     * When a directory is measured.
     *
     * @param dueNanos when the next measurement may begin
     * @param told whether people have been told that it cannot be measured
     */
    private record Measured(long dueNanos, boolean told) implements KeyState {}

    private static Key key(String podUid, String podVolume) {
        return new Key(TYPE, ObjectKey.of(podUid, podVolume));
    }

    @Override
    public String name() {
        return "empty-dir-limits";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.POD);
    }

    /** A pod that waits for a volume comes first. */
    @Override
    public Rank rank(Key key) {
        return Rank.tier(300);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (!change.concerns(Kinds.POD)) {
            return;
        }
        Pod pod = change.as(Kinds.POD).latest();
        if (!pod.spec().nodeName().equals(config.node().name())) {
            return;
        }
        for (String volume : limits(pod).keySet()) {
            if (change.after().isPresent()) {
                limitedPods.put(pod.metadata().uid(), change.key());
            } else {
                limitedPods.remove(pod.metadata().uid());
            }
            mailbox.recheck(key(pod.metadata().uid(), volume));
        }
    }

    /** The limits of the empty directories that a pod has on the disk, by the volumes' names. */
    static Map<String, Quantity> limits(Pod pod) {
        Map<String, Quantity> limits = new TreeMap<>();
        for (PodVolume volume : pod.spec().volumes()) {
            volume.source()
                    .flatMap(EmptyDirSource::of)
                    .filter(source -> source.medium().isEmpty())
                    .flatMap(EmptyDirSource::limit)
                    .filter(limit -> limit.signum() > 0)
                    .ifPresent(limit -> limits.put(volume.name(), limit));
        }
        return limits;
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        String podUid = key.object().namespace();
        String volume = key.object().name();
        Optional<Pod> pod = Optional.ofNullable(limitedPods.get(podUid))
                .flatMap(name -> situation.caches().get(Kinds.POD, name))
                .filter(found -> found.metadata().uid().equals(podUid) && mayBeEvicted(found));
        Optional<Quantity> limit =
                pod.flatMap(found -> Optional.ofNullable(limits(found).get(volume)));
        Optional<Publish> record = records.of(podUid, volume).filter(this::isPublished);
        if (limit.isEmpty() || record.isEmpty()) {
            return Decision.nothing();
        }
        long now = situation.now().monotonicNanos();
        Optional<Measured> before = state.map(Measured.class::cast);
        Optional<EffectResult> result = situation.resultOf(AgentOperations.MEASURE);
        boolean told = before.filter(Measured::told).isPresent();
        if (result.isPresent()) {
            Optional<Answer> answer = answer(result.get());
            return answer.isPresent()
                    ? measured(answer.get(), pod.orElseThrow(), volume, limit.get(), situation)
                    : notMeasured(result.get(), told, pod.orElseThrow(), volume, limit.get(), now);
        }
        if (before.filter(measured -> measured.dueNanos() > now).isPresent()) {
            return Decision.remember(before.get())
                    .wakeAfter(Duration.ofNanos(before.get().dueNanos() - now));
        }
        MeasureCall measure = new MeasureCall(
                config.node(), record.get().volume(), record.get().target());
        return situation
                .backoff(AgentOperations.MEASURE)
                .map(wait -> Decision.nothing().wakeAfter(wait))
                .orElseGet(() -> Decision.act(
                        new Effect.Perform(AgentOperations.MEASURE, measure, Optional.empty(), TIME_LIMIT)))
                .withState(new Measured(now, told))
                .concerning(Concern.of(Kinds.POD, pod.orElseThrow(), "EmptyDirNotMeasured", COMPONENT));
    }

    private static Decision measured(Answer answer, Pod pod, String volume, Quantity limit, Situation situation) {
        Duration share = answer.took().multipliedBy(SHARE);
        Duration rest = INTERVAL.compareTo(share) > 0 ? INTERVAL : share;
        Decision decision = Decision.remember(new Measured(situation.now().monotonicNanosAfter(rest), false))
                .wakeAfter(rest);
        Instant now = situation.now().wall();
        boolean exceeded = limit.compareTo(Quantity.parse(Long.toString(answer.bytes()))) < 0;
        // An answer that has waited says what was; files may have gone since.
        boolean old = answer.began().plus(rest).isBefore(now);
        return exceeded && !old ? decision.and(evict(pod, volume, limit, now)) : decision;
    }

    private static Decision notMeasured(
            EffectResult result, boolean told, Pod pod, String volume, Quantity limit, long now) {
        Decision decision =
                Decision.remember(new Measured(now + INTERVAL.toNanos(), true)).wakeAfter(INTERVAL);
        String why = result.outcome().map(outcome -> ": " + outcome.message()).orElse("");
        String message =
                "Usage of EmptyDir volume \"" + volume + "\" cannot be held against the limit \"" + limit + "\"" + why;
        return told
                ? decision
                : decision.and(Announcement.warning(Kinds.POD, pod, "EmptyDirNotMeasured", message, COMPONENT));
    }

    /** What has ended or is ending gives its directories back anyway. */
    private static boolean mayBeEvicted(Pod pod) {
        return !pod.hasEnded() && !pod.metadata().isDeleting() && !isCritical(pod);
    }

    /** As Kubernetes has it; what a file of the node describes comes back at once. */
    private static boolean isCritical(Pod pod) {
        return pod.metadata().annotation(MIRROR).isPresent()
                || pod.metadata()
                        .annotation(CONFIG_SOURCE)
                        .filter(source -> !source.equals("api"))
                        .isPresent()
                || pod.spec()
                        .priority()
                        .filter(priority -> priority >= CRITICAL)
                        .isPresent()
                || CRITICAL_CLASSES.contains(pod.spec().priorityClassName());
    }

    private static Optional<Answer> answer(EffectResult result) {
        return result.outcome()
                .flatMap(outcome ->
                        outcome.result().filter(Answer.class::isInstance).map(Answer.class::cast));
    }

    private static List<Effect> evict(Pod pod, String volume, Quantity limit, Instant now) {
        String message = "Usage of EmptyDir volume \"" + volume + "\" exceeds the limit \"" + limit + "\".";
        return List.of(
                pod.status().mayRun() ? delete(pod) : fail(pod, message, now),
                Announcement.warning(Kinds.POD, pod, "Evicted", message, COMPONENT));
    }

    /** Its volumes go once its containers have ended, or its time is up. */
    private static Effect delete(Pod pod) {
        DeleteOptions options = DeleteOptions.ofUid(pod.metadata().uid());
        return new Effect.Delete<>(AgentOperations.EVICT_POD, Kinds.POD, ObjectKey.of(pod), options);
    }

    private static Effect fail(Pod pod, String message, Instant now) {
        List<Condition> conditions = pod.status().conditions();
        for (String type : List.of("ContainersReady", "Ready")) {
            conditions = Conditions.with(conditions, type, ConditionStatus.FALSE, "PodFailed", "", now);
        }
        List<ContainerStatus> containers = pod.status().containerStatuses().stream()
                .map(each -> each.withReady(false))
                .toList();
        Pod failed = pod.withStatus(pod.status()
                .withPhase(PodPhase.FAILED)
                .withContainerStatuses(containers)
                .withReason("Evicted")
                .withMessage(message)
                .withConditions(conditions));
        return new Effect.UpdateStatus<>(AgentOperations.EVICT_POD, Kinds.POD, new Change<>(pod, failed));
    }
}
