// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What administrators do who can wait no longer: they take the finalizers from a claim or volume that does not go, and say of an attachment
 * to a machine that is down, as one to be detached.
 */
final class DesperateActs extends ScenesInARow {
    private static final int POD = 3;

    private final List<String> nodes;
    private final Ingredients ingredients;
    private String node = "";

    DesperateActs(List<String> nodes, Ingredients ingredients) {
        this.nodes = List.copyOf(nodes);
        this.ingredients = ingredients;
    }

    @Override
    List<ActSource> scenes(Chance chance) {
        return switch (chance.below(5)) {
            case 0, 1 -> List.of(DesperateActs::usedClaimGoes, DesperateActs::strippedClaim);
            case 2 -> List.of(DesperateActs::hadVolumeGoes, DesperateActs::strippedVolume);
            case 3 -> List.of(DesperateActs::strippedVolume, DesperateActs::strippedClaim);
            default -> List.of(this::use, this::pod, this::machineStops, this::podGoes, DesperateActs::forced);
        };
    }

    private static Optional<Act> usedClaimGoes(Chance chance, WorldView world) {
        List<ObjectKey> used = world.pods().stream()
                .flatMap(pod -> pod.spec().volumes().stream()
                        .flatMap(volume -> volume.claimName(pod.metadata().name()).stream())
                        .map(claim -> ObjectKey.of(pod.metadata().namespace(), claim)))
                .distinct()
                .toList();
        return Scenes.any(chance, used)
                .map(claim -> Scenes.paused(
                        chance,
                        Act.delete(Scenes.CLAIM, claim.namespace(), claim.name(), false),
                        Duration.ofSeconds(10)));
    }

    private static Optional<Act> hadVolumeGoes(Chance chance, WorldView world) {
        return Scenes.any(
                        chance,
                        world.volumes().stream()
                                .filter(volume -> volume.spec().claimRef().isPresent())
                                .toList())
                .map(volume -> Scenes.paused(
                        chance,
                        Act.delete(Scenes.VOLUME, "", volume.metadata().name(), false),
                        Duration.ofSeconds(10)));
    }

    private static Optional<Act> strippedClaim(Chance chance, WorldView world) {
        return Scenes.any(
                        chance,
                        world.claims().stream().filter(DesperateActs::stays).toList())
                .map(claim -> stripped(chance, Scenes.CLAIM, claim));
    }

    private static Optional<Act> strippedVolume(Chance chance, WorldView world) {
        return Scenes.any(
                        chance,
                        world.volumes().stream().filter(DesperateActs::stays).toList())
                .map(volume -> stripped(chance, Scenes.VOLUME, volume));
    }

    private static boolean stays(KubernetesObject object) {
        return object.metadata().isDeleting();
    }

    private static Act stripped(Chance chance, String kind, KubernetesObject object) {
        return Scenes.paused(
                chance,
                Act.patch(
                        kind,
                        object.metadata().namespace(),
                        object.metadata().name(),
                        false,
                        Texts.map("metadata", Texts.map("finalizers", JsonNull.NULL))),
                Duration.ofSeconds(10));
    }

    private Optional<Act> use(Chance chance, WorldView world) {
        node = chance.pick(nodes);
        return Optional.of(Scenes.pair(Scenes.LONE, "ReadWriteOnce", false, ingredients.source(Scenes.LONE)));
    }

    private Optional<Act> pod(Chance chance, WorldView world) {
        return Optional.of(Scenes.pod(POD, node, "alpha-data-" + Scenes.LONE).thenAdvance(Duration.ofSeconds(10)));
    }

    private Optional<Act> machineStops(Chance chance, WorldView world) {
        return Optional.of(Act.fault(FaultClass.MACHINES, node + " goes down", Texts.map("stop", "node/" + node))
                .thenAdvance(Duration.ofMinutes(1)));
    }

    private Optional<Act> podGoes(Chance chance, WorldView world) {
        return Optional.of(Act.delete("Pod", Scenes.NAMESPACE, "alpha-pod-" + POD, true)
                .thenAdvance(chance.pick(Duration.ofSeconds(1), Duration.ofMinutes(1))));
    }

    /** Only for volumes that no pod there wants any more: otherwise a volume could get two writers. */
    private static Optional<Act> forced(Chance chance, WorldView world) {
        return Scenes.any(
                        chance,
                        world.attachments().stream()
                                .filter(slot -> !slot.spec().attacher().equals(Texts.FAR))
                                .filter(slot -> !world.isUp(slot.spec().nodeName()) && !isWanted(world, slot))
                                .toList())
                .map(slot -> Scenes.paused(chance, force(slot), Duration.ofSeconds(10)));
    }

    private static boolean isWanted(WorldView world, VolumeAttachment slot) {
        String volume = slot.spec().source().persistentVolumeName().orElse("");
        return world.pods().stream()
                .filter(pod -> pod.spec().nodeName().equals(slot.spec().nodeName()))
                .anyMatch(pod -> names(world, pod, volume));
    }

    private static boolean names(WorldView world, Pod pod, String volume) {
        return world.claims().stream()
                .filter(claim -> claim.spec().volumeName().equals(volume))
                .filter(claim ->
                        claim.metadata().namespace().equals(pod.metadata().namespace()))
                .anyMatch(claim -> pod.spec().volumes().stream()
                        .anyMatch(each -> each.claimName(pod.metadata().name())
                                .filter(claim.metadata().name()::equals)
                                .isPresent()));
    }

    private static Act force(VolumeAttachment slot) {
        Map<String, Object> word = Texts.map("mooring.dev/force-detach", "an operator: the machine is off");
        return Act.patch(
                "VolumeAttachment",
                "",
                slot.metadata().name(),
                false,
                Texts.map("metadata", Texts.map("annotations", word)));
    }
}
