// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Attachments that another program made on a node that is not this controller's (semantics/attach-and-mount §1.5, §7.9). */
class StrangersTest {
    private static final Duration LONG = Duration.ofDays(1);

    /** Another program has attached the disk to n1, which attaches by itself; a pod on n2 waits for it. */
    private static AttachDetachWorld world() {
        AttachDetachWorld world = new AttachDetachWorld(AttachDetachOptions.DEFAULT);
        VolumeAttachment stranger = new VolumeAttachment(
                ObjectMeta.named(AttachDetachWorld.nameOf("disk", "n1").name()),
                new VolumeAttachmentSpec(
                        AttachDetachObjects.DRIVER,
                        "n1",
                        VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of("disk"))),
                VolumeAttachmentStatus.EMPTY.withAttached(true));
        Node managed = AttachDetachObjects.node("n1");
        world.load(
                managed.withMetadata(managed.metadata().withoutAnnotation(PodResolver.MANAGED)),
                AttachDetachObjects.node("n2"),
                AttachDetachObjects.volume("disk", "data", AccessMode.READ_WRITE_ONCE),
                AttachDetachObjects.claim("data", "disk"),
                stranger,
                AttachDetachObjects.pod("b", "n2", "data"));
        world.advance(LONG);
        assertThat(world.attachment("disk", "n1")).contains(stranger(world));
        assertThat(AttachmentAnnotations.of(stranger(world))).isEmpty();
        assertThat(world.attachment("disk", "n2")).isEmpty();
        return world;
    }

    private static VolumeAttachment stranger(AttachDetachWorld world) {
        return world.attachment("disk", "n1").orElseThrow();
    }

    @Test
    void areTakenOverWhenTheNodeBecomesOneOfOurs() {
        AttachDetachWorld world = world();
        world.edit(
                Kinds.NODE,
                ObjectKey.cluster("n1"),
                (Node n) -> n.withMetadata(n.metadata().withAnnotation(PodResolver.MANAGED, "true")));
        world.settle();
        assertThat(world.attachment("disk", "n1")).isEmpty();
        assertThat(world.attachment("disk", "n2")).isPresent();
    }

    @Test
    void areTakenOverWhenTheNodeGoes() {
        AttachDetachWorld world = world().deleteNode("n1").settle();
        assertThat(world.attachment("disk", "n1")).isEmpty();
        assertThat(world.attachment("disk", "n2")).isPresent();
    }
}
