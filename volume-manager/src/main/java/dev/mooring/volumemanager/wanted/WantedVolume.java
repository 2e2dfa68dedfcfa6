// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A volume that a pod needs before it can run (semantics/attach-and-mount §3.2). Names of one pod that mean one claim are one volume,
 * under the first of the names; it is read-only if one of them asks for it (S18).
 *
 * @param name its name in the pod
 * @param claim the claim; absent for an inline source
 * @param inline the source written in the pod; absent for a claim
 * @param ephemeral whether the claim was made for this pod, which then has to own it
 * @param readOnly whether the pod may not write
 * @param use as what its containers use it
 */
public record WantedVolume(
        String name,
        Optional<ObjectKey> claim,
        Optional<VolumeSource> inline,
        boolean ephemeral,
        boolean readOnly,
        Usage use) {
    /** What the host makes itself, without a plugin. */
    private static final Set<String> HOST_PROVIDED = new LinkedHashSet<>(
            List.of("emptyDir", "configMap", "secret", "downwardAPI", "projected", "gitRepo", "image"));

    /** Without plugins for what the host makes itself. */
    public static List<WantedVolume> of(Pod pod) {
        return of(pod, PluginRegistry.EMPTY);
    }

    /**
     * The volumes of a pod in their order: those that a container uses, or all where the pod shows no container.
     *
     * @param plugins which plugin serves which volume; what the host makes itself is left out if no plugin here makes it
     */
    public static List<WantedVolume> of(Pod pod, PluginRegistry plugins) {
        Optional<Map<String, Usage>> used = usedByContainers(pod);
        Map<String, WantedVolume> bySource = new LinkedHashMap<>();
        for (PodVolume volume : pod.spec().volumes()) {
            if (used.filter(names -> !names.containsKey(volume.name())).isEmpty()) {
                Usage use = used.map(names -> names.get(volume.name())).orElse(Usage.UNKNOWN);
                of(pod, volume, use, plugins)
                        .ifPresent(wanted -> bySource.merge(wanted.sameness(), wanted, WantedVolume::sharing));
            }
        }
        return List.copyOf(bySource.values());
    }

    private static Optional<WantedVolume> of(Pod pod, PodVolume volume, Usage use, PluginRegistry plugins) {
        Optional<String> claimName = volume.claimName(pod.metadata().name());
        boolean named = volume.persistentVolumeClaimName().isPresent();
        if (claimName.isPresent()) {
            ObjectKey claim = ObjectKey.of(pod.metadata().namespace(), claimName.get());
            return Optional.of(new WantedVolume(
                    volume.name(), Optional.of(claim), Optional.empty(), !named, volume.claimReadOnly(), use));
        }
        return volume.source()
                .filter(source -> !HOST_PROVIDED.contains(source.type())
                        || plugins.serving(source).isPresent())
                .map(source -> new WantedVolume(
                        volume.name(), Optional.empty(), Optional.of(source), false, readOnly(source), use));
    }

    private static boolean readOnly(VolumeSource source) {
        return source.attributes().at("readOnly").filter(Boolean.TRUE::equals).isPresent();
    }

    private static Optional<Map<String, Usage>> usedByContainers(Pod pod) {
        List<Container> containers = pod.spec().allContainers();
        if (containers.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Usage> names = new LinkedHashMap<>();
        for (Container container : containers) {
            container
                    .volumeMounts()
                    .forEach(mount -> names.merge(mount.name(), Usage.mounted(isBidirectional(mount)), Usage::and));
            container.volumeDevices().forEach(device -> names.merge(device.name(), Usage.device(), Usage::and));
        }
        return Optional.of(names);
    }

    private static boolean isBidirectional(VolumeMount mount) {
        return mount.mountPropagation().filter("Bidirectional"::equals).isPresent();
    }

    /** All names by which the pod's containers may call it. */
    Set<String> namesIn(Pod pod) {
        Set<String> names = new LinkedHashSet<>(Set.of(name));
        for (PodVolume volume : pod.spec().volumes()) {
            Optional<ObjectKey> other = volume.claimName(pod.metadata().name())
                    .map(named -> ObjectKey.of(pod.metadata().namespace(), named));
            if (claim.isPresent() && claim.equals(other)) {
                names.add(volume.name());
            }
        }
        return names;
    }

    private String sameness() {
        return claim.map(key -> "claim " + key).orElse("inline " + name);
    }

    private WantedVolume sharing(WantedVolume other) {
        return new WantedVolume(
                name, claim, inline, ephemeral || other.ephemeral, readOnly || other.readOnly, use.and(other.use));
    }
}
