// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** An immutable set of kinds, in a fixed order. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Kinds {
    private static final String STORAGE = "storage.k8s.io";
    private static final String SNAPSHOT = "snapshot.storage.k8s.io";

    /** PersistentVolume. */
    public static final Kind<PersistentVolume> PERSISTENT_VOLUME =
            new Kind<>("", "v1", "PersistentVolume", "persistentvolumes", false, true, PersistentVolume.class);

    /** PersistentVolumeClaim. */
    public static final Kind<PersistentVolumeClaim> PERSISTENT_VOLUME_CLAIM = new Kind<>(
            "", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", true, true, PersistentVolumeClaim.class);

    /** StorageClass. */
    public static final Kind<StorageClass> STORAGE_CLASS =
            new Kind<>(STORAGE, "v1", "StorageClass", "storageclasses", false, false, StorageClass.class);

    /** VolumeAttachment. */
    public static final Kind<VolumeAttachment> VOLUME_ATTACHMENT =
            new Kind<>(STORAGE, "v1", "VolumeAttachment", "volumeattachments", false, true, VolumeAttachment.class);

    /** VolumeAttributesClass. */
    public static final Kind<VolumeAttributesClass> VOLUME_ATTRIBUTES_CLASS = new Kind<>(
            STORAGE,
            "v1",
            "VolumeAttributesClass",
            "volumeattributesclasses",
            false,
            false,
            VolumeAttributesClass.class);

    /** Node. */
    public static final Kind<Node> NODE = new Kind<>("", "v1", "Node", "nodes", false, true, Node.class);

    /** Pod. */
    public static final Kind<Pod> POD = new Kind<>("", "v1", "Pod", "pods", true, true, Pod.class);

    /** CSIDriver. */
    public static final Kind<CSIDriver> CSI_DRIVER =
            new Kind<>(STORAGE, "v1", "CSIDriver", "csidrivers", false, false, CSIDriver.class);

    /** CSINode. */
    public static final Kind<CSINode> CSI_NODE =
            new Kind<>(STORAGE, "v1", "CSINode", "csinodes", false, false, CSINode.class);

    /** CSIStorageCapacity. */
    public static final Kind<CSIStorageCapacity> CSI_STORAGE_CAPACITY = new Kind<>(
            STORAGE, "v1", "CSIStorageCapacity", "csistoragecapacities", true, false, CSIStorageCapacity.class);

    /** Event. */
    public static final Kind<Event> EVENT = new Kind<>("", "v1", "Event", "events", true, false, Event.class);

    /** Lease. */
    public static final Kind<Lease> LEASE =
            new Kind<>("coordination.k8s.io", "v1", "Lease", "leases", true, false, Lease.class);

    /** Namespace. */
    public static final Kind<Namespace> NAMESPACE =
            new Kind<>("", "v1", "Namespace", "namespaces", false, true, Namespace.class);

    /** Secret. */
    public static final Kind<Secret> SECRET = new Kind<>("", "v1", "Secret", "secrets", true, false, Secret.class);

    /** ConfigMap. */
    public static final Kind<ConfigMap> CONFIG_MAP =
            new Kind<>("", "v1", "ConfigMap", "configmaps", true, false, ConfigMap.class);

    /** ServiceAccount. */
    public static final Kind<ServiceAccount> SERVICE_ACCOUNT =
            new Kind<>("", "v1", "ServiceAccount", "serviceaccounts", true, false, ServiceAccount.class);

    /** VolumeSnapshotClass: defined by a CustomResourceDefinition, and so none of the {@link #standard} kinds. */
    public static final Kind<VolumeSnapshotClass> VOLUME_SNAPSHOT_CLASS = new Kind<>(
            SNAPSHOT, "v1", "VolumeSnapshotClass", "volumesnapshotclasses", false, false, VolumeSnapshotClass.class);

    /** VolumeSnapshot: defined by a CustomResourceDefinition, and so none of the {@link #standard} kinds. */
    public static final Kind<VolumeSnapshot> VOLUME_SNAPSHOT =
            new Kind<>(SNAPSHOT, "v1", "VolumeSnapshot", "volumesnapshots", true, true, VolumeSnapshot.class);

    /** VolumeSnapshotContent: defined by a CustomResourceDefinition, and so none of the {@link #standard} kinds. */
    public static final Kind<VolumeSnapshotContent> VOLUME_SNAPSHOT_CONTENT = new Kind<>(
            SNAPSHOT,
            "v1",
            "VolumeSnapshotContent",
            "volumesnapshotcontents",
            false,
            true,
            VolumeSnapshotContent.class);

    /** The kinds of volume snapshots. */
    public static final List<Kind<?>> OF_SNAPSHOTS =
            List.of(VOLUME_SNAPSHOT_CLASS, VOLUME_SNAPSHOT, VOLUME_SNAPSHOT_CONTENT);

    private static final Kinds STANDARD = new Kinds(List.of(
            NAMESPACE,
            NODE,
            PERSISTENT_VOLUME,
            PERSISTENT_VOLUME_CLAIM,
            POD,
            STORAGE_CLASS,
            VOLUME_ATTACHMENT,
            VOLUME_ATTRIBUTES_CLASS,
            CSI_DRIVER,
            CSI_NODE,
            CSI_STORAGE_CAPACITY,
            SECRET,
            CONFIG_MAP,
            SERVICE_ACCOUNT,
            LEASE,
            EVENT));

    private final List<Kind<?>> kinds;

    private Kinds(List<Kind<?>> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    /** The kinds that persistent storage needs. */
    public static Kinds standard() {
        return STANDARD;
    }

    /** These kinds, followed by others. */
    public Kinds and(List<Kind<?>> others) {
        List<Kind<?>> all = new ArrayList<>(kinds);
        all.addAll(others);
        return new Kinds(all);
    }

    /** All kinds in their order. */
    public List<Kind<?>> all() {
        return kinds;
    }

    /** The same with one more kind. */
    public Kinds with(Kind<?> kind) {
        List<Kind<?>> more = new ArrayList<>(kinds);
        more.add(kind);
        return new Kinds(more);
    }

    /** The kind of a document. */
    public Optional<Kind<?>> byName(String apiVersion, String kind) {
        return kinds.stream()
                .filter(known -> known.name().equals(kind) && known.apiVersion().equals(apiVersion))
                .findFirst();
    }

    /** The kind of a name, in any API version. */
    public Optional<Kind<?>> byKindName(String kind) {
        return kinds.stream().filter(known -> known.name().equals(kind)).findFirst();
    }
}
