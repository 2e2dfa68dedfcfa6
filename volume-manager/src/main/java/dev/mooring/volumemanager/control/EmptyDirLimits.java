// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.Change;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.MeasureCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Evicts pods whose empty directories on the disk hold more than their {@code sizeLimit} (semantics/attach-and-mount §3.2, §3.17), in
 * Kubernetes' words. Only such directories are ever measured, one call each, a minute apart or longer where there is much to count; on a
 * node without any nothing happens. Directories in memory are bounded by the kernel.
 */
final class EmptyDirLimits implements Controller {
    /** How long after one measurement the next one begins, at least. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    /** A measurement takes at most this part of the time. */
    private static final int SHARE = 20;

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);
    private static final String TYPE = "empty-dir-limit";
    private static final String COMPONENT = "kubelet";
    private static final String MIRROR = "kubernetes.io/config.mirror";

    private final NodeConfig config;
    private final NodeRecords records;
    private final Map<String, ObjectKey> limitedPods = new TreeMap<>();
    private final Relay relay = new Relay();

    EmptyDirLimits(NodeConfig config, NodeRecords records) {
        this.config = config;
        this.records = records;
        records.onPublish(record -> {
            if (limitedPods.containsKey(record.pod().uid())) {
                relay.recheck(key(record.pod().uid(), record.podVolume()));
            }
        });
    }

    /**
     * When a directory is measured.
     *
     * @param beganNanos when the last measurement began
     * @param dueNanos when the next one may begin
     */
    private record Measured(long beganNanos, long dueNanos) implements KeyState {}

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

    /** Whoever waits for a volume comes first. */
    @Override
    public Rank rank(Key key) {
        return Rank.tier(300);
    }

    @Override
    public void started(Mailbox mailbox) {
        relay.through(mailbox);
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
                    .filter(source -> source.type().equals("emptyDir"))
                    .filter(source ->
                            source.attributes().text("medium").orElse("").isEmpty())
                    .flatMap(EmptyDirLimits::limit)
                    .ifPresent(limit -> limits.put(volume.name(), limit));
        }
        return limits;
    }

    private static Optional<Quantity> limit(VolumeSource source) {
        return source.attributes()
                .at("sizeLimit")
                .flatMap(size -> Quantity.tryParse(size.toString()))
                .filter(size -> size.signum() > 0);
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
        Optional<Publish> record = records.of(podUid, volume)
                .filter(found ->
                        found.phase() == RecordPhase.DONE && found.bootId().equals(config.bootId()));
        if (limit.isEmpty() || record.isEmpty()) {
            return Decision.nothing();
        }
        long now = situation.now().monotonicNanos();
        Optional<Measured> before = state.map(Measured.class::cast);
        Optional<EffectResult> result = situation.resultOf(Operations.MEASURE);
        if (result.isPresent()) {
            long took = now - before.map(Measured::beganNanos).orElse(now);
            Duration rest =
                    INTERVAL.compareTo(Duration.ofNanos(took * SHARE)) > 0 ? INTERVAL : Duration.ofNanos(took * SHARE);
            Decision decision =
                    Decision.remember(new Measured(now, now + rest.toNanos())).wakeAfter(rest);
            return used(result.get())
                            .filter(bytes -> limit.get().compareTo(Quantity.parse(bytes.toString())) < 0)
                            .isPresent()
                    ? decision.and(evict(
                            pod.orElseThrow(),
                            volume,
                            limit.get(),
                            situation.now().wall()))
                    : decision;
        }
        if (before.filter(measured -> measured.dueNanos() > now).isPresent()) {
            return Decision.remember(before.get())
                    .wakeAfter(Duration.ofNanos(before.get().dueNanos() - now));
        }
        MeasureCall measure = new MeasureCall(
                config.node(), record.get().volume(), record.get().target());
        return situation
                .backoff(Operations.MEASURE)
                .map(wait -> Decision.nothing().wakeAfter(wait))
                .orElseGet(() ->
                        Decision.act(new Effect.Perform(Operations.MEASURE, measure, Optional.empty(), TIME_LIMIT)))
                .withState(new Measured(now, now));
    }

    /** What has ended or is ending gives its directories back anyway; what a file of the node describes comes back at once. */
    private static boolean mayBeEvicted(Pod pod) {
        return !pod.hasEnded()
                && !pod.metadata().isDeleting()
                && pod.metadata().annotation(MIRROR).isEmpty();
    }

    private static Optional<Long> used(EffectResult result) {
        return result.outcome()
                .flatMap(outcome ->
                        outcome.result().filter(Long.class::isInstance).map(Long.class::cast));
    }

    private static List<Effect> evict(Pod pod, String volume, Quantity limit, Instant now) {
        String message = "Usage of EmptyDir volume \"" + volume + "\" exceeds the limit \"" + limit + "\".";
        List<Condition> conditions = pod.status().conditions();
        conditions = Conditions.with(
                conditions, "DisruptionTarget", ConditionStatus.TRUE, "TerminationByKubelet", message, now);
        for (String type : List.of("ContainersReady", "Ready")) {
            conditions = Conditions.with(conditions, type, ConditionStatus.FALSE, "PodFailed", "", now);
        }
        Pod failed = pod.withStatus(pod.status()
                .withPhase(PodPhase.FAILED)
                .withReason("Evicted")
                .withMessage(message)
                .withConditions(conditions));
        return List.of(
                new Effect.UpdateStatus<>(Operations.EVICT_POD, Kinds.POD, new Change<>(pod, failed)),
                Announcement.warning(Kinds.POD, pod, "Evicted", message, COMPONENT));
    }
}
