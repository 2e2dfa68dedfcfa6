// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** Finalizers (semantics/binder §0.2). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Finalizers {
    /** On a claim: pods may use it. */
    public static final String PVC_PROTECTION = "kubernetes.io/pvc-protection";

    /** On a volume: a claim may be bound to it. */
    public static final String PV_PROTECTION = "kubernetes.io/pv-protection";

    /** On a VolumeAttributesClass: volumes or claims may refer to it. */
    public static final String VAC_PROTECTION = "kubernetes.io/vac-protection";

    /** On a volume of policy Delete: its storage has still to be destroyed by this process. */
    public static final String PV_CONTROLLER = "kubernetes.io/pv-controller";

    /** On a volume of policy Delete: its storage has still to be destroyed by an external provisioner. */
    public static final String EXTERNAL_PROVISIONER = "external-provisioner.volume.kubernetes.io/finalizer";

    /** On a claim: storage may have been made for it that no volume stands for yet (semantics/binder §7 D15). */
    public static final String PROVISIONING = "mooring.dev/provisioning";

    /** On a claim: another claim of its namespace is being filled from it (semantics/csi §8.10). */
    public static final String CLONING_PROTECTION = "provisioner.storage.kubernetes.io/cloning-protection";

    /** On a claim: a snapshot is being made of its volume. */
    public static final String SNAPSHOT_SOURCE = "snapshot.storage.kubernetes.io/pvc-as-source-protection";

    /** On a VolumeSnapshot: its content has not gone. */
    public static final String SNAPSHOT_BOUND = "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection";

    /** On a VolumeSnapshot: a claim may be filled from it. */
    public static final String SNAPSHOT_AS_SOURCE =
            "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection";

    /** On a VolumeSnapshotContent: its snapshot in the back-end has not gone. */
    public static final String SNAPSHOT_CONTENT =
            "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection";

    /** On a VolumeAttachment and its volume: an external attacher serves them. Before the driver's name with {@code -} for each dot. */
    public static final String EXTERNAL_ATTACHER = "external-attacher/";

    /** On a VolumeAttachment: a plugin of the attaching process serves it, and detaches before it goes. */
    public static final String ATTACHMENT = "mooring.dev/attachment";

    private Finalizers() {}
}
