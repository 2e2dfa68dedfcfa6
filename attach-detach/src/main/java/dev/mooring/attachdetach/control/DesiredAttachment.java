// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.storage.model.ObjectKey;

/**
 * That a pod wants a volume attached to its node.
 *
 * @param attachment the name of the VolumeAttachment
 * @param node the node's name
 * @param pod the pod
 * @param podUid which pod of that name
 * @param podVolume the volume's name in the pod
 * @param volume the volume
 * @param title the PersistentVolume's name, or {@code <pod uid>/<volume name>}
 * @param readOnly whether this pod will not write
 * @param podDeleting whether the pod is being deleted
 * @param remembered whether it keeps what is attached and begins nothing: the volume was found for the pod before and cannot be found
 *     now, or its node is none that this controller attaches for any more
 */
record DesiredAttachment(
        String attachment,
        String node,
        ObjectKey pod,
        String podUid,
        String podVolume,
        Attachable volume,
        String title,
        boolean readOnly,
        boolean podDeleting,
        boolean remembered) {
    /** Names the want among those of its attachment. */
    String key() {
        return pod + "/" + podVolume;
    }

    /** Whether nodes call its volume so: several names of one storage may be wanted of one attachment. */
    boolean isReportedAs(String name) {
        return volume.reportedName().equals(name);
    }

    Sharing.Use use() {
        return new Sharing.Use(volume.sharing(), readOnly);
    }
}
