// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.capacity;

import dev.mooring.binder.CapacityRole;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIStorageCapacity;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.OwnerReferenceBuilder;
import dev.mooring.storage.spi.CapacityReporting.FreeSpace;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The storage of a class in a part of the cluster, and the object that tells of it (semantics/csi §12). The object's name follows from what
 * it is about: a create that is repeated makes no second one. Pure.
 *
 * @param driver whose storage it is
 * @param className the class
 * @param place the labels of the part's nodes, in a fixed order; empty for the whole cluster
 */
record CapacityPool(String driver, String className, Map<String, String> place) {
    private static final String DRIVER_LABEL = "csi.storage.k8s.io/drivername";
    private static final String MANAGER_LABEL = "csi.storage.k8s.io/managed-by";
    private static final int NAME_BYTES = 10;

    CapacityPool {
        place = new TreeMap<>(place);
    }

    /** The object's key. */
    ObjectKey key(CapacityRole role) {
        return ObjectKey.of(role.namespace(), "csisc-" + digest(driver + "\n" + className + "\n" + place));
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Whether this manager wrote an object, and not another one, such as a driver's own external-provisioner. */
    static boolean isOf(CapacityRole role, CSIStorageCapacity found) {
        return found.metadata().namespace().equals(role.namespace())
                && role.manager().equals(found.metadata().labels().get(MANAGER_LABEL));
    }

    /** The driver whose storage an object is about; empty if it does not say. */
    static String driverOf(CSIStorageCapacity found) {
        return found.metadata().labels().getOrDefault(DRIVER_LABEL, "");
    }

    /** The object as it is made; it goes with the CSIDriver. */
    CSIStorageCapacity fresh(CapacityRole role, CSIDriver owner, FreeSpace space) {
        OwnerReference reference = OwnerReferenceBuilder.builder()
                .apiVersion("storage.k8s.io/v1")
                .kind("CSIDriver")
                .name(owner.metadata().name())
                .uid(owner.metadata().uid())
                .build();
        ObjectMeta metadata = ObjectMeta.named(key(role).name())
                .withNamespace(role.namespace())
                .withLabels(Map.of(DRIVER_LABEL, driver, MANAGER_LABEL, role.manager()))
                .withOwnerReferences(List.of(reference));
        return with(
                new CSIStorageCapacity(
                        metadata,
                        Optional.of(LabelSelector.EMPTY.withMatchLabels(place)),
                        className,
                        Optional.empty(),
                        Optional.empty()),
                space);
    }

    /** The same object with what is left. */
    static CSIStorageCapacity with(CSIStorageCapacity object, FreeSpace space) {
        return object.withCapacity(Optional.of(space.available())).withMaximumVolumeSize(space.largestVolume());
    }
}
