// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import java.util.Map;

/**
 * A volume of a random world, bound to the claim of the same name.
 *
 * @param name the PersistentVolume's and the claim's name
 * @param namespace the claim's namespace
 * @param plugin whose calls it makes
 * @param source its source, as in the object
 * @param mode its access mode, as in the object
 * @param attachable whether it has to be attached
 * @param exclusive whether only one node may have it
 * @param reportedName how a Node's status calls it
 */
record Disk(
        String name,
        String namespace,
        String plugin,
        Map<String, Object> source,
        String mode,
        boolean attachable,
        boolean exclusive,
        String reportedName) {
    private static final String SIZE = "1Gi";

    static Disk csi(String name, String namespace, String mode) {
        boolean shared = mode.equals("ReadWriteMany");
        return new Disk(
                name,
                namespace,
                "disk.example.com",
                Map.of("csi", Map.of("driver", "disk.example.com", "volumeHandle", name)),
                mode,
                true,
                !shared,
                "kubernetes.io/csi/disk.example.com^" + name);
    }

    static Disk nfs(String name, String namespace) {
        return new Disk(
                name,
                namespace,
                "kubernetes.io/nfs",
                Map.of("nfs", Map.of("server", "nfs.example.com", "path", "/" + name)),
                "ReadWriteMany",
                false,
                false,
                "");
    }

    boolean onePodOnly() {
        return mode.equals("ReadWriteOncePod");
    }

    ObjectKey claim() {
        return ObjectKey.of(namespace, name);
    }

    Document volumeObject() {
        return Document.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolume",
                "metadata",
                Map.of("name", name),
                "spec",
                specWithSource()));
    }

    private Map<String, Object> specWithSource() {
        Map<String, Object> spec = new java.util.LinkedHashMap<>();
        spec.put("capacity", Map.of("storage", SIZE));
        spec.put("accessModes", List.of(mode));
        spec.put("persistentVolumeReclaimPolicy", "Retain");
        spec.put("claimRef", Map.of("namespace", namespace, "name", name));
        spec.putAll(source);
        return spec;
    }

    Document claimObject() {
        return Document.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolumeClaim",
                "metadata",
                Map.of("name", name, "namespace", namespace),
                "spec",
                Map.of(
                        "accessModes",
                        List.of(mode),
                        "storageClassName",
                        "",
                        "volumeName",
                        name,
                        "resources",
                        Map.of("requests", Map.of("storage", SIZE)))));
    }
}
