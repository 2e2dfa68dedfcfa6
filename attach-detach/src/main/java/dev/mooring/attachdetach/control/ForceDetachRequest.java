// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.VolumeAttachment;

/** A person's request to detach by force: an annotation of the VolumeAttachment. */
public final class ForceDetachRequest {
    private ForceDetachRequest() {}

    /** Whether the attachment has it. */
    public static boolean isGiven(VolumeAttachment attachment) {
        return attachment
                .metadata()
                .annotation(Annotations.FORCE_DETACH)
                .filter(text -> !text.isBlank())
                .isPresent();
    }

    /** Whether a controller of ours looks after the attachment, and so follows it. */
    public static boolean isHeeded(VolumeAttachment attachment) {
        return AttachmentAnnotations.of(attachment).isPresent();
    }

    /** The attachment with it. */
    public static VolumeAttachment given(VolumeAttachment attachment, String text) {
        return attachment.withMetadata(attachment.metadata().withAnnotation(Annotations.FORCE_DETACH, text));
    }
}
