// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.RecycleCall;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.DeleteOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** syncVolume and reclaiming (semantics/binder §1.6, §1.9), without migration. */
final class PeerVolumes {
    private static final String LOOK = "look-claim";
    private static final String GET = "get-volume";
    private static final String FINISH = "finish-delete";
    private static final String CALL = "reclaim";

    private final PluginRegistry plugins;
    private final Set<OldRule> old;
    private final Consumer<ObjectKey> wakeClaim;

    PeerVolumes(PluginRegistry plugins, Set<OldRule> old, Consumer<ObjectKey> wakeClaim) {
        this.plugins = plugins;
        this.old = old;
        this.wakeClaim = wakeClaim;
    }

    /** What is done next, given what came of what was done last. */
    List<Effect> sync(PersistentVolume volume, Situation situation, boolean claimsListed) {
        Optional<EffectResult> called = situation.resultOf(CALL);
        if (called.isPresent()) {
            return called.get().succeeded()
                    ? reclaimed(volume)
                    : failed(volume, called.get().message());
        }
        if (situation.resultOf(FINISH).isPresent()) {
            return List.of(remove(volume));
        }
        if (situation.resultOf("unbind").isPresent()) {
            return show(volume, PersistentVolumePhase.AVAILABLE);
        }
        Optional<Effect> kept = keep(volume);
        if (kept.isPresent()) {
            return List.of(kept.get());
        }
        Optional<ObjectReference> ref =
                volume.spec().claimRef().filter(found -> !found.uid().isEmpty());
        if (ref.isEmpty()) {
            return show(volume, PersistentVolumePhase.AVAILABLE); // SV1, SV2
        }
        ObjectKey key = ObjectKey.of(ref.get().namespace(), ref.get().name());
        Optional<PersistentVolumeClaim> claim = situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME_CLAIM, key)
                .filter(found ->
                        claimsListed && found.metadata().uid().equals(ref.get().uid()));
        if (claim.isPresent()) {
            return claimed(volume, claim.get());
        }
        boolean known = volume.status().phase() == PersistentVolumePhase.RELEASED
                || volume.status().phase() == PersistentVolumePhase.FAILED;
        if (!known && claimsListed && situation.resultOf(LOOK).isEmpty()) {
            return List.of(new Effect.Read<>(LOOK, Kinds.PERSISTENT_VOLUME_CLAIM, key)); // SV3, SV4
        }
        return released(volume, known, claimsListed, situation); // SV5
    }

    /** SV0: a finalizer keeps a volume that was provisioned here until its storage is destroyed. */
    private Optional<Effect> keep(PersistentVolume volume) {
        boolean made = volume.metadata()
                .annotation(Annotations.PROVISIONED_BY)
                .flatMap(plugins::named)
                .isPresent();
        boolean wanted = volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE;
        boolean there = volume.metadata().hasFinalizer(Finalizers.PV_CONTROLLER);
        if (!made
                || wanted == there
                || volume.metadata().isDeleting()
                || old.contains(OldRule.NOTHING_KEEPS_A_VOLUME)) {
            return Optional.empty();
        }
        return Optional.of(PeerWrites.update(
                "set-finalizers",
                volume,
                volume.withMetadata(
                        wanted
                                ? volume.metadata().withFinalizer(Finalizers.PV_CONTROLLER)
                                : volume.metadata().withoutFinalizer(Finalizers.PV_CONTROLLER))));
    }

    /** SV6 to SV8. */
    private List<Effect> claimed(PersistentVolume volume, PersistentVolumeClaim claim) {
        String name = claim.spec().volumeName();
        if (name.isEmpty() && PeerClaims.sameMode(volume, claim)) {
            wakeClaim.accept(ObjectKey.of(claim));
            return List.of();
        }
        if (name.isEmpty()) {
            String message = "Cannot bind: incompatible volumeMode";
            return old.contains(OldRule.MODES_ARE_NOT_TOLD)
                    ? List.of()
                    : List.of(
                            PeerClaims.warning(claim, "VolumeMismatch", message),
                            warning(volume, "VolumeMismatch", message));
        }
        return name.equals(volume.metadata().name())
                ? show(volume, PersistentVolumePhase.BOUND)
                : List.of(PeerWrites.unbind(volume));
    }

    // ---- reclaiming ----

    private List<Effect> released(PersistentVolume volume, boolean known, boolean claimsListed, Situation situation) {
        if (!known) {
            return show(volume, PersistentVolumePhase.RELEASED);
        }
        ReclaimPolicy policy = volume.spec().persistentVolumeReclaimPolicy();
        boolean lost = volume.metadata().isDeleting() && old.contains(OldRule.NOTHING_KEEPS_A_VOLUME);
        if (policy == ReclaimPolicy.RETAIN || lost) {
            return List.of();
        }
        boolean looks = !old.contains(OldRule.RELEASED_BY_NAME);
        Optional<EffectResult> looked = situation.resultOf(GET);
        if (looks && looked.isEmpty()) {
            return List.of(new Effect.Read<>(
                    GET,
                    Kinds.PERSISTENT_VOLUME,
                    ObjectKey.cluster(volume.metadata().name())));
        }
        boolean gone = looks && !looked.orElseThrow().succeeded();
        if (gone || (claimsListed && !isReleased(volume, situation.caches()))) {
            return List.of();
        }
        if (policy == ReclaimPolicy.DELETE && plugin(volume).isEmpty()) {
            // another program's, which is found out after the read (#118545)
            return isSought(volume) ? failed(volume, "no volume plugin matched") : List.of();
        }
        return policy == ReclaimPolicy.RECYCLE ? scrub(volume, situation.caches()) : destroy(volume);
    }

    /** Asked of the cache alone. */
    private static boolean isReleased(PersistentVolume volume, Caches caches) {
        Optional<ObjectReference> ref =
                volume.spec().claimRef().filter(found -> !found.uid().isEmpty());
        return ref.isPresent()
                && caches.get(
                                Kinds.PERSISTENT_VOLUME_CLAIM,
                                ObjectKey.of(ref.get().namespace(), ref.get().name()))
                        .filter(claim -> claim.metadata().uid().equals(ref.get().uid()))
                        .isEmpty();
    }

    private Optional<StoragePlugin> plugin(PersistentVolume volume) {
        boolean recycles = volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.RECYCLE;
        return volume.metadata()
                .annotation(Annotations.PROVISIONED_BY)
                .flatMap(plugins::named)
                .or(() -> volume.spec().source().flatMap(plugins::serving))
                .filter(found -> recycles
                        ? found.capability(Recycling.class).isPresent()
                        : found.capability(Deleting.class).isPresent());
    }

    private boolean isSought(PersistentVolume volume) {
        boolean csi = volume.spec()
                .source()
                .filter(source -> source.type().equals("csi"))
                .isPresent();
        boolean byHand =
                volume.metadata().annotation(Annotations.PROVISIONED_BY).isEmpty();
        return byHand && (!csi || old.contains(OldRule.CSI_IS_SOUGHT_AMONG_PLUGINS));
    }

    private List<Effect> destroy(PersistentVolume volume) {
        return List.of(perform(new DeleteCall(
                plugin(volume).orElseThrow().describe().name(),
                VolumeSpec.of(volume).orElseThrow())));
    }

    /** The pod that scrubs has a known name; what it does is one call here. */
    private List<Effect> scrub(PersistentVolume volume, Caches caches) {
        Optional<Pod> pod = caches.get(
                Kinds.POD,
                ObjectKey.of("default", "recycler-for-" + volume.metadata().name()));
        if (pod.isPresent() && old.contains(OldRule.ANY_SCRUBBER_IS_BELIEVED)) {
            return pod.get().status().phase() == PodPhase.SUCCEEDED
                    ? reclaimed(volume)
                    : failed(volume, "the recycler failed");
        }
        return List.of(perform(new RecycleCall(
                plugin(volume).orElseThrow().describe().name(),
                VolumeSpec.of(volume).orElseThrow())));
    }

    private static Effect perform(Call call) {
        return new Effect.Perform(CALL, call, Optional.empty(), Defaults.RECLAIM_TIME_LIMIT);
    }

    private static List<Effect> reclaimed(PersistentVolume volume) {
        if (volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.RECYCLE) {
            return List.of(PeerWrites.unbind(volume));
        }
        return volume.metadata().hasFinalizer(Finalizers.PV_CONTROLLER)
                ? List.of(PeerWrites.update(
                        FINISH,
                        volume,
                        volume.withMetadata(volume.metadata().withoutFinalizer(Finalizers.PV_CONTROLLER))))
                : List.of(remove(volume));
    }

    private static Effect remove(PersistentVolume volume) {
        return new Effect.Delete<>("remove", Kinds.PERSISTENT_VOLUME, ObjectKey.of(volume), DeleteOptions.DEFAULT);
    }

    private static List<Effect> failed(PersistentVolume volume, String message) {
        List<Effect> effects = new ArrayList<>(PeerWrites.phase(volume, PersistentVolumePhase.FAILED, message).stream()
                .toList());
        if (!effects.isEmpty()) {
            effects.add(warning(volume, "VolumeFailedDelete", message));
        }
        return effects;
    }

    private static List<Effect> show(PersistentVolume volume, PersistentVolumePhase phase) {
        return PeerWrites.phase(volume, phase, "").stream().toList();
    }

    private static Effect warning(PersistentVolume volume, String reason, String message) {
        return Announcement.warning(Kinds.PERSISTENT_VOLUME, volume, reason, message, PeerClaims.COMPONENT);
    }
}
