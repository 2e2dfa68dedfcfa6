// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record VolumeAttachmentSource(Optional<String> persistentVolumeName, Optional<Document> inlineVolumeSpec)
        implements VolumeAttachmentSourceBuilder.With {
    /** Nothing set. */
    public static final VolumeAttachmentSource EMPTY = new VolumeAttachmentSource(Optional.empty(), Optional.empty());
}
