// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A volume that a pod needs before it can run (semantics/attach-and-mount §3.2). Names of one pod that mean one claim are one volume,
 * under the first of the names; it is read-only if one of them asks for it (S18).
 *
 * @param name its name in the pod
 * @param claim the claim; absent for an inline source
 * @param inline the source written in the pod; absent for a claim
 * @param ephemeral whether the claim was made for this pod, which then has to own it
 * @param readOnly whether the pod may not write
 * @param uses as what its containers use it; empty where the pod shows no container
 */
record WantedVolume(
        String name,
        Optional<ObjectKey> claim,
        Optional<VolumeSource> inline,
        boolean ephemeral,
        boolean readOnly,
        Set<VolumeMode> uses) {
    /** What the host makes itself, without a plugin. */
    private static final Set<String> HOST_PROVIDED = new LinkedHashSet<>(
            List.of("emptyDir", "configMap", "secret", "downwardAPI", "projected", "gitRepo", "image"));

    /** The volumes of a pod in their order: those that a container uses, or all where the pod shows no container. */
    static List<WantedVolume> of(Pod pod) {
        Optional<Map<String, Set<VolumeMode>>> used = usedByContainers(pod);
        Map<String, WantedVolume> bySource = new LinkedHashMap<>();
        for (PodVolume volume : pod.spec().volumes()) {
            if (used.filter(names -> !names.containsKey(volume.name())).isEmpty()) {
                Set<VolumeMode> uses =
                        used.map(names -> names.get(volume.name())).orElse(Set.of());
                of(pod, volume, uses)
                        .ifPresent(wanted -> bySource.merge(wanted.sameness(), wanted, WantedVolume::sharing));
            }
        }
        return List.copyOf(bySource.values());
    }

    private static Optional<WantedVolume> of(Pod pod, PodVolume volume, Set<VolumeMode> uses) {
        Optional<String> claimName = volume.claimName(pod.metadata().name());
        boolean named = volume.persistentVolumeClaimName().isPresent();
        if (claimName.isPresent()) {
            ObjectKey claim = ObjectKey.of(pod.metadata().namespace(), claimName.get());
            return Optional.of(new WantedVolume(
                    volume.name(), Optional.of(claim), Optional.empty(), !named, volume.claimReadOnly(), uses));
        }
        return volume.source()
                .filter(source -> !HOST_PROVIDED.contains(source.type()))
                .map(source -> new WantedVolume(
                        volume.name(), Optional.empty(), Optional.of(source), false, readOnly(source), uses));
    }

    private static boolean readOnly(VolumeSource source) {
        return source.attributes().at("readOnly").filter(Boolean.TRUE::equals).isPresent();
    }

    private static Optional<Map<String, Set<VolumeMode>>> usedByContainers(Pod pod) {
        List<Container> containers = Stream.of(
                        pod.spec().initContainers(),
                        pod.spec().containers(),
                        pod.spec().ephemeralContainers())
                .flatMap(List::stream)
                .toList();
        if (containers.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Set<VolumeMode>> names = new LinkedHashMap<>();
        for (Container container : containers) {
            container.volumeMounts().forEach(mount -> use(names, mount.name(), VolumeMode.FILESYSTEM));
            container.volumeDevices().forEach(device -> use(names, device.name(), VolumeMode.BLOCK));
        }
        return Optional.of(names);
    }

    private static void use(Map<String, Set<VolumeMode>> names, String name, VolumeMode mode) {
        names.computeIfAbsent(name, n -> EnumSet.noneOf(VolumeMode.class)).add(mode);
    }

    private String sameness() {
        return claim.map(key -> "claim " + key).orElse("inline " + name);
    }

    private WantedVolume sharing(WantedVolume other) {
        Set<VolumeMode> both = EnumSet.noneOf(VolumeMode.class);
        both.addAll(uses);
        both.addAll(other.uses);
        return new WantedVolume(name, claim, inline, ephemeral || other.ephemeral, readOnly || other.readOnly, both);
    }
}
