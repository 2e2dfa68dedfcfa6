// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.ResourceRequirements;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.PublishRequestBuilder;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.content.ContentChanges;
import dev.mooring.volumemanager.content.ContentVolumes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps what published volumes show of the cluster's objects up to date (semantics/attach-and-mount §3.14). Only volumes whose record says
 * DONE are refreshed; a refresh and the undo exclude each other by their target. A refresh that fails is repeated and never takes away
 * what is shown (#121271).
 */
public final class ContentRefresh extends NodeController {
    private static final String TYPE = "pod-content";

    private final PluginRegistry plugins;
    private final NodeRecords records;
    private final Map<String, Long> versions = new HashMap<>();

    public ContentRefresh(NodeConfig config, PluginRegistry plugins, NodeRecords records, ContentChanges news) {
        super(config);
        this.plugins = plugins;
        this.records = records;
        news.listen(this::changed);
        // news that came while the volume was being published may be newer than what that publish has read; and what is
        // known of a
        // volume that has gone is forgotten
        records.onPublish(record -> {
            if (isContent(record)) {
                recheck(keyOf(record));
            }
        });
    }

    private boolean isContent(Publish record) {
        return plugins.named(record.volumeId().plugin())
                .filter(ContentVolumes.class::isInstance)
                .isPresent();
    }

    private static Key keyOf(Publish record) {
        return new Key(TYPE, ObjectKey.of(record.pod().uid(), record.podVolume()));
    }

    private void changed(String podUid) {
        if (records.of(podUid).isEmpty()) {
            return; // what is published later reads what is there then
        }
        versions.merge(podUid, 1L, Long::sum);
        for (Publish record : records.of(podUid)) {
            if (isContent(record)) {
                inputChanged(keyOf(record));
            }
        }
    }

    @Override
    public String name() {
        return "pod-content";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.POD);
    }

    /** What happened while no agent ran is not known, and nothing is followed yet. */
    @Override
    public void started(Mailbox mailbox) {
        super.started(mailbox);
        records.all().stream()
                .filter(this::isContent)
                .map(record -> record.pod().uid())
                .distinct()
                .toList()
                .forEach(this::changed);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        ObjectChange<Pod> pod = change.as(Kinds.POD);
        String uid = pod.latest().metadata().uid();
        if (pod.after().isEmpty()) {
            versions.remove(uid);
            return;
        }
        boolean shownFieldsDiffer = pod.before().isPresent()
                && !pod.before()
                        .map(ContentRefresh::shownFields)
                        .equals(pod.after().map(ContentRefresh::shownFields));
        if (shownFieldsDiffer
                && pod.latest().spec().nodeName().equals(config.node().name())) {
            changed(uid);
        }
    }

    private static List<Object> shownFields(Pod pod) {
        List<Optional<ResourceRequirements>> resources = Stream.concat(
                        pod.spec().containers().stream(), pod.spec().initContainers().stream())
                .map(Container::resources)
                .toList();
        return List.of(pod.metadata().labels(), pod.metadata().annotations(), resources);
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        ContentRefreshState known =
                learn(state.map(ContentRefreshState.class::cast).orElse(ContentRefreshState.FIRST), situation);
        Optional<Publish> record =
                records.of(key.object().namespace(), key.object().name());
        if (record.isEmpty()) {
            return Decision.nothing();
        }
        long wanted = versions.getOrDefault(key.object().namespace(), 0L);
        Optional<Pod> pod = podOf(record.get(), situation.caches());
        if (!isPublished(record.get())
                || wanted <= known.shown()
                || pod.isEmpty()
                || pod.get().hasEnded()) {
            return known.equals(ContentRefreshState.FIRST) ? Decision.nothing() : Decision.remember(known);
        }
        return refresh(record.get(), pod.get(), known.starting(wanted), situation)
                .and(failure(pod.get(), situation))
                .concerning(Concerned.pod(record.get().pod(), Concerned.FAILED_MOUNT));
    }

    private static ContentRefreshState learn(ContentRefreshState state, Situation situation) {
        return situation
                        .resultOf(AgentOperations.REFRESH)
                        .filter(EffectResult::succeeded)
                        .isPresent()
                ? state.refreshed()
                : state;
    }

    private Decision refresh(Publish record, Pod pod, ContentRefreshState state, Situation situation) {
        Optional<VolumeSpec> spec = pod.spec().volumes().stream()
                .filter(volume -> volume.name().equals(record.podVolume()))
                .findFirst()
                .flatMap(PodVolume::source)
                .map(source ->
                        VolumeSpec.inline(record.podVolume(), record.pod().namespace(), source));
        if (spec.isEmpty()) {
            return Decision.remember(state);
        }
        PublishRequest request = PublishRequestBuilder.builder()
                .volume(spec.get())
                .pod(record.pod())
                .target(record.target())
                .occasion(Occasion.REPUBLISH)
                .build();
        Effect publish = new Effect.Perform(
                AgentOperations.REFRESH,
                new PublishCall(config.node(), record, request),
                Optional.of(new Target("path", record.target().toString())),
                Defaults.MOUNT_TIME_LIMIT);
        return RecordLife.held(state, List.of(publish), situation);
    }

    private static List<Effect> failure(Pod pod, Situation situation) {
        return situation
                .resultOf(AgentOperations.REFRESH)
                .filter(result -> !result.succeeded())
                .map(result ->
                        List.of(Announcement.warning(Kinds.POD, pod, "FailedMount", result.message(), "kubelet")))
                .orElse(List.of());
    }
}
