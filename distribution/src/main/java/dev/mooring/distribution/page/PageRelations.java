// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which objects of one moment belong together. Immutable once made. */
final class PageRelations {
    private final Map<ObjectKey, PersistentVolumeClaim> claims;
    private final Map<String, PersistentVolume> volumes;
    private final Map<ObjectKey, Pod> pods;
    private final Map<String, Node> nodes;
    private final Map<String, StorageClass> classes;
    private final Map<String, VolumeAttachment> attachments;
    private final Map<ObjectKey, List<Pod>> podsByClaim = new HashMap<>();
    private final Map<String, List<Pod>> podsByNode = new HashMap<>();
    private final Map<String, List<VolumeAttachment>> attachmentsByVolume = new HashMap<>();
    private final Map<String, List<VolumeAttachment>> attachmentsByNode = new HashMap<>();

    PageRelations(PageObjects objects) {
        claims = byName(objects.claims(), ObjectKey::of);
        volumes = byName(objects.volumes(), each -> each.metadata().name());
        nodes = byName(objects.nodes(), each -> each.metadata().name());
        classes = byName(objects.classes(), each -> each.metadata().name());
        attachments = byName(objects.attachments(), each -> each.metadata().name());
        pods = new LinkedHashMap<>();
        for (Pod pod : objects.pods()) {
            List<ObjectKey> used = claimsOf(pod);
            if (!used.isEmpty()) {
                pods.put(ObjectKey.of(pod), pod);
                used.forEach(claim -> add(podsByClaim, claim, pod));
                add(podsByNode, pod.spec().nodeName(), pod);
            }
        }
        for (VolumeAttachment attachment : objects.attachments()) {
            volumeOf(attachment).ifPresent(volume -> add(attachmentsByVolume, volume, attachment));
            add(attachmentsByNode, attachment.spec().nodeName(), attachment);
        }
    }

    private static <K, T> Map<K, T> byName(List<T> all, Function<T, K> name) {
        return all.stream().collect(Collectors.toMap(name, each -> each, (one, other) -> other, LinkedHashMap::new));
    }

    private static <K, T> void add(Map<K, List<T>> map, K key, T value) {
        map.computeIfAbsent(key, absent -> new ArrayList<>(1)).add(value);
    }

    /** The claims that a pod names, its ephemeral volumes' among them. */
    static List<ObjectKey> claimsOf(Pod pod) {
        String name = pod.metadata().name();
        return pod.spec().volumes().stream()
                .map(volume -> volume.claimName(name))
                .flatMap(Optional::stream)
                .map(claim -> ObjectKey.of(pod.metadata().namespace(), claim))
                .distinct()
                .toList();
    }

    static Optional<String> volumeOf(VolumeAttachment attachment) {
        return attachment.spec().source().persistentVolumeName();
    }

    Optional<PersistentVolumeClaim> claim(ObjectKey key) {
        return Optional.ofNullable(claims.get(key));
    }

    Optional<PersistentVolume> volume(String name) {
        return Optional.ofNullable(volumes.get(name));
    }

    Optional<Pod> pod(ObjectKey key) {
        return Optional.ofNullable(pods.get(key));
    }

    Optional<Node> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    Optional<StorageClass> storageClass(String name) {
        return Optional.ofNullable(classes.get(name));
    }

    Optional<VolumeAttachment> attachment(String name) {
        return Optional.ofNullable(attachments.get(name));
    }

    /** The pods that use claims. */
    Collection<Pod> pods() {
        return pods.values();
    }

    List<Pod> podsOfClaim(ObjectKey claim) {
        return podsByClaim.getOrDefault(claim, List.of());
    }

    List<Pod> podsOfNode(String node) {
        return podsByNode.getOrDefault(node, List.of());
    }

    /** The pods that use a volume by the claim that it is for. */
    List<Pod> podsOfVolume(PersistentVolume volume) {
        return claimOf(volume).map(claim -> podsOfClaim(ObjectKey.of(claim))).orElse(List.of());
    }

    /** The claim that a volume is for, if that is still there and not another one of its name. */
    Optional<PersistentVolumeClaim> claimOf(PersistentVolume volume) {
        return volume.spec()
                .claimRef()
                .flatMap(ref -> claim(ObjectKey.of(ref.namespace(), ref.name()))
                        .filter(claim -> ref.uid().isEmpty()
                                || ref.uid().equals(claim.metadata().uid())));
    }

    List<VolumeAttachment> attachmentsOfVolume(String volume) {
        return attachmentsByVolume.getOrDefault(volume, List.of());
    }

    List<VolumeAttachment> attachmentsOfNode(String node) {
        return attachmentsByNode.getOrDefault(node, List.of());
    }

    /** Where a claim's volume is used or attached. */
    Set<String> nodesOf(PersistentVolumeClaim claim) {
        return nodes(
                podsOfClaim(ObjectKey.of(claim)),
                attachmentsOfVolume(claim.spec().volumeName()));
    }

    /** Where a volume is used or attached. */
    Set<String> nodesOf(PersistentVolume volume) {
        return nodes(podsOfVolume(volume), attachmentsOfVolume(volume.metadata().name()));
    }

    private static Set<String> nodes(List<Pod> using, List<VolumeAttachment> attached) {
        if (using.isEmpty() && attached.isEmpty()) {
            return Set.of();
        }
        Set<String> nodes = new TreeSet<>();
        using.forEach(pod -> nodes.add(pod.spec().nodeName()));
        attached.forEach(each -> nodes.add(each.spec().nodeName()));
        nodes.remove("");
        return nodes;
    }
}
