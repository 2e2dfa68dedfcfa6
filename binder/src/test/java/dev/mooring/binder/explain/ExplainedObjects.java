// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.NodeSelectorTerm;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.model.VolumeSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Objects of the explained situations, as short as a table needs them. */
final class ExplainedObjects {
    static final Instant START = Instant.parse("2000-01-01T00:00:00Z");
    static final String UID = "00000000-0000-4000-8000-00000000000a";
    static final String OTHER_UID = "00000000-0000-4000-8000-00000000000b";

    private ExplainedObjects() {}

    static PersistentVolumeClaim claim(String size) {
        PersistentVolumeClaim claim = PersistentVolumeClaim.of(
                "default",
                "data",
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(Quantity.parse(size))
                        .withStorageClassName(Optional.of(""))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE)));
        return claim.withMetadata(claim.metadata().withUid(UID).withCreationTimestamp(Optional.of(START)))
                .withStatus(claim.status().withPhase(ClaimPhase.PENDING));
    }

    static PersistentVolumeClaim spec(PersistentVolumeClaim claim, UnaryOperator<PersistentVolumeClaimSpec> edit) {
        return claim.withSpec(edit.apply(claim.spec()));
    }

    static PersistentVolumeClaim ofClass(String name) {
        return spec(claim("1Gi"), s -> s.withStorageClassName(Optional.of(name)));
    }

    static PersistentVolumeClaim annotated(PersistentVolumeClaim claim, String annotation, String value) {
        return claim.withMetadata(claim.metadata().withAnnotation(annotation, value));
    }

    static PersistentVolumeClaim bound(String volume) {
        PersistentVolumeClaim claim = annotated(claim("1Gi"), Annotations.BIND_COMPLETED, "yes");
        return spec(claim, s -> s.withVolumeName(volume))
                .withStatus(claim.status().withPhase(ClaimPhase.BOUND));
    }

    static PersistentVolumeClaim deleting(PersistentVolumeClaim claim, String... finalizers) {
        return claim.withMetadata(
                claim.metadata().withDeletionTimestamp(Optional.of(START)).withFinalizers(List.of(finalizers)));
    }

    static PersistentVolume volume(String name, String size) {
        PersistentVolume volume = PersistentVolume.of(
                name,
                PersistentVolumeSpec.EMPTY
                        .withStorage(Quantity.parse(size))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)
                        .withSource(
                                Optional.of(new VolumeSource("nfs", Document.of(Map.of("server", "s", "path", "/"))))));
        return volume.withStatus(volume.status().withPhase(PersistentVolumePhase.AVAILABLE));
    }

    static PersistentVolume spec(PersistentVolume volume, UnaryOperator<PersistentVolumeSpec> edit) {
        return volume.withSpec(edit.apply(volume.spec()));
    }

    static PersistentVolume in(PersistentVolume volume, PersistentVolumePhase phase) {
        return volume.withStatus(volume.status().withPhase(phase));
    }

    static PersistentVolume claimedBy(PersistentVolume volume, String claim, String uid) {
        return spec(
                volume,
                s -> s.withClaimRef(Optional.of(
                        new ObjectReference("PersistentVolumeClaim", "default", claim, uid, "v1", "", ""))));
    }

    static PersistentVolume annotated(PersistentVolume volume, String annotation, String value) {
        return volume.withMetadata(volume.metadata().withAnnotation(annotation, value));
    }

    static PersistentVolume deleting(PersistentVolume volume, String... finalizers) {
        return volume.withMetadata(
                volume.metadata().withDeletionTimestamp(Optional.of(START)).withFinalizers(List.of(finalizers)));
    }

    static PersistentVolume reachedFrom(PersistentVolume volume, String node) {
        NodeSelectorTerm term = new NodeSelectorTerm(
                List.of(new NodeSelectorRequirement("kubernetes.io/hostname", "In", List.of(node))), List.of());
        return spec(
                volume,
                s -> s.withNodeAffinity(
                        Optional.of(new VolumeNodeAffinity(Optional.of(new NodeSelector(List.of(term)))))));
    }

    static PersistentVolume csi(PersistentVolume volume, String driver) {
        return spec(
                volume,
                s -> s.withSource(Optional.of(new VolumeSource(
                                "csi",
                                Document.of(Map.of(
                                        "driver",
                                        driver,
                                        "volumeHandle",
                                        volume.metadata().name())))))
                        .withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE));
    }

    static StorageClass storageClass(String name, String provisioner, VolumeBindingMode mode) {
        return StorageClass.of(name, provisioner).withVolumeBindingMode(Optional.of(mode));
    }

    static Node node(String name) {
        Node node = Node.of(name);
        return node.withMetadata(node.metadata().withLabels(Map.of("kubernetes.io/hostname", name)));
    }

    static Pod pod(String name, String node) {
        VolumeSource source = new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", "data")));
        return Pod.of(
                "default",
                name,
                PodSpec.EMPTY.withNodeName(node).withVolumes(List.of(new PodVolume("v", Optional.of(source)))));
    }
}
