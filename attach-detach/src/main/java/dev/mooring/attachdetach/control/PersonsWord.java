// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.VolumeAttachment;

/** A person's word, on a VolumeAttachment, that it may be detached although the node does not let go of the volume. */
public final class PersonsWord {
    private PersonsWord() {}

    /** Whether it is given already. */
    public static boolean isGiven(VolumeAttachment attachment) {
        return attachment
                .metadata()
                .annotation(Annotations.FORCE_DETACH)
                .filter(text -> !text.isBlank())
                .isPresent();
    }

    /** Whether a controller of ours looks after the attachment, and so heeds it. */
    public static boolean isHeeded(VolumeAttachment attachment) {
        return AttachmentAnnotations.of(attachment).isPresent();
    }

    /** The attachment with it. */
    public static VolumeAttachment given(VolumeAttachment attachment, String text) {
        return attachment.withMetadata(attachment.metadata().withAnnotation(Annotations.FORCE_DETACH, text));
    }
}
