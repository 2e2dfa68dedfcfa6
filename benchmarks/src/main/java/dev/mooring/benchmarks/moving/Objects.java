// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.moving;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects of a world, named by numbers: nodes {@code n1}, volumes, their claims and pods {@code v1}. */
final class Objects {
    private static final String DRIVER = "disk.example.com";
    private static final String FINALIZER = "external-attacher/disk-example-com";
    private static final String MANAGED = "volumes.kubernetes.io/controller-managed-attach-detach";

    private Objects() {}

    static int number(String name) {
        return Integer.parseInt(name.substring(1));
    }

    static String reported(int volume) {
        return "kubernetes.io/csi/" + DRIVER + "^v" + volume;
    }

    static Node node(int node) {
        String name = "n" + node;
        return Node.of(name).withMetadata(ObjectMeta.named(name).withAnnotation(MANAGED, "true"));
    }

    static PersistentVolume volume(int volume) {
        String name = "v" + volume;
        ObjectReference claim = ObjectReference.EMPTY
                .withKind("PersistentVolumeClaim")
                .withNamespace("default")
                .withName(name)
                .withUid("claim-" + name);
        PersistentVolume made = PersistentVolume.of(
                name,
                PersistentVolumeSpec.EMPTY
                        .withStorage(Quantity.parse("1Gi"))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withClaimRef(Optional.of(claim))
                        .withSource(Optional.of(new CsiSource(DRIVER, name, "", false, Map.of()).toSource())));
        return made.withMetadata(made.metadata().withUid("volume-" + name).withFinalizer(FINALIZER));
    }

    static PersistentVolumeClaim claim(int volume) {
        String name = "v" + volume;
        PersistentVolumeClaim made = PersistentVolumeClaim.of(
                "default",
                name,
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(Quantity.parse("1Gi"))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withVolumeName(name));
        return made.withMetadata(made.metadata().withUid("claim-" + name))
                .withStatus(made.status().withPhase(ClaimPhase.BOUND));
    }

    static String pod(int volume, int generation) {
        return "v" + volume + "-" + generation;
    }

    static Pod pod(int volume, int generation, int node) {
        Document claim = Document.of(Map.of("claimName", "v" + volume));
        PodVolume data = new PodVolume("data", Optional.of(new VolumeSource("persistentVolumeClaim", claim)));
        Pod made = Pod.of(
                "default",
                pod(volume, generation),
                PodSpec.EMPTY.withNodeName("n" + node).withVolumes(List.of(data)));
        return made.withMetadata(made.metadata().withUid("pod-" + pod(volume, generation)));
    }

    static VolumeAttachment taken(VolumeAttachment slot) {
        return slot.withMetadata(slot.metadata().withFinalizer(FINALIZER));
    }

    static VolumeAttachment released(VolumeAttachment slot) {
        return slot.withMetadata(slot.metadata().withoutFinalizer(FINALIZER));
    }
}
