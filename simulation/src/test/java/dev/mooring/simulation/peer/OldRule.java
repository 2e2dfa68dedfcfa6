// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

/** Rules that the peer had once and has mended since: a model without any is the peer of today. */
public enum OldRule {
    /** #12084: no controller looked whether the volume of a bound claim is still there. */
    CLAIMS_ARE_NEVER_LOST,
    /** PR 28002: volumes were judged before the claims were listed, and what was not there yet had gone. */
    VOLUMES_COME_FIRST,
    /** #53413: the pod that scrubs is known by its name, not by its maker. */
    ANY_SCRUBBER_IS_BELIEVED,
    /** longhorn 544: for a volume of a CSI driver that a user made by hand the binder looked for a plugin to destroy it. */
    CSI_IS_SOUGHT_AMONG_PLUGINS,
    /** #121799: no finalizer kept a volume until its storage was destroyed, and one that was being deleted was left alone. */
    NOTHING_KEEPS_A_VOLUME,
    /** #59942: that a volume is a device and the claim wants files, or the reverse, was not told. */
    MODES_ARE_NOT_TOLD,
    /** local-static-provisioner 504: what is released was asked of the cache alone, and destroyed by the volume's name. */
    RELEASED_BY_NAME,
    /** #27836: nothing asked whether a node still uses what no pod wants. */
    THE_NODE_IS_NOT_ASKED,
    /** #45191: a pod that has ended kept its volumes as long as it was there. */
    PODS_THAT_ENDED_KEEP_VOLUMES,
    /** #93902: what is attached was read before what is under way. */
    WHAT_IS_ATTACHED_IS_READ_FIRST,
    /** #120571: a VolumeAttachment that was found at the start was shown as attached. */
    WHAT_IS_FOUND_IS_ATTACHED
}
