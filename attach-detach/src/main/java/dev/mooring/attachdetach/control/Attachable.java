// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Optional;

/**
 * A volume that has to be attached.
 *
 * @param id whose storage it is, for a plugin of this process; empty where an external attacher acts
 * @param owner the CSI driver, or the name of the plugin
 * @param handle the volume as its owner calls it
 * @param reportedName how the Node's status calls it
 * @param sharing which nodes may have it at once
 * @param spec the volume
 */
record Attachable(
        Optional<VolumeId> id, String owner, String handle, String reportedName, Sharing sharing, VolumeSpec spec) {
    /** Attachments with equal slots may exclude each other; see {@link AttachmentAnnotations#slot}. */
    String slot() {
        return id.map(VolumeId::toString).orElse(reportedName);
    }

    /** The name of the VolumeAttachment to a node. */
    String attachmentTo(String node) {
        return AttachmentNames.of(handle, owner, node);
    }

    /**
     * Who attaches, as the API wants it written: a DNS name. A plugin {@code kubernetes.io/iscsi} is written {@code
     * iscsi.kubernetes.io}.
     */
    String attacher() {
        int slash = owner.indexOf('/');
        return slash < 0 ? owner : owner.substring(slash + 1).replace('_', '-') + "." + owner.substring(0, slash);
    }
}
