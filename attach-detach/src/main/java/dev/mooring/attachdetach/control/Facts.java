// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

/**
 * What is known of one attachment when it is decided what to do about it.
 *
 * @param phase where it stands
 * @param certain whether a write of ours or a live read has told so, and not only a list or a watch, which may be old
 * @param wanted whether a pod of that node wants it
 * @param inProcess whether a plugin of this process serves it; else an external attacher does
 * @param deleting whether the VolumeAttachment is being deleted
 * @param detachRequested whether it is written down that it shall be detached
 * @param slotFree whether no other attachment is in its way
 * @param yields whether another attachment that is in its way goes first
 * @param node the Node object of that name, compared with the one to which the volume was, or will be, attached
 * @param listed whether the Node's status lists the volume as attached, or a write on its way may yet list it
 * @param inUse whether the Node's status lists the volume as in use
 * @param proven whether the Node has just been read live
 * @param evidence why the handshake may be passed over
 * @param answered whether the plugin has just attached it
 * @param undone whether the plugin has just detached it
 */
record Facts(
        Phase phase,
        boolean certain,
        boolean wanted,
        boolean inProcess,
        boolean deleting,
        boolean detachRequested,
        boolean slotFree,
        boolean yields,
        NodeIs node,
        boolean listed,
        boolean inUse,
        boolean proven,
        ForceDetachEvidence evidence,
        boolean answered,
        boolean undone) {
    /** What has become of the Node object. */
    enum NodeIs {
        /** It is there. */
        THERE,
        /** There is none of that name. */
        GONE,
        /** Another one has its name. */
        ANOTHER
    }
}
