// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.document.Document;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What is attached.
 *
 * @param persistentVolumeName the volume
 * @param inlineVolumeSpec the specification of a volume without an object
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeAttachmentSource(Optional<String> persistentVolumeName, Optional<Document> inlineVolumeSpec) {
    /** Nothing set. */
    public static final VolumeAttachmentSource EMPTY = new VolumeAttachmentSource(Optional.empty(), Optional.empty());

    /** The same with another persistentVolumeName. */
    public VolumeAttachmentSource withPersistentVolumeName(Optional<String> newPersistentVolumeName) {
        return new VolumeAttachmentSource(newPersistentVolumeName, inlineVolumeSpec);
    }

    /** The same with another inlineVolumeSpec. */
    public VolumeAttachmentSource withInlineVolumeSpec(Optional<Document> newInlineVolumeSpec) {
        return new VolumeAttachmentSource(persistentVolumeName, newInlineVolumeSpec);
    }
}
