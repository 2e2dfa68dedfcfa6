// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * The intent to have a volume attached to a node.
 *
 * @param metadata metadata
 * @param spec what where
 * @param status how far
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeAttachment(ObjectMeta metadata, VolumeAttachmentSpec spec, VolumeAttachmentStatus status)
        implements KubernetesObject, VolumeAttachmentBuilder.With {}
