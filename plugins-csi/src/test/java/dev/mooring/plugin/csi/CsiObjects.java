// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects of worlds with a CSI driver, as people write them. */
final class CsiObjects {
    private static final String STORAGE = "storage.k8s.io/v1";
    private static final String SNAPSHOTS = "snapshot.storage.k8s.io/v1";
    private static final String NAMESPACE = "default";
    private static final String NO_NAMESPACE = "";

    private CsiObjects() {}

    static Map<String, Object> node(String name) {
        return object(
                "v1",
                "Node",
                NO_NAMESPACE,
                name,
                map(
                        "labels", map("kubernetes.io/hostname", name),
                        "annotations", map("volumes.kubernetes.io/controller-managed-attach-detach", "true")),
                map());
    }

    static Map<String, Object> csiNode(String name) {
        return object(
                STORAGE,
                "CSINode",
                NO_NAMESPACE,
                name,
                map(),
                map(
                        "drivers",
                        List.of(map(
                                "name", SimulatedDriver.NAME, "nodeID", "id-of-" + name, "topologyKeys", List.of()))));
    }

    static Map<String, Object> driver() {
        return object(
                STORAGE,
                "CSIDriver",
                NO_NAMESPACE,
                SimulatedDriver.NAME,
                map(),
                map("attachRequired", true, "podInfoOnMount", false));
    }

    static Map<String, Object> storageClass(String name, boolean immediate) {
        Map<String, Object> made = object(STORAGE, "StorageClass", NO_NAMESPACE, name, map(), map());
        made.remove("spec");
        made.put("provisioner", SimulatedDriver.NAME);
        made.put("reclaimPolicy", "Delete");
        made.put("allowVolumeExpansion", true);
        made.put("volumeBindingMode", immediate ? "Immediate" : "WaitForFirstConsumer");
        return made;
    }

    static Map<String, Object> snapshotClass() {
        Map<String, Object> made = object(SNAPSHOTS, "VolumeSnapshotClass", NO_NAMESPACE, "snaps", map(), map());
        made.remove("spec");
        made.put("driver", SimulatedDriver.NAME);
        made.put("deletionPolicy", "Delete");
        return made;
    }

    static Map<String, Object> claim(String name, String storageClass, boolean device) {
        return object(
                "v1",
                "PersistentVolumeClaim",
                NAMESPACE,
                name,
                map(),
                map(
                        "storageClassName",
                        storageClass,
                        "volumeMode",
                        device ? "Block" : "Filesystem",
                        "accessModes",
                        List.of("ReadWriteOnce"),
                        "resources",
                        map("requests", map("storage", "1Gi"))));
    }

    /** A claim, as large as any snapshot can be, that is to hold what a snapshot holds. */
    static Map<String, Object> restored(String name, String snapshot, String storageClass, boolean device) {
        return object(
                "v1",
                "PersistentVolumeClaim",
                NAMESPACE,
                name,
                map(),
                map(
                        "storageClassName",
                        storageClass,
                        "dataSource",
                        map("apiGroup", "snapshot.storage.k8s.io", "kind", "VolumeSnapshot", "name", snapshot),
                        "volumeMode",
                        device ? "Block" : "Filesystem",
                        "accessModes",
                        List.of("ReadWriteOnce"),
                        "resources",
                        map("requests", map("storage", "6Gi"))));
    }

    static Map<String, Object> snapshot(String name, String claim) {
        return object(
                SNAPSHOTS,
                "VolumeSnapshot",
                NAMESPACE,
                name,
                map(),
                map("volumeSnapshotClassName", "snaps", "source", map("persistentVolumeClaimName", claim)));
    }

    static Map<String, Object> pod(String name, String claim, boolean device, Optional<String> node) {
        Map<String, Object> container = map("name", "main", "image", "registry.example.com/app:1");
        if (device) {
            container.put("volumeDevices", List.of(map("name", "data", "devicePath", "/dev/data")));
        } else {
            container.put("volumeMounts", List.of(map("name", "data", "mountPath", "/data")));
        }
        Map<String, Object> spec = map(
                "containers",
                List.of(container),
                "volumes",
                List.of(map("name", "data", "persistentVolumeClaim", map("claimName", claim))));
        node.ifPresent(placed -> spec.put("nodeName", placed));
        return object("v1", "Pod", NAMESPACE, name, map(), spec);
    }

    /** A change of what a claim asks for. */
    static Map<String, Object> request(String claim, String size) {
        Map<String, Object> patch = reference("PersistentVolumeClaim", claim);
        patch.put("merge", map("spec", map("resources", map("requests", map("storage", size)))));
        return patch;
    }

    /** A change of a Node: a person says that its machine is off, or takes that back. */
    static Map<String, Object> off(String node, boolean said) {
        Map<String, Object> taint =
                map("key", "node.kubernetes.io/out-of-service", "value", "nodeshutdown", "effect", "NoExecute");
        return map(
                "kind", "Node", "name", node, "merge", map("spec", map("taints", said ? List.of(taint) : List.of())));
    }

    static Map<String, Object> reference(String kind, String name) {
        return map("kind", kind, "namespace", NAMESPACE, "name", name);
    }

    private static Map<String, Object> object(
            String version,
            String kind,
            String namespace,
            String name,
            Map<String, Object> more,
            Map<String, Object> spec) {
        Map<String, Object> metadata = map("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        metadata.putAll(more);
        return map("apiVersion", version, "kind", kind, "metadata", metadata, "spec", spec);
    }

    static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
