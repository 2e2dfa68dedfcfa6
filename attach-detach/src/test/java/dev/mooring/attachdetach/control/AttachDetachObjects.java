// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects for tests. The claim {@code data} is bound to the volume {@code disk}. */
final class AttachDetachObjects {
    static final String DRIVER = "disk.example.com";

    private AttachDetachObjects() {}

    static Attachable attachable(String name) {
        VolumeSource source = csi(name);
        VolumeSpec spec = new VolumeSpec(
                name,
                "uid-of-" + name,
                source,
                List.of(AccessMode.READ_WRITE_ONCE),
                VolumeMode.FILESYSTEM,
                Quantity.ZERO,
                List.of(),
                Map.of());
        VolumeId id = new VolumeId(new PluginName(DRIVER), name);
        return new Attachable(Optional.of(id), DRIVER, name, reported(name), Sharing.SINGLE_NODE, spec);
    }

    static String reported(String volume) {
        return "kubernetes.io/csi/" + DRIVER + "^" + volume;
    }

    static VolumeSource csi(String handle) {
        return new CsiSource(DRIVER, handle, "", false, Map.of()).toSource();
    }

    static Node node(String name) {
        return Node.of(name).withMetadata(ObjectMeta.named(name).withAnnotation(PodResolver.MANAGED, "true"));
    }

    static Node ready(Node node, ConditionStatus ready) {
        Condition condition =
                new Condition("Ready", ready, "", "", Optional.empty(), Optional.empty(), Optional.empty());
        return node.withStatus(node.status().withConditions(List.of(condition)));
    }

    static PersistentVolume volume(String name, String claim, AccessMode... modes) {
        ObjectReference ref = ObjectReference.EMPTY
                .withKind("PersistentVolumeClaim")
                .withNamespace("default")
                .withName(claim)
                .withUid("uid-of-" + claim);
        PersistentVolume empty = PersistentVolume.of(name, dev.mooring.storage.model.PersistentVolumeSpec.EMPTY);
        return empty.withMetadata(ObjectMeta.named(name).withUid("uid-of-" + name))
                .withSpec(empty.spec()
                        .withAccessModes(List.of(modes))
                        .withCapacity(Map.of("storage", Quantity.parse("1Gi")))
                        .withClaimRef(Optional.of(ref))
                        .withSource(Optional.of(csi(name))));
    }

    /** A volume whose storage is another one's too, to which it knows another way: nodes call it {@link #reported} and the way. */
    static PersistentVolume volumeBy(String way, String name, String claim, String handle) {
        PersistentVolume volume = volume(name, claim, AccessMode.READ_WRITE_ONCE);
        CsiSource source = new CsiSource(DRIVER, handle, way, false, Map.of());
        return volume.withSpec(volume.spec().withSource(Optional.of(source.toSource())));
    }

    static PersistentVolumeClaim claim(String name, String volume) {
        PersistentVolumeClaim claim = PersistentVolumeClaim.of(
                "default",
                name,
                PersistentVolumeClaimSpec.EMPTY
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withVolumeName(volume));
        return claim.withMetadata(claim.metadata().withUid("uid-of-" + name))
                .withStatus(claim.status().withPhase(ClaimPhase.BOUND));
    }

    static Pod pod(String name, String node, String claim) {
        return pod(name, node, claimVolume("data", claim, false));
    }

    static Pod pod(String name, String node, PodVolume... volumes) {
        Pod pod = Pod.of("default", name, PodSpec.EMPTY.withNodeName(node).withVolumes(List.of(volumes)));
        return pod.withMetadata(pod.metadata().withUid("uid-of-" + name));
    }

    static PodVolume claimVolume(String name, String claim, boolean readOnly) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("claimName", claim);
        if (readOnly) {
            fields.put("readOnly", true);
        }
        return new PodVolume(name, Optional.of(new VolumeSource("persistentVolumeClaim", Document.of(fields))));
    }
}
