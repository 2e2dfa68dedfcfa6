// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.document.JsonNull;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Where the storage of a volume is: a type, which is the key in the document, and what stands under it. Open: a third party's type needs
 * no change here. Typed views exist for the types that Mooring serves itself.
 *
 * @param type the type, such as {@code nfs}
 * @param attributes what stands under it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSource(String type, Document attributes) {
    /** What Kubernetes knows as the source of a persistent volume. */
    public static final List<String> PERSISTENT_TYPES = List.of(
            "csi",
            "nfs",
            "iscsi",
            "hostPath",
            "local",
            "fc",
            "rbd",
            "cephfs",
            "glusterfs",
            "cinder",
            "flexVolume",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "azureDisk",
            "azureFile",
            "vsphereVolume",
            "portworxVolume",
            "photonPersistentDisk",
            "quobyte",
            "scaleIO",
            "storageos",
            "flocker");

    /** What Kubernetes knows as the source of a pod's volume, persistent volumes' own among them. */
    public static final List<String> POD_TYPES = Stream.concat(
                    PERSISTENT_TYPES.stream(),
                    Stream.of(
                            "persistentVolumeClaim",
                            "ephemeral",
                            "emptyDir",
                            "secret",
                            "configMap",
                            "projected",
                            "downwardAPI",
                            "image",
                            "gitRepo"))
            .toList();

    /** The source as an API server stores it: what is missing has its default (pkg/apis/core/v1/defaults.go of Kubernetes). */
    public VolumeSource withDefaults() {
        return switch (type) {
            case "hostPath" -> isSet("type") ? this : with("type", "");
            case "iscsi" ->
                isSet("iscsiInterface") && !isEmptyText("iscsiInterface") ? this : with("iscsiInterface", "default");
            default -> this;
        };
    }

    /** What is selected of it, in a selection of what stands beside it; empty if its type is not. */
    Optional<VolumeSource> keep(FieldSelection selection) {
        FieldSelection mine = selection.at(type);
        return mine.isNone() ? Optional.empty() : Optional.of(new VolumeSource(type, attributes.keep(mine)));
    }

    private boolean isSet(String key) {
        return attributes.at(key).filter(value -> value != JsonNull.NULL).isPresent();
    }

    private boolean isEmptyText(String key) {
        return attributes.text(key).filter(String::isEmpty).isPresent();
    }

    private VolumeSource with(String key, String value) {
        return new VolumeSource(type, attributes.with(value, key));
    }

    String text(String key) {
        return attributes.text(key).orElse("");
    }

    boolean flag(String key) {
        return attributes.at(key).filter(Boolean.TRUE::equals).isPresent();
    }
}
