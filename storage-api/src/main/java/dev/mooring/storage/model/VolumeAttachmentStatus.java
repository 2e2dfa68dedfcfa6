// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record VolumeAttachmentStatus(
        boolean attached,
        Map<String, String> attachmentMetadata,
        Optional<VolumeError> attachError,
        Optional<VolumeError> detachError)
        implements VolumeAttachmentStatusBuilder.With {
    /** Nothing set. */
    public static final VolumeAttachmentStatus EMPTY =
            new VolumeAttachmentStatus(false, Map.of(), Optional.empty(), Optional.empty());

    /** Copies lists and maps. */
    public VolumeAttachmentStatus {
        attachmentMetadata = Copies.map(attachmentMetadata);
    }
}
