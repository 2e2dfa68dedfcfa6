// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.uses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A volume is attached to the nodes of its attachments, as long as these are there. */
class AttachedVolumesTest {
    private final AttachedVolumes attached = new AttachedVolumes();

    private static VolumeAttachment attachment(String name, Optional<String> volume, String node) {
        return new VolumeAttachment(
                ObjectMeta.named(name),
                new VolumeAttachmentSpec("iscsi", node, new VolumeAttachmentSource(volume, Optional.empty())),
                VolumeAttachmentStatus.EMPTY);
    }

    private static VolumeAttachment attachment(String name, String node) {
        return attachment(name, Optional.of("v"), node);
    }

    private Optional<String> add(VolumeAttachment attachment) {
        return attached.update(ObjectKey.of(attachment), Optional.empty(), Optional.of(attachment));
    }

    private Optional<String> remove(VolumeAttachment attachment) {
        return attached.update(ObjectKey.of(attachment), Optional.of(attachment), Optional.empty());
    }

    @Test
    void anAttachmentThatGoesLeavesTheOthers() {
        assertThat(add(attachment("b", "n1"))).isEmpty();
        assertThat(add(attachment("a", "n2"))).isEmpty();
        assertThat(attached.nodesOf("v")).as("in the order of the attachments").containsExactly("n2", "n1");
        assertThat(remove(attachment("a", "n2"))).contains("v");
        assertThat(attached.nodesOf("v")).containsExactly("n1");
        assertThat(remove(attachment("b", "n1"))).contains("v");
        assertThat(attached.nodesOf("v")).isEmpty();
    }

    @Test
    void anAttachmentThatChangesIsStillOne() {
        VolumeAttachment before = attachment("a", "n1");
        add(before);
        assertThat(attached.update(ObjectKey.of(before), Optional.of(before), Optional.of(attachment("a", "n1"))))
                .isEmpty();
        assertThat(attached.nodesOf("v")).containsExactly("n1");
    }

    @Test
    void anAttachmentOfAnInlineVolumeIsNoVolumes() {
        VolumeAttachment inline = attachment("a", Optional.empty(), "n1");
        add(inline);
        assertThat(attached.nodesOf("v")).isEmpty();
        assertThat(remove(inline)).isEmpty();
    }
}
