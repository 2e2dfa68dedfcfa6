// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Map;
import java.util.Optional;

/** The secrets of a volume that its source has no field for: two annotations each (semantics/csi §8.4). Pure. */
enum SecretAnnotations {
    /** For destroying the volume. */
    DELETION("provisioner-deletion"),
    /** For giving it other attributes. */
    MODIFY("controller-modify");

    private final String name;
    private final String namespace;

    SecretAnnotations(String use) {
        this.name = "volume.kubernetes.io/" + use + "-secret-name";
        this.namespace = "volume.kubernetes.io/" + use + "-secret-namespace";
    }

    /** The secret of a volume; empty if it has none. */
    Optional<ObjectKey> of(VolumeSpec volume) {
        return Optional.ofNullable(volume.annotations().get(name))
                .filter(named -> !named.isEmpty())
                .map(named -> ObjectKey.of(volume.annotations().getOrDefault(namespace, ""), named));
    }

    /** Whether a volume names its secret, or says that it has none. */
    boolean isSaid(VolumeSpec volume) {
        return volume.annotations().containsKey(name);
    }

    /** Writes a secret; both texts empty say that there is none. */
    void put(Optional<ObjectKey> secret, Map<String, String> annotations) {
        annotations.put(name, secret.map(ObjectKey::name).orElse(""));
        annotations.put(namespace, secret.map(ObjectKey::namespace).orElse(""));
    }
}
