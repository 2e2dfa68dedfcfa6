// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeBindingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether a pod's volumes are in a node's zone and region, by the labels of both (semantics/binder §3.7). A function of the view. */
final class VolumeZoneFilter {
    static final String PLUGIN = "VolumeZone";
    static final String CONFLICT = "node(s) had no available volume zone";

    /** Each label in both spellings: the one that wins, and the older one. */
    private static final Map<String, String> OTHER_SPELLING = Map.of(
            "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone",
            "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
            "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region",
            "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");

    private VolumeZoneFilter() {}

    /** Why the pod cannot run anywhere; empty if it may. */
    static Optional<Rejection> ofPod(Pod pod, SchedulingView view) {
        return claims(pod).stream()
                .flatMap(claim -> volumeOf(claim, view).problem.stream())
                .findFirst()
                .map(problem -> Rejection.ofPod(PLUGIN, problem));
    }

    /** Why not; empty if the node is in reach. */
    static Optional<Rejection> check(Pod pod, Node node, SchedulingView view) {
        Map<String, String> labels = node.metadata().labels();
        boolean placed = OTHER_SPELLING.keySet().stream().anyMatch(labels::containsKey);
        boolean conflict = placed
                && claims(pod).stream()
                        .flatMap(claim -> volumeOf(claim, view).volume.stream())
                        .anyMatch(volume -> !isIn(volume, labels));
        return conflict ? Optional.of(Rejection.unresolvable(PLUGIN, CONFLICT)) : Optional.empty();
    }

    /** Ephemeral volumes are not looked at. */
    private static List<ObjectKey> claims(Pod pod) {
        return pod.spec().volumes().stream()
                .flatMap(volume -> volume.persistentVolumeClaimName().stream())
                .map(name -> ObjectKey.of(pod.metadata().namespace(), name))
                .toList();
    }

    private record Found(Optional<PersistentVolume> volume, Optional<String> problem) {
        static final Found SKIPPED = new Found(Optional.empty(), Optional.empty());

        static Found problem(String text) {
            return new Found(Optional.empty(), Optional.of(text));
        }
    }

    private static Found volumeOf(ObjectKey key, SchedulingView view) {
        if (key.name().isEmpty()) {
            return Found.problem("PersistentVolumeClaim had no name");
        }
        Optional<PersistentVolumeClaim> claim = view.claim(key);
        if (claim.isEmpty()) {
            return Found.problem("persistentvolumeclaim \"" + key.name() + "\" not found");
        }
        String name = claim.get().spec().volumeName();
        if (name.isEmpty()) {
            return unbound(claim.get(), view);
        }
        Optional<PersistentVolume> volume = view.volume(name);
        return volume.isEmpty()
                ? Found.problem("persistentvolume \"" + name + "\" not found")
                : new Found(volume, Optional.empty());
    }

    private static Found unbound(PersistentVolumeClaim claim, SchedulingView view) {
        String className = StorageClasses.nameOf(claim).orElse("");
        if (className.isEmpty()) {
            return Found.problem("PersistentVolumeClaim had no pv name and storageClass name");
        }
        Optional<StorageClass> storageClass = view.classOf(claim);
        if (storageClass.isEmpty()) {
            return Found.problem("storageclass.storage.k8s.io \"" + className + "\" not found");
        }
        Optional<VolumeBindingMode> mode = storageClass.get().volumeBindingMode();
        if (mode.isEmpty()) {
            return Found.problem("VolumeBindingMode not set for StorageClass \"" + className + "\"");
        }
        return mode.get() == VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER
                ? Found.SKIPPED
                : Found.problem("PersistentVolume had no name");
    }

    private static boolean isIn(PersistentVolume volume, Map<String, String> nodeLabels) {
        return volume.metadata().labels().entrySet().stream()
                .filter(label -> OTHER_SPELLING.containsKey(label.getKey()))
                .allMatch(label -> {
                    String other = OTHER_SPELLING.getOrDefault(label.getKey(), "");
                    String value = nodeLabels.getOrDefault(label.getKey(), nodeLabels.getOrDefault(other, ""));
                    return !value.isEmpty()
                            && List.of(label.getValue().split("__", -1)).contains(value);
                });
    }
}
