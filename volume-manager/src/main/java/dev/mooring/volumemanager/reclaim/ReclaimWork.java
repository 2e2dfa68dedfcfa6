// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.reclaim;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.ReclaimOnNodeCall;
import dev.mooring.volumemanager.calls.ReclaimOnNodeCall.Work;
import dev.mooring.volumemanager.control.AgentOperations;
import java.util.List;
import java.util.Optional;

/** Empty or destroy the storage of a released volume, if nothing on this node uses it (semantics/plugins §2.8 R1–R3). */
final class ReclaimWork implements NodeWork {
    private final NodeConfig config;
    private final PluginRegistry plugins;
    private final Overlaps overlaps;

    ReclaimWork(NodeConfig config, PluginRegistry plugins, Overlaps overlaps) {
        this.config = config;
        this.plugins = plugins;
        this.overlaps = overlaps;
    }

    @Override
    public String intentKey() {
        return Annotations.RECLAIMING;
    }

    @Override
    public String nodeKey() {
        return NodeIntent.RECLAIM_ON;
    }

    @Override
    public String resultKey() {
        return NodeIntent.RECLAIM_RESULT;
    }

    @Override
    public List<Effect> proofs(PersistentVolume volume) {
        return List.of(new Effect.Read<>(
                AgentOperations.CHECK_VOLUME,
                Kinds.PERSISTENT_VOLUME,
                ObjectKey.cluster(volume.metadata().name())));
    }

    @Override
    public Outcome<Effect.Perform> check(PersistentVolume volume, String claimUid, Caches caches) {
        Optional<Work> work = workOf(volume);
        if (work.isEmpty()) {
            return Outcome.refused(
                    Refusal.INVALID,
                    "reclaim policy "
                            + volume.spec().persistentVolumeReclaimPolicy().wireName() + " asks for nothing");
        }
        if (!isReleasedBy(volume, claimUid)) {
            // The mark is of another time than the claim reference or the phase: R1 does not hold.
            return Outcome.deferred("the volume is not released by the claim that the mark names");
        }
        if (work.get() == Work.RECYCLE && volume.metadata().isDeleting()) {
            return Outcome.refused(Refusal.INVALID, "the volume is being deleted");
        }
        Optional<VolumeSpec> spec = VolumeSpec.of(volume);
        if (spec.isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "the volume has no source");
        }
        return pluginFor(volume, spec.get(), work.get())
                .map(plugin -> check(volume, spec.get(), plugin, work.get(), caches))
                .orElseGet(() -> Outcome.refused(
                        Refusal.UNSUPPORTED,
                        "node " + config.node().name() + " has no plugin that can " + wordOf(work.get())
                                + " the volume"));
    }

    private Outcome<Effect.Perform> check(
            PersistentVolume volume, VolumeSpec spec, StoragePlugin plugin, Work work, Caches caches) {
        List<FieldProblem> problems = PluginRegistry.problems(plugin, spec.source());
        if (!problems.isEmpty()) {
            return Outcome.refused(Refusal.INVALID, problems.get(0).toString());
        }
        VolumeId id = plugin.identify(spec.source());
        long pods = overlaps.published(volume, id);
        if (pods > 0) {
            return Outcome.deferred("published to " + pods + (pods == 1 ? " pod" : " pods") + " on this node");
        }
        if (overlaps.staged(volume, id)) {
            return Outcome.deferred("still in use on this node");
        }
        Optional<String> other = overlaps.otherVolume(volume, id, caches);
        if (other.isPresent()) {
            return Outcome.refused(Refusal.IN_USE, "its storage overlaps that of volume " + other.get());
        }
        if (overlaps.inlineInPod(id, caches)) {
            return Outcome.refused(Refusal.IN_USE, "its storage overlaps a volume written in a pod on this node");
        }
        return Outcome.done(new Effect.Perform(
                AgentOperations.PERFORM,
                new ReclaimOnNodeCall(config.node(), plugin.describe().name(), work, spec),
                Optional.of(new Target(id.plugin().value(), id.backend())),
                Defaults.RECLAIM_TIME_LIMIT));
    }

    private static boolean isReleasedBy(PersistentVolume volume, String claimUid) {
        PersistentVolumePhase phase = volume.status().phase();
        boolean released = phase == PersistentVolumePhase.RELEASED || phase == PersistentVolumePhase.FAILED;
        return released
                && volume.spec()
                        .claimRef()
                        .filter(ref -> ref.uid().equals(claimUid))
                        .isPresent();
    }

    private static Optional<Work> workOf(PersistentVolume volume) {
        ReclaimPolicy policy = volume.spec().persistentVolumeReclaimPolicy();
        return policy == ReclaimPolicy.DELETE
                ? Optional.of(Work.DELETE)
                : policy == ReclaimPolicy.RECYCLE ? Optional.of(Work.RECYCLE) : Optional.empty();
    }

    /** Who made a volume destroys it, else who serves its source (semantics/binder §1.9). */
    private Optional<StoragePlugin> pluginFor(PersistentVolume volume, VolumeSpec spec, Work work) {
        if (work == Work.RECYCLE) {
            return plugins.serving(spec.source())
                    .filter(plugin -> plugin.capability(Recycling.class).isPresent());
        }
        return volume.metadata()
                .annotation(Annotations.PROVISIONED_BY)
                .map(plugins::named)
                .orElseGet(() -> plugins.serving(spec.source()))
                .filter(plugin -> plugin.capability(Deleting.class).isPresent());
    }

    private static String wordOf(Work work) {
        return work == Work.DELETE ? "delete" : "recycle";
    }
}
