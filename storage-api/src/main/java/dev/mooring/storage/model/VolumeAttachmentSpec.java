// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * Which volume is to be attached to which node.
 *
 * @param attacher who attaches
 * @param nodeName to which node
 * @param source what
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeAttachmentSpec(String attacher, String nodeName, VolumeAttachmentSource source) {
    /** Nothing set. */
    public static final VolumeAttachmentSpec EMPTY = new VolumeAttachmentSpec("", "", VolumeAttachmentSource.EMPTY);

    /** The same with another attacher. */
    public VolumeAttachmentSpec withAttacher(String newAttacher) {
        return new VolumeAttachmentSpec(newAttacher, nodeName, source);
    }

    /** The same with another nodeName. */
    public VolumeAttachmentSpec withNodeName(String newNodeName) {
        return new VolumeAttachmentSpec(attacher, newNodeName, source);
    }

    /** The same with another source. */
    public VolumeAttachmentSpec withSource(VolumeAttachmentSource newSource) {
        return new VolumeAttachmentSpec(attacher, nodeName, newSource);
    }
}
