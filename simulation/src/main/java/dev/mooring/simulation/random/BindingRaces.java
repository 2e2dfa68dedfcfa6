// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Races about claims, volumes, and the storage behind them. */
final class BindingRaces {
    private BindingRaces() {}

    /** A user ties a free volume to a claim while the binder gives it to another claim. */
    static List<ActSource> takenUnderItsNose() {
        return List.of(
                (chance, world) -> Scenes.hold(chance, "controllers", chance.pick(Scenes.VOLUME, Scenes.CLAIM)),
                (chance, world) ->
                        Optional.of(Scenes.claim(chance, "", Texts.map()).thenWork(chance.below(4))),
                (chance, world) -> Scenes.any(
                                chance,
                                world.volumes().stream()
                                        .filter(volume ->
                                                volume.spec().claimRef().isEmpty())
                                        .toList())
                        .map(volume -> Scenes.tie(volume, Scenes.NAMESPACE, "alpha-data-9", "")
                                .thenWork(chance.below(6))),
                (chance, world) -> Scenes.release(chance, "controllers"));
    }

    /** A claim, and a volume tied to it by name and uid, of which the cache knows only the volume. */
    static List<ActSource> claimUnheardOf() {
        return List.of(
                (chance, world) -> Optional.of(Act.apply(Texts.volume(
                        "vol-" + Scenes.SHARED,
                        "3Gi",
                        "ReadWriteMany",
                        chance.pick("Delete", "Recycle", "Recycle"),
                        true,
                        Texts.map()))),
                (chance, world) -> Scenes.hold(chance, "controllers", Scenes.CLAIM),
                (chance, world) -> Optional.of(Act.apply(Texts.claim(
                                Scenes.NAMESPACE,
                                "alpha-data-8",
                                "1Gi",
                                "ReadWriteMany",
                                Texts.map("storageClassName", "", "volumeName", "vol-" + Scenes.SHARED)))
                        .thenWork(0)),
                (chance, world) -> world.find(
                                Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(Scenes.NAMESPACE, "alpha-data-8"))
                        .flatMap(claim -> world.find(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("vol-" + Scenes.SHARED))
                                .filter(volume -> volume.spec().claimRef().isEmpty())
                                .map(volume -> Scenes.tie(
                                        volume,
                                        Scenes.NAMESPACE,
                                        "alpha-data-8",
                                        claim.metadata().uid()))),
                (chance, world) -> chance.oneIn(2)
                        ? Optional.of(Act.delete(Scenes.VOLUME, "", "vol-" + Scenes.SHARED, false)
                                .thenAdvance(Duration.ofSeconds(10)))
                        : Optional.empty(),
                (chance, world) -> Scenes.release(chance, "controllers"));
    }

    /** The storage of a claim may have been made or not, and the claim goes, or its maker starts again. */
    static List<ActSource> storageInDoubt() {
        return List.of(
                (chance, world) -> Optional.of(Scenes.fault(
                        chance,
                        "provision",
                        "uncertain",
                        "uncertain-applied",
                        "uncertain-applied",
                        "hang",
                        "hang-applied",
                        "refused",
                        "crash-after")),
                (chance, world) -> Optional.of(
                        Scenes.paused(chance, Scenes.claim(chance, "sim", Texts.map()), Duration.ofSeconds(1))),
                (chance, world) -> Scenes.newest(world)
                        .map(claim -> Scenes.paused(
                                chance,
                                Act.delete(Scenes.CLAIM, Scenes.NAMESPACE, claim, false),
                                Duration.ofMinutes(1))),
                (chance, world) -> chance.oneIn(3)
                        ? Optional.of(Act.fault(
                                FaultClass.INTERMEDIATE_STATES,
                                "the controllers restart",
                                Texts.map("restart", "controllers")))
                        : Optional.empty());
    }

    /** The storage of a volume may have been destroyed or not. */
    static List<ActSource> destructionInDoubt() {
        return List.of(
                (chance, world) ->
                        Optional.of(Scenes.claim(chance, "sim", Texts.map()).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> Optional.of(Scenes.fault(
                        chance,
                        "delete",
                        "uncertain",
                        "uncertain-applied",
                        "refused",
                        "hang",
                        "hang-applied",
                        "in-use-elsewhere",
                        "deferred",
                        "crash-after")),
                (chance, world) -> Scenes.newest(world)
                        .map(claim -> Scenes.paused(
                                chance,
                                Act.delete(Scenes.CLAIM, Scenes.NAMESPACE, claim, false),
                                Duration.ofSeconds(10))),
                (chance, world) -> Scenes.any(
                                chance,
                                world.volumes().stream()
                                        .filter(BindingRaces::isProvisioned)
                                        .toList())
                        .filter(volume -> chance.oneIn(3))
                        .map(volume -> Act.patch(
                                Scenes.VOLUME,
                                "",
                                volume.metadata().name(),
                                false,
                                Texts.map(
                                        "spec",
                                        Texts.map("persistentVolumeReclaimPolicy", chance.pick("Retain", "Delete"))))));
    }

    /** A user removes finalizers by hand from an object that is not being deleted. */
    static List<ActSource> bared() {
        return List.of(
                (chance, world) ->
                        Optional.of(Scenes.claim(chance, "sim", Texts.map()).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> Scenes.any(
                                chance,
                                world.volumes().stream()
                                        .filter(BindingRaces::isProvisioned)
                                        .toList())
                        .map(volume -> Act.patch(
                                        Scenes.VOLUME,
                                        "",
                                        volume.metadata().name(),
                                        false,
                                        Texts.map("metadata", Texts.map("finalizers", JsonNull.NULL)))
                                .thenAdvance(Duration.ofSeconds(1))));
    }

    private static boolean isProvisioned(PersistentVolume volume) {
        return volume.metadata().name().startsWith("pvc-") && !volume.metadata().isDeleting();
    }
}
