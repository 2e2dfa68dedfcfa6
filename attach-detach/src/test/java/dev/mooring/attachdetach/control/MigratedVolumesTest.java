// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.ListOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Volumes of plugins that were part of Kubernetes are attached by the CSI drivers that serve them now (semantics/attach-and-mount §1.4). */
class MigratedVolumesTest {
    private static final String DRIVER = "ebs.csi.aws.com";
    private static final String REPORTED = "kubernetes.io/csi/ebs.csi.aws.com^vol-1";

    private static VolumeSource ebs(String id) {
        return new VolumeSource("awsElasticBlockStore", Document.of(Map.of("volumeID", id)));
    }

    private static PersistentVolume volume(String id) {
        PersistentVolume volume = AttachDetachObjects.volume("old", "data", AccessMode.READ_WRITE_ONCE);
        return volume.withSpec(volume.spec().withSource(Optional.of(ebs(id))))
                .withMetadata(volume.metadata().withAnnotation(Annotations.MIGRATED_TO, DRIVER));
    }

    private static AttachDetachWorld world(String id) {
        return new AttachDetachWorld(AttachDetachOptions.DEFAULT)
                .load(
                        AttachDetachObjects.node("n1"),
                        AttachDetachObjects.node("n2"),
                        volume(id),
                        AttachDetachObjects.claim("data", "old"));
    }

    private static List<VolumeAttachment> attachments(AttachDetachWorld world) {
        return world.store()
                .list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL)
                .orThrow()
                .items();
    }

    @Test
    void aVolumeIsAskedForUnderItsDriversNames() {
        AttachDetachWorld world = world("aws://eu-west-1a/vol-1")
                .load(AttachDetachObjects.pod("a", "n1", "data"))
                .settle();
        VolumeAttachment asked = attachments(world).get(0);
        assertThat(asked.spec().attacher()).isEqualTo(DRIVER);
        assertThat(asked.spec().source().persistentVolumeName()).contains("old");
        // The kubelet looks for the hash of handle, driver and node.
        assertThat(asked.metadata().name())
                .isEqualTo("csi-ddbfb4470da740e26d0871a8e7cbfaaea0fe241c682170c176b52f44abb4a3be");
    }

    @Test
    void whatTheAttacherHasAttachedIsListedAsTheKubeletKnowsIt() {
        AttachDetachWorld world =
                world("vol-1").load(AttachDetachObjects.pod("a", "n1", "data")).settle();
        VolumeAttachment asked = attachments(world).get(0);
        world.editStatus(
                        Kinds.VOLUME_ATTACHMENT,
                        ObjectKey.of(asked),
                        va -> va.withStatus(va.status().withAttached(true)))
                .settle();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).containsExactly(REPORTED);
        world.load(AttachDetachObjects.pod("b", "n2", "data")).settle();
        assertThat(attachments(world)).hasSize(1);
        world.deletePod("a").settle();
        assertThat(attachments(world)).extracting(va -> va.spec().nodeName()).containsExactly("n2");
    }

    @Test
    void whatAPodNamesItselfIsDescribedToTheAttacher() {
        AttachDetachWorld world = world("vol-1")
                .load(AttachDetachObjects.pod(
                        "a", "n1", new PodVolume("disk", Optional.of(ebs("aws://eu-west-1a/vol-2")))))
                .settle();
        Document spec =
                attachments(world).get(0).spec().source().inlineVolumeSpec().orElseThrow();
        assertThat(spec.text("csi", "driver")).contains(DRIVER);
        assertThat(spec.text("csi", "volumeHandle")).contains("vol-2");
        assertThat(spec.at("accessModes")).contains(List.of("ReadWriteOnce"));
    }

    @Test
    void whatSaysNothingThatItsDriverUnderstandsIsLeftAlone() {
        AttachDetachWorld world = world("aws://eu-west-1a/snap-1")
                .load(AttachDetachObjects.pod("a", "n1", "data"))
                .settle();
        assertThat(attachments(world)).isEmpty();
    }

    @Test
    void whatKubernetesHasLeftIsTakenOver() {
        AttachDetachWorld world =
                world("vol-1").load(AttachDetachObjects.pod("a", "n1", "data")).settle();
        VolumeAttachment ours = attachments(world).get(0);
        AttachDetachWorld other = world("vol-1")
                .load(new VolumeAttachment(
                        ObjectMeta.named(ours.metadata().name()),
                        new VolumeAttachmentSpec(
                                DRIVER,
                                "n1",
                                VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of("old"))),
                        VolumeAttachmentStatus.EMPTY.withAttached(true)))
                .settle();
        assertThat(attachments(other)).isEmpty();
    }
}
