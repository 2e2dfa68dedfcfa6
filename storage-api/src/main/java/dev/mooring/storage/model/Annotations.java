// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** Keys of annotations (semantics/binder §0.1). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Annotations {
    /** On a claim: its binding was completed once. */
    public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    /** On a volume or claim: the controller, not a user, made this half of the link. */
    public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    /** On a claim: the node chosen by the scheduler. */
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /** On a claim: the provisioner that has to act. */
    public static final String STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";

    /** On a claim: the provisioner that has to act, in the older spelling; both are written. */
    public static final String BETA_STORAGE_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

    /** On a volume: who made it. */
    public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    /** On a volume or claim: the CSI driver that took over an in-tree plugin. */
    public static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

    /** On a volume or claim: its class; wins over the field by mere presence. */
    public static final String BETA_STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";

    /** On a class: whether claims without a class get it. */
    public static final String IS_DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    /** On a class: whether claims without a class get it, in the older spelling. */
    public static final String BETA_IS_DEFAULT_CLASS = "storageclass.beta.kubernetes.io/is-default-class";

    /** On a claim: the resizer that has to act. */
    public static final String STORAGE_RESIZER = "volume.kubernetes.io/storage-resizer";

    /** On a volume: the claim's capacity before an expansion whose node step is pending. */
    public static final String PRE_RESIZE_CAPACITY = "volume.alpha.kubernetes.io/pre-resize-capacity";

    /** On a claim: the expansion needed nothing on the node. */
    public static final String NODE_EXPANSION_NOT_REQUIRED = "volume.kubernetes.io/node-expansion-not-required";

    /** On a volume: its mount options, in the older way. */
    public static final String BETA_MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";

    /** On a volume: supplemental group that may use it. */
    public static final String GID = "pv.beta.kubernetes.io/gid";

    /** On a volume: its storage is being reclaimed; the value is the uid of the claim that had it (semantics/binder §7 D6). */
    public static final String RECLAIMING = "mooring.dev/reclaiming";

    /** On an attachment: how far it is, where the object does not say; the controller that attaches writes it (semantics/attach-and-mount §7.2). */
    public static final String ATTACHMENT_PHASE = "mooring.dev/attachment-phase";

    /** On an attachment: since when no pod wants the volume there; the controller that attaches writes it. */
    public static final String DETACH_REQUESTED_AT = "mooring.dev/detach-requested-at";

    /** On an attachment, by a person: detach although the node does not let go; the value says who and why (semantics/attach-and-mount §1.11). */
    public static final String FORCE_DETACH = "mooring.dev/force-detach";

    /** A value of {@link #ATTACHMENT_PHASE}: it is being detached, and nothing leads back. */
    public static final String DETACHING = "Detaching";

    private Annotations() {}
}
