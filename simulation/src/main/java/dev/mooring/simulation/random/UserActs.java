// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What users do: few names, so that they come back; every so often what they had better not. */
final class UserActs implements ActSource {
    private static final List<String> NAMESPACES = List.of("alpha", "beta");
    private static final List<String> SIZES = List.of("1Gi", "2Gi", "3Gi");
    private static final List<String> MODES =
            List.of("ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany");
    private static final int NAMES = 5;

    /** A name is always the same storage: a user who changes what may be done with a disk in use gets what he asks for. */
    private static final List<String> VOLUME_MODES = List.of(
            "ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany", "ReadWriteMany", "ReadWriteOnce");

    private static final int NFS = 4;

    private final List<String> nodes;
    private final Ingredients ingredients;

    UserActs(List<String> nodes, Ingredients ingredients) {
        this.nodes = List.copyOf(nodes);
        this.ingredients = ingredients;
    }

    @Override
    public Optional<Act> next(Chance chance, WorldView world) {
        int die = chance.below(100);
        if (die < 14) {
            return Optional.of(newPair(chance, world));
        } else if (die < 24) {
            return Optional.of(Act.apply(claim(chance)));
        } else if (die < 32) {
            return Optional.of(Act.apply(volume(chance)));
        } else if (die < 60) {
            return newPod(chance, world);
        } else if (die < 78) {
            return endOfPod(chance, world);
        } else if (die < 90) {
            return deletion(chance, world);
        }
        return edit(chance, world);
    }

    private Act newPair(Chance chance, WorldView world) {
        String namespace = chance.pick(NAMESPACES);
        String name = namespace + "-data-" + chance.below(NAMES);
        int number = chance.below(VOLUME_MODES.size());
        String volume = "vol-" + number;
        String size = chance.pick(SIZES);
        boolean nfs = number == NFS;
        String mode = VOLUME_MODES.get(number);
        boolean tied = !chance.oneIn(2);
        // No user gives a claimed volume to another claim: see docs/operate/known-gaps.md, 7.
        boolean claimed = world.volumes().stream()
                .anyMatch(each -> each.metadata().name().equals(volume)
                        && each.spec().claimRef().isPresent());
        Map<String, Object> tie = ingredients.source(number);
        if (tied && !claimed) {
            tie.put("claimRef", Texts.map("namespace", namespace, "name", name));
        }
        Map<String, Object> wish = Texts.map("storageClassName", "");
        if (chance.oneIn(2)) {
            wish.put("volumeName", volume);
        }
        return Act.of(
                "a pair: " + volume + " and " + namespace + "/" + name,
                Texts.map(
                        "apply",
                        List.of(
                                Texts.volume(volume, size, mode, policy(chance, nfs), nfs, tie),
                                Texts.claim(namespace, name, size, mode, wish))));
    }

    private static String policy(Chance chance, boolean nfs) {
        return nfs ? chance.pick("Retain", "Delete", "Recycle") : "Retain";
    }

    private static Map<String, Object> claim(Chance chance) {
        String namespace = chance.pick(NAMESPACES);
        String name = namespace + "-data-" + chance.below(NAMES);
        Map<String, Object> more = Texts.map();
        if (!chance.oneIn(6)) {
            more.put("storageClassName", chance.pick("", "", "sim", "sim", "sim-later", "unknown"));
        }
        if (chance.oneIn(8)) {
            more.put("volumeName", "vol-" + chance.below(NAMES));
        }
        return Texts.claim(namespace, name, chance.pick(SIZES), chance.pick(MODES), more);
    }

    private Map<String, Object> volume(Chance chance) {
        int number = chance.below(VOLUME_MODES.size());
        boolean nfs = number == NFS;
        String policy = policy(chance, nfs);
        return Texts.volume(
                "vol-" + number, chance.pick(SIZES), VOLUME_MODES.get(number), policy, nfs, ingredients.source(number));
    }

    private Optional<Act> newPod(Chance chance, WorldView world) {
        List<PersistentVolumeClaim> claims = List.copyOf(world.claims());
        if (claims.isEmpty()) {
            return Optional.of(newPair(chance, world));
        }
        PersistentVolumeClaim first = chance.pick(claims);
        String namespace = first.metadata().namespace();
        List<String> names = new ArrayList<>(List.of(first.metadata().name()));
        if (chance.oneIn(4)) {
            claims.stream()
                    .map(PersistentVolumeClaim::metadata)
                    .filter(other -> other.namespace().equals(namespace) && !names.contains(other.name()))
                    .findFirst()
                    .ifPresent(other -> names.add(other.name()));
        }
        String node = chance.oneIn(3) ? "" : chance.pick(nodes);
        String name = namespace + "-pod-" + chance.below(2 * NAMES);
        return Optional.of(Act.apply(Texts.pod(namespace, name, node, names)));
    }

    private static Optional<Act> endOfPod(Chance chance, WorldView world) {
        return any(chance, world.pods()).map(pod -> {
            ObjectKey key = ObjectKey.of(pod);
            if (chance.oneIn(4) && running(pod)) {
                return Act.patch(
                        "Pod",
                        key.namespace(),
                        key.name(),
                        true,
                        Texts.map("status", Texts.map("phase", chance.pick("Succeeded", "Failed"))));
            }
            return Act.delete("Pod", key.namespace(), key.name(), chance.oneIn(5));
        });
    }

    private static boolean running(Pod pod) {
        return pod.status().phase() == PodPhase.RUNNING;
    }

    private static Optional<Act> deletion(Chance chance, WorldView world) {
        int die = chance.below(10);
        if (die < 5) {
            return any(chance, world.claims()).map(claim -> deletionOf("PersistentVolumeClaim", claim));
        } else if (die < 8) {
            return any(chance, world.volumes()).map(volume -> deletionOf("PersistentVolume", volume));
        }
        // To delete the attachment of an external attacher detaches it, also while it is in use.
        return any(
                        chance,
                        world.attachments().stream()
                                .filter(slot -> !slot.spec().attacher().equals(Texts.FAR))
                                .toList())
                .map(slot -> deletionOf("VolumeAttachment", slot));
    }

    private static Act deletionOf(String kind, KubernetesObject object) {
        return Act.delete(kind, object.metadata().namespace(), object.metadata().name(), false);
    }

    private static Optional<Act> edit(Chance chance, WorldView world) {
        return switch (chance.below(6)) {
            case 0, 1 ->
                any(chance, world.claims())
                        .map(claim -> patch(
                                claim,
                                Texts.map(
                                        "spec",
                                        Texts.map(
                                                "resources",
                                                Texts.map(
                                                        "requests",
                                                        Texts.map("storage", chance.pick("2Gi", "4Gi", "5Gi")))))));
            case 2 ->
                any(chance, world.volumes())
                        .map(volume -> patch(
                                volume,
                                Texts.map(
                                        "spec",
                                        Texts.map("persistentVolumeReclaimPolicy", chance.pick("Retain", "Delete")))));
            case 3 ->
                any(chance, world.volumes())
                        .map(volume -> patch(volume, Texts.map("spec", Texts.map("claimRef", JsonNull.NULL))));
            case 4 ->
                any(chance, world.volumes())
                        .filter(volume -> volume.spec().claimRef().isPresent())
                        .map(volume -> patch(
                                volume, Texts.map("spec", Texts.map("claimRef", Texts.map("uid", JsonNull.NULL)))));
            default ->
                any(chance, world.claims())
                        .map(claim -> patch(
                                claim,
                                Texts.map(
                                        "metadata",
                                        Texts.map(
                                                "annotations",
                                                Texts.map("pv.kubernetes.io/bind-completed", JsonNull.NULL)))));
        };
    }

    private static Act patch(PersistentVolumeClaim claim, Map<String, Object> merge) {
        ObjectKey key = ObjectKey.of(claim);
        return Act.patch("PersistentVolumeClaim", key.namespace(), key.name(), false, merge);
    }

    private static Act patch(PersistentVolume volume, Map<String, Object> merge) {
        return Act.patch("PersistentVolume", "", volume.metadata().name(), false, merge);
    }

    private static <T> Optional<T> any(Chance chance, Collection<T> all) {
        return all.isEmpty() ? Optional.empty() : Optional.of(chance.pick(List.copyOf(all)));
    }
}
