// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectMeta;
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
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.volumemanager.NodeConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects of a small cluster: node {@code n1}, claims and volumes in pairs. */
final class SmallCluster {
    static final NodeRef NODE = new NodeRef("n1", "node-uid-1");
    static final Path ROOT = Path.of("/var/lib/mooring-test");
    static final NodeConfig CONFIG = NodeConfig.standalone(NODE, "boot-1", ROOT);

    private SmallCluster() {}

    static VolumeSource source(String path) {
        return new VolumeSource(FakePlugin.TYPE, Document.of(Map.of("path", path)));
    }

    /** A source of the other plugin. */
    static VolumeSource disk(String path) {
        return new VolumeSource(FakePlugin.Disks.TYPE, Document.of(Map.of("path", path)));
    }

    static Node node() {
        ObjectMeta metadata = ObjectMeta.named(NODE.name())
                .withUid(NODE.uid())
                .withLabels(Map.of("kubernetes.io/hostname", NODE.name()));
        return Node.of(NODE.name()).withMetadata(metadata);
    }

    static PersistentVolumeClaim claim(String name, String volume) {
        PersistentVolumeClaim claim =
                PersistentVolumeClaim.of("ns", name, PersistentVolumeClaimSpec.EMPTY.withVolumeName(volume));
        ObjectMeta metadata = claim.metadata().withUid(name + "-uid").withAnnotation(Annotations.BIND_COMPLETED, "yes");
        return claim.withMetadata(metadata);
    }

    static PersistentVolume volume(String name, String claim) {
        ObjectReference ref = new ObjectReference("PersistentVolumeClaim", "ns", claim, claim + "-uid", "v1", "", "");
        PersistentVolumeSpec spec = PersistentVolumeSpec.EMPTY
                .withCapacity(Map.of("storage", Quantity.ZERO))
                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                .withClaimRef(Optional.of(ref))
                .withSource(Optional.of(source("/data/" + name)));
        PersistentVolume volume = PersistentVolume.of(ObjectMeta.named(name).withUid(name + "-uid"), spec);
        return volume.withStatus(volume.status().withPhase(PersistentVolumePhase.BOUND));
    }

    static PersistentVolume released(String name, String claim, ReclaimPolicy policy) {
        PersistentVolume volume = volume(name, claim);
        return volume.withSpec(volume.spec().withPersistentVolumeReclaimPolicy(policy))
                .withStatus(volume.status().withPhase(PersistentVolumePhase.RELEASED));
    }

    static Pod pod(String name, PodVolume... volumes) {
        Pod pod = Pod.of("ns", name, PodSpec.EMPTY.withNodeName(NODE.name()).withVolumes(List.of(volumes)));
        return pod.withMetadata(pod.metadata().withUid(name + "-uid"));
    }

    static PodVolume claimed(String name, String claim) {
        return new PodVolume(
                name, Optional.of(new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", claim)))));
    }

    static PodVolume inline(String name, String path) {
        return new PodVolume(name, Optional.of(source(path)));
    }

    /** The attachment of a back-end volume to the node. */
    static VolumeAttachment attachment(String backend, boolean attached) {
        ObjectMeta metadata = ObjectMeta.named(AttachmentNames.of(backend, FakePlugin.NAME.value(), NODE.name()))
                .withUid("va-uid-" + backend);
        return new VolumeAttachment(
                metadata,
                VolumeAttachmentSpec.EMPTY.withAttacher(FakePlugin.NAME.value()).withNodeName(NODE.name()),
                VolumeAttachmentStatus.EMPTY
                        .withAttached(attached)
                        .withAttachmentMetadata(Map.of("devicePath", "/dev/of" + backend)));
    }
}
