// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Objects as users write them. */
final class Texts {
    static final String DRIVER = "disk.example.com";

    /** A driver that an external attacher serves. */
    static final String FAR = "far.example.com";

    static final String SIM = "mooring.dev/sim";

    private Texts() {}

    /** A map in the order of its keys. */
    static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    private static Map<String, Object> object(String version, String kind, Map<String, Object> metadata) {
        return map("apiVersion", version, "kind", kind, "metadata", metadata);
    }

    static Map<String, Object> node(String name) {
        Map<String, Object> node = object(
                "v1",
                "Node",
                map(
                        "name",
                        name,
                        "labels",
                        map("kubernetes.io/hostname", name),
                        "annotations",
                        map("volumes.kubernetes.io/controller-managed-attach-detach", "true")));
        node.put("spec", map());
        return node;
    }

    static Map<String, Object> driver(String name) {
        Map<String, Object> driver = object("storage.k8s.io/v1", "CSIDriver", map("name", name));
        driver.put("spec", map("attachRequired", true));
        return driver;
    }

    static Map<String, Object> storageClass(String name, String provisioner, String mode, boolean isDefault) {
        Map<String, Object> metadata = map("name", name);
        if (isDefault) {
            metadata.put("annotations", map("storageclass.kubernetes.io/is-default-class", "true"));
        }
        Map<String, Object> storageClass = object("storage.k8s.io/v1", "StorageClass", metadata);
        storageClass.put("provisioner", provisioner);
        storageClass.put("reclaimPolicy", "Delete");
        storageClass.put("volumeBindingMode", mode);
        storageClass.put("allowVolumeExpansion", true);
        return storageClass;
    }

    static Map<String, Object> volume(
            String name, String size, String mode, String policy, boolean nfs, Map<String, Object> more) {
        Map<String, Object> spec = map("capacity", map("storage", size));
        spec.put("accessModes", List.of(mode));
        spec.put("persistentVolumeReclaimPolicy", policy);
        if (nfs) {
            spec.put("nfs", map("server", "nfs.example.com", "path", "/" + name));
        } else {
            spec.put("csi", map("driver", DRIVER, "volumeHandle", name));
        }
        spec.putAll(more);
        Map<String, Object> volume = object("v1", "PersistentVolume", map("name", name));
        volume.put("spec", spec);
        return volume;
    }

    static Map<String, Object> claim(
            String namespace, String name, String size, String mode, Map<String, Object> more) {
        Map<String, Object> spec = map("accessModes", List.of(mode));
        spec.put("resources", map("requests", map("storage", size)));
        spec.putAll(more);
        Map<String, Object> claim = object("v1", "PersistentVolumeClaim", map("name", name, "namespace", namespace));
        claim.put("spec", spec);
        return claim;
    }

    /** A volume of a pod whose claim is made for the pod, and called like pod and volume. */
    static Map<String, Object> ephemeral(String volume, String size, String mode, String className) {
        Map<String, Object> spec = map("accessModes", List.of(mode), "storageClassName", className);
        spec.put("resources", map("requests", map("storage", size)));
        return map("name", volume, "ephemeral", map("volumeClaimTemplate", map("spec", spec)));
    }

    static Map<String, Object> pod(String namespace, String name, String node, List<String> claims) {
        List<Map<String, Object>> volumes = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(map("name", "data-" + volumes.size(), "persistentVolumeClaim", map("claimName", claim)));
        }
        return podWith(namespace, name, node, volumes);
    }

    /** A pod with volumes as they stand in its spec. */
    static Map<String, Object> podWith(String namespace, String name, String node, List<Map<String, Object>> volumes) {
        List<Object> mounts = new ArrayList<>();
        for (Map<String, Object> volume : volumes) {
            String called = String.valueOf(volume.get("name"));
            mounts.add(map("name", called, "mountPath", "/" + called));
        }
        Map<String, Object> spec = map();
        if (!node.isEmpty()) {
            spec.put("nodeName", node);
        }
        spec.put(
                "containers",
                List.of(map("name", "main", "image", "registry.example.com/app:1", "volumeMounts", mounts)));
        spec.put("volumes", volumes);
        Map<String, Object> pod = object("v1", "Pod", map("name", name, "namespace", namespace));
        pod.put("spec", spec);
        return pod;
    }
}
