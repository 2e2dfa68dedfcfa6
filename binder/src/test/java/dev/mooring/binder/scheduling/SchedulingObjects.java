// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CSINodeDriverAllocatable;
import dev.mooring.storage.model.CSINodeSpec;
import dev.mooring.storage.model.CSIStorageCapacity;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.NodeSelectorTerm;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.PersistentVolumeStatus;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.model.VolumeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects as short as a table needs them. Claims are of the class {@code local}, which waits for the first consumer. */
final class SchedulingObjects {
    static final String HOST = "kubernetes.io/hostname";
    static final String ZONE = "topology.kubernetes.io/zone";
    static final String DRIVER = "csi.example.com";

    private SchedulingObjects() {}

    static Node node(String name) {
        return labelled(Node.of(name), HOST, name);
    }

    static Node labelled(Node node, String key, String value) {
        Map<String, String> labels = new java.util.TreeMap<>(node.metadata().labels());
        labels.put(key, value);
        return node.withMetadata(node.metadata().withLabels(labels));
    }

    static StorageClass local() {
        return delayed("local", "kubernetes.io/no-provisioner");
    }

    static StorageClass delayed(String name, String provisioner) {
        return StorageClass.of(name, provisioner)
                .withVolumeBindingMode(Optional.of(VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
    }

    static StorageClass allowing(StorageClass storageClass, String key, String... values) {
        return storageClass.withAllowedTopologies(List.of(
                Document.of(Map.of("matchLabelExpressions", List.of(Map.of("key", key, "values", List.of(values)))))));
    }

    static PersistentVolume volume(String name, String size) {
        return new PersistentVolume(
                ObjectMeta.named(name),
                PersistentVolumeSpec.EMPTY
                        .withStorage(Quantity.parse(size))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withStorageClassName(Optional.of("local"))
                        .withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)
                        .withSource(Optional.of(new CsiSource(DRIVER, name, "", false, Map.of()).toSource())),
                PersistentVolumeStatus.EMPTY.withPhase(PersistentVolumePhase.AVAILABLE));
    }

    static PersistentVolume on(PersistentVolume volume, String node) {
        return volume.withSpec(volume.spec().withNodeAffinity(Optional.of(VolumeNodeAffinity.onlyWhere(HOST, node))));
    }

    static PersistentVolume where(PersistentVolume volume, NodeSelectorRequirement... requirements) {
        NodeSelectorTerm term = new NodeSelectorTerm(List.of(requirements), List.of());
        return volume.withSpec(volume.spec()
                .withNodeAffinity(Optional.of(new VolumeNodeAffinity(Optional.of(new NodeSelector(List.of(term)))))));
    }

    static PersistentVolume labelled(PersistentVolume volume, String key, String value) {
        return volume.withMetadata(volume.metadata().withLabels(Map.of(key, value)));
    }

    static PersistentVolume ofClass(PersistentVolume volume, String name) {
        return volume.withSpec(volume.spec().withStorageClassName(Optional.of(name)));
    }

    static PersistentVolume claimedBy(PersistentVolume volume, PersistentVolumeClaim claim) {
        ObjectReference reference = ObjectReference.EMPTY
                .withKind("PersistentVolumeClaim")
                .withNamespace(claim.metadata().namespace())
                .withName(claim.metadata().name())
                .withUid(claim.metadata().uid());
        return volume.withSpec(volume.spec().withClaimRef(Optional.of(reference)));
    }

    static PersistentVolumeClaim claim(String name, String size) {
        return PersistentVolumeClaim.of(
                "default",
                name,
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(Quantity.parse(size))
                        .withStorageClassName(Optional.of("local"))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE)));
    }

    static PersistentVolumeClaim ofClass(PersistentVolumeClaim claim, String name) {
        return claim.withSpec(claim.spec().withStorageClassName(Optional.of(name)));
    }

    static PersistentVolumeClaim uid(PersistentVolumeClaim claim, String uid) {
        return claim.withMetadata(claim.metadata().withUid(uid));
    }

    static PersistentVolumeClaim annotated(PersistentVolumeClaim claim, String key, String value) {
        return claim.withMetadata(claim.metadata().withAnnotation(key, value));
    }

    static PersistentVolumeClaim bound(PersistentVolumeClaim claim, String volume) {
        return annotated(claim.withSpec(claim.spec().withVolumeName(volume)), Annotations.BIND_COMPLETED, "yes");
    }

    static PersistentVolumeClaim forOnePod(PersistentVolumeClaim claim) {
        return claim.withSpec(claim.spec().withAccessModes(List.of(AccessMode.READ_WRITE_ONCE_POD)));
    }

    static Pod pod(String name, String... claims) {
        List<PodVolume> volumes = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(podVolume(
                    "v" + volumes.size(),
                    new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", claim)))));
        }
        return withVolumes(name, volumes);
    }

    static PodVolume podVolume(String name, VolumeSource source) {
        return new PodVolume(name, Optional.of(source));
    }

    static Pod withVolumes(String name, List<PodVolume> volumes) {
        Pod pod = Pod.of("default", name, PodSpec.EMPTY.withVolumes(volumes));
        return pod.withMetadata(pod.metadata().withUid("uid-" + name));
    }

    static Pod inline(String name, String type, Map<String, ?> source) {
        return withVolumes(name, List.of(podVolume("v", new VolumeSource(type, Document.of(source)))));
    }

    static Pod at(Pod pod, String node) {
        return pod.withSpec(pod.spec().withNodeName(node));
    }

    static CSINode limit(String node, long count) {
        return limit(node, DRIVER, count);
    }

    static CSINode limit(String node, String name, long count) {
        CSINodeDriver driver =
                new CSINodeDriver(name, node, List.of(), Optional.of(new CSINodeDriverAllocatable(Optional.of(count))));
        return new CSINode(ObjectMeta.named(node), new CSINodeSpec(List.of(driver)));
    }

    static CSIDriver keepingAccount(String name) {
        return new CSIDriver(ObjectMeta.named(name), CSIDriverSpec.EMPTY.withStorageCapacity(Optional.of(true)));
    }

    static CSIStorageCapacity pool(String name, String storageClass, String node, String capacity) {
        return new CSIStorageCapacity(
                ObjectMeta.named("default", name),
                Optional.of(new LabelSelector(Map.of(HOST, node), List.of())),
                storageClass,
                Optional.of(Quantity.parse(capacity)),
                Optional.empty());
    }
}
