// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How far an attachment is.
 *
 * @param attached whether it is attached
 * @param attachmentMetadata what the node needs to know
 * @param attachError the last failure to attach
 * @param detachError the last failure to detach
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeAttachmentStatus(
        boolean attached,
        Map<String, String> attachmentMetadata,
        Optional<VolumeError> attachError,
        Optional<VolumeError> detachError) {
    /** Nothing set. */
    public static final VolumeAttachmentStatus EMPTY =
            new VolumeAttachmentStatus(false, Map.of(), Optional.empty(), Optional.empty());

    /** Copies lists and maps. */
    public VolumeAttachmentStatus {
        attachmentMetadata = Copies.map(attachmentMetadata);
    }

    /** The same with another attached. */
    public VolumeAttachmentStatus withAttached(boolean newAttached) {
        return new VolumeAttachmentStatus(newAttached, attachmentMetadata, attachError, detachError);
    }

    /** The same with another attachmentMetadata. */
    public VolumeAttachmentStatus withAttachmentMetadata(Map<String, String> newAttachmentMetadata) {
        return new VolumeAttachmentStatus(attached, newAttachmentMetadata, attachError, detachError);
    }

    /** The same with another attachError. */
    public VolumeAttachmentStatus withAttachError(Optional<VolumeError> newAttachError) {
        return new VolumeAttachmentStatus(attached, attachmentMetadata, newAttachError, detachError);
    }

    /** The same with another detachError. */
    public VolumeAttachmentStatus withDetachError(Optional<VolumeError> newDetachError) {
        return new VolumeAttachmentStatus(attached, attachmentMetadata, attachError, newDetachError);
    }
}
