// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import java.util.List;
import java.util.Optional;

/** Planted bugs of what becomes of volumes and claims in the end: reclaiming and protection. */
final class ReclaimingMutants {
    private static final String BINDER = "binder";

    private ReclaimingMutants() {}

    static List<Mutant> reclaiming() {
        return List.of(
                Mutant.skipped(BINDER, "mark-reclaiming"),
                Mutant.effect(BINDER, "destroys before it marks", "mark-reclaiming", ReclaimingMutants::destroyed),
                Mutant.uncertainIsDone(BINDER, "delete", Nothing.NOTHING),
                Mutant.refusedIsDone(BINDER, "delete"),
                Mutant.refusedIsDone(BINDER, "recycle"),
                Mutant.uncertainIsDone(BINDER, "recycle", Nothing.NOTHING),
                Mutant.effect(BINDER, "destroys nothing", "mark-reclaiming", (effect, situation) -> List.of()),
                Mutant.fromCache(BINDER, "confirm-claim"),
                Mutant.skipped(BINDER, "finish-delete"),
                Mutant.skipped(BINDER, "delete-volume"),
                Mutant.skipped(BINDER, "set-finalizers"),
                Mutant.effect(BINDER, "frees a volume that was used", "show-volume-phase", ReclaimingMutants::freed),
                Mutant.skipped(BINDER, "unbind"),
                Mutant.deaf(
                        BINDER, "takes storage from below nodes", change -> change.concerns(Kinds.VOLUME_ATTACHMENT)));
    }

    static List<Mutant> protecting() {
        return List.of(
                Mutant.skipped("pvc-protection", "release"),
                Mutant.fromCache("pvc-protection", "list-pods"),
                Mutant.deaf(
                        "pvc-protection", "does not notice that pods go", change -> Mutant.isGone(change, Kinds.POD)),
                Mutant.deaf(
                        "ephemeral",
                        "does not notice that claims go",
                        change -> Mutant.isGone(change, Kinds.PERSISTENT_VOLUME_CLAIM)),
                Mutant.skipped("pv-protection", "release"),
                Mutant.fromCache("pv-protection", "confirm-claim"),
                Mutant.mistaken(
                        "pv-protection", "lets go what is being reclaimed", "volume", ReclaimingMutants::withoutMark),
                goesByThePhase());
    }

    /** As it is before its storage is touched, and not while. */
    static KubernetesObject withoutMark(KubernetesObject object) {
        return object instanceof PersistentVolume volume
                ? volume.withMetadata(volume.metadata().withoutAnnotation(Annotations.RECLAIMING))
                : object;
    }

    /** Kubernetes' rule: what is not shown Bound is not used (semantics/binder §7, D9). */
    private static Mutant goesByThePhase() {
        return new Mutant("pv-protection", "goes by the phase") {
            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                return situation
                        .caches()
                        .get(Kinds.PERSISTENT_VOLUME, key.object())
                        .filter(volume -> volume.metadata().isDeleting()
                                && volume.metadata().hasFinalizer(Finalizers.PV_PROTECTION)
                                && volume.status().phase() != PersistentVolumePhase.BOUND)
                        .map(volume -> Decision.act(new Effect.Update<>(
                                "release",
                                Kinds.PERSISTENT_VOLUME,
                                new Change<>(
                                        volume,
                                        volume.withMetadata(
                                                volume.metadata().withoutFinalizer(Finalizers.PV_PROTECTION))))))
                        .orElse(decision);
            }
        };
    }

    // ---- what is done instead ----

    private static List<Effect> destroyed(Effect effect, Situation situation) {
        if (effect instanceof Effect.Update<?> update && update.change().edited() instanceof PersistentVolume volume) {
            String plugin = volume.spec()
                            .source()
                            .filter(source -> source.type().equals("nfs"))
                            .isPresent()
                    ? "kubernetes.io/nfs"
                    : Texts.SIM;
            return VolumeSpec.of(volume)
                    .<List<Effect>>map(spec -> List.of(
                            new Effect.Perform(
                                    "planted",
                                    new DeleteCall(new PluginName(plugin), spec),
                                    Optional.empty(),
                                    Defaults.MOUNT_TIME_LIMIT),
                            effect))
                    .orElse(List.of(effect));
        }
        return List.of(effect);
    }

    /** Instead of saying that it is released, a volume is given free with what is on it. */
    private static List<Effect> freed(Effect effect, Situation situation) {
        if (effect instanceof Effect.UpdateStatus<?> update
                && update.change().edited() instanceof PersistentVolume volume
                && volume.status().phase() == PersistentVolumePhase.RELEASED
                && update.change().base() instanceof PersistentVolume base) {
            return List.of(new Effect.Update<>(
                    effect.operation(),
                    Kinds.PERSISTENT_VOLUME,
                    new Change<>(base, base.withSpec(base.spec().withClaimRef(Optional.empty())))));
        }
        return List.of(effect);
    }
}
