// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodStatus;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.wanted.WantedVolume;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a kubelet does for the objects of its pods, where there is none: a pod whose volumes are published runs; the object of a deleted
 * pod goes when its volumes are gone, not before, so that what waits for the pod (claim protection, a reclaim) waits for the mounts.
 */
public final class PodLifecycle extends NodeController {
    private static final String TYPE = "pod";
    private static final List<String> CONDITIONS =
            List.of("PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready");

    private static final ContainerStatus.State NOT_RUN = new ContainerStatus.State(
            Optional.of(Document.of(Map.of(
                    "reason", "ContainersNotRun", "message", "the volumes are mounted; Mooring runs no containers"))),
            Optional.empty(),
            Optional.empty());

    private final PluginRegistry plugins;
    private final NodeRecords records;
    private final VolumeGrowth growth;
    private final Multimap<String, Key> waitingForSize = new Multimap<>();

    /**
     * A pod that waits until volumes are large enough.
     *
     * @param volumes the PersistentVolumes' names
     */
    private record WaitingForSize(Set<String> volumes) implements KeyState {}

    public PodLifecycle(NodeConfig config, PluginRegistry plugins, NodeRecords records, VolumeGrowth growth) {
        super(config);
        this.growth = growth;
        growth.onDecided(volume -> waitingForSize.copyOf(volume).forEach(this::recheck));
        this.plugins = plugins;
        this.records = records;
        records.onPublish(record ->
                recheck(key(ObjectKey.of(record.pod().namespace(), record.pod().name()))));
    }

    static Key key(ObjectKey pod) {
        return new Key(TYPE, pod);
    }

    @Override
    public String name() {
        return "pod-lifecycle";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.POD, Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM);
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
        if (change.origin() == Origin.WATCH) {
            mailbox.inputChanged(key(change.key()));
        } else {
            mailbox.recheck(key(change.key()));
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        return situation
                .caches()
                .get(Kinds.POD, key.object())
                .filter(pod -> pod.spec().nodeName().equals(config.node().name()))
                .map(pod -> (pod.metadata().isDeleting() ? end(pod) : run(pod, situation))
                        .concerning(Concern.of(
                                Kinds.POD,
                                pod,
                                pod.metadata().isDeleting() ? "PodDeletionWaits" : "PodStartWaits",
                                "kubelet")))
                .orElse(Decision.nothing());
    }

    private Decision end(Pod pod) {
        if (!records.of(pod.metadata().uid()).isEmpty()) {
            return Decision.nothing(); // Something is or may be mounted for it; the record's end wakes this key.
        }
        boolean waitsForFinalizers = pod.metadata()
                        .deletionGracePeriodSeconds()
                        .filter(grace -> grace == 0)
                        .isPresent()
                && !pod.metadata().finalizers().isEmpty();
        if (waitsForFinalizers) {
            // Asked for already; others hold it.
            return Decision.nothing()
                    .waitingFor("the finalizers "
                            + String.join(", ", pod.metadata().finalizers()) + " are still on the pod");
        }
        DeleteOptions now = DeleteOptions.ofUid(pod.metadata().uid()).withGracePeriodSeconds(0);
        return Decision.act(new Effect.Delete<>(AgentOperations.END_POD, Kinds.POD, ObjectKey.of(pod), now));
    }

    private Decision run(Pod pod, Situation situation) {
        List<WantedVolume> wanted = WantedVolume.of(pod, plugins);
        boolean published = wanted.stream().allMatch(volume -> isPublished(pod, volume));
        if (pod.status().phase() != PodPhase.PENDING || !published) {
            return Decision.nothing();
        }
        Set<String> growing = new TreeSet<>();
        for (WantedVolume volume : wanted) {
            records.of(pod.metadata().uid(), volume.name())
                    .map(Publish::volume)
                    .filter(name -> growth.isOutstanding(name, situation.caches()))
                    .ifPresent(growing::add);
        }
        return growing.isEmpty()
                ? begin(pod, situation.now().wall())
                : Decision.remember(new WaitingForSize(growing))
                        .waitingFor(
                                "the file system of volume " + String.join(", ", growing) + " is made larger first");
    }

    @Override
    public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        before.map(WaitingForSize.class::cast)
                .ifPresent(waited -> waited.volumes().forEach(volume -> waitingForSize.remove(volume, key)));
        after.map(WaitingForSize.class::cast)
                .ifPresent(waits -> waits.volumes().forEach(volume -> waitingForSize.add(volume, key)));
    }

    private static Decision begin(Pod pod, Instant now) {
        List<Condition> conditions = pod.status().conditions();
        for (String type : CONDITIONS) {
            conditions = Conditions.with(conditions, type, ConditionStatus.TRUE, "", "", now);
        }
        PodStatus status = pod.status();
        Pod running = pod.withStatus(status.withPhase(PodPhase.RUNNING)
                .withConditions(conditions)
                .withStartTime(status.startTime().or(() -> Optional.of(now)))
                .withInitContainerStatuses(notRun(pod.spec().initContainers(), status.initContainerStatuses()))
                .withContainerStatuses(notRun(pod.spec().containers(), status.containerStatuses())));
        return Decision.act(new Effect.UpdateStatus<>(AgentOperations.RUN_POD, Kinds.POD, new Change<>(pod, running)));
    }

    /** Clients see that the pod counts as ready, and why no container runs. What another program reports of containers that it runs stays. */
    private static List<ContainerStatus> notRun(List<Container> containers, List<ContainerStatus> reported) {
        return !reported.isEmpty()
                ? reported
                : containers.stream()
                        .map(each -> new ContainerStatus(each.name(), NOT_RUN, true, each.image()))
                        .toList();
    }

    private boolean isPublished(Pod pod, WantedVolume volume) {
        Optional<Publish> record = records.of(pod.metadata().uid(), volume.name());
        return record.filter(entry ->
                        entry.phase() == RecordPhase.DONE && entry.bootId().equals(config.bootId()))
                .isPresent();
    }
}
