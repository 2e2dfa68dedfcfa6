// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * Which volume is to be attached to which node.
 *
 * @param attacher who attaches
 * @param nodeName to which node
 * @param source what
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeAttachmentSpec(String attacher, String nodeName, VolumeAttachmentSource source)
        implements VolumeAttachmentSpecBuilder.With {
    /** Nothing set. */
    public static final VolumeAttachmentSpec EMPTY = new VolumeAttachmentSpec("", "", VolumeAttachmentSource.EMPTY);
}
