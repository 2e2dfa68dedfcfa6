// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * The intent to have a volume attached to a node.
 *
 * @param metadata metadata
 * @param spec what where
 * @param status how far
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeAttachment(ObjectMeta metadata, VolumeAttachmentSpec spec, VolumeAttachmentStatus status)
        implements KubernetesObject {
    /** The same with another metadata. */
    public VolumeAttachment withMetadata(ObjectMeta newMetadata) {
        return new VolumeAttachment(newMetadata, spec, status);
    }

    /** The same with another spec. */
    public VolumeAttachment withSpec(VolumeAttachmentSpec newSpec) {
        return new VolumeAttachment(metadata, newSpec, status);
    }

    /** The same with another status. */
    public VolumeAttachment withStatus(VolumeAttachmentStatus newStatus) {
        return new VolumeAttachment(metadata, spec, newStatus);
    }
}
