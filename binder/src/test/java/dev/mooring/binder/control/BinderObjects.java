// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.NfsSource;
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
import dev.mooring.storage.model.VolumeSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Volumes and claims as short as a table needs them. */
public final class BinderObjects {
    private BinderObjects() {}

    public static PersistentVolume volume(String name, String size) {
        return volume(name, size, ReclaimPolicy.RETAIN);
    }

    public static PersistentVolume volume(String name, String size, ReclaimPolicy policy) {
        return PersistentVolume.of(
                name,
                PersistentVolumeSpec.EMPTY
                        .withStorage(Quantity.parse(size))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withPersistentVolumeReclaimPolicy(policy)
                        .withSource(Optional.of(new NfsSource("nfs.example.com", "/" + name, false).toSource())));
    }

    public static PersistentVolumeClaim claim(String name, String size) {
        return PersistentVolumeClaim.of(
                "default",
                name,
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(Quantity.parse(size))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE)));
    }

    public static PersistentVolumeClaim ofClass(PersistentVolumeClaim claim, String className) {
        return claim.withSpec(claim.spec().withStorageClassName(Optional.of(className)));
    }

    public static PersistentVolumeClaim naming(PersistentVolumeClaim claim, String volume) {
        return claim.withSpec(claim.spec().withVolumeName(volume));
    }

    public static PersistentVolume claimedBy(PersistentVolume volume, String claim, String uid) {
        ObjectReference reference = new ObjectReference("PersistentVolumeClaim", "default", claim, uid, "v1", "", "");
        return volume.withSpec(volume.spec().withClaimRef(Optional.of(reference)));
    }

    public static final String UID = "00000000-0000-4000-8000-00000000000a";
    public static final String OTHER_UID = "00000000-0000-4000-8000-00000000000b";

    /** The claim {@code data} of the tables, as the API server would have made it. */
    public static PersistentVolumeClaim data() {
        PersistentVolumeClaim claim = claim("data", "1Gi");
        return claim.withMetadata(claim.metadata()
                .withUid(UID)
                .withCreationTimestamp(Optional.of(Instant.parse("2000-01-01T00:00:00Z"))));
    }

    public static PersistentVolumeClaim annotated(PersistentVolumeClaim claim, String annotation, String value) {
        return claim.withMetadata(claim.metadata().withAnnotation(annotation, value));
    }

    public static PersistentVolume annotated(PersistentVolume volume, String annotation, String value) {
        return volume.withMetadata(volume.metadata().withAnnotation(annotation, value));
    }

    public static PersistentVolumeClaim inPhase(PersistentVolumeClaim claim, ClaimPhase phase) {
        return claim.withStatus(claim.status().withPhase(phase));
    }

    public static PersistentVolume inPhase(PersistentVolume volume, PersistentVolumePhase phase) {
        return volume.withStatus(volume.status().withPhase(phase));
    }

    /** A claim whose binding to a volume was completed. */
    public static PersistentVolumeClaim boundTo(String volume) {
        PersistentVolumeClaim claim = volume.isEmpty() ? data() : naming(data(), volume);
        return inPhase(annotated(claim, Annotations.BIND_COMPLETED, "yes"), ClaimPhase.BOUND);
    }

    public static StorageClass storageClass(String name, String provisioner, VolumeBindingMode mode) {
        return StorageClass.of(name, provisioner).withVolumeBindingMode(Optional.of(mode));
    }

    public static StorageClass byDefault(StorageClass storageClass) {
        return storageClass.withMetadata(storageClass.metadata().withAnnotation(Annotations.IS_DEFAULT_CLASS, "true"));
    }

    public static Pod pod(String name, String node, String claim) {
        VolumeSource source = new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", claim)));
        return Pod.of(
                "default",
                name,
                PodSpec.EMPTY.withNodeName(node).withVolumes(List.of(new PodVolume("v", Optional.of(source)))));
    }
}
