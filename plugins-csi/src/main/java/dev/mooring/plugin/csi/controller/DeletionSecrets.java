// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.plugin.csi.driver.LiveObjects;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeSpecBuilder;
import dev.mooring.storage.store.ClusterStore;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The secrets with which volumes are destroyed that do not say it themselves, such as volumes of older versions of external-provisioner:
 * those that their class names for their claim. A template that asks for the claim's annotations leads to none, as the claim has gone
 * (semantics/csi §8.4). Thread-safe.
 */
public final class DeletionSecrets {
    private final LiveObjects objects;

    /** Reads a store. */
    public DeletionSecrets(ClusterStore store) {
        this.objects = new LiveObjects(store);
    }

    /** The volume with the annotations that name its secret; deferred while volume and class cannot be read. */
    public Outcome<VolumeSpec> noted(VolumeSpec volume) {
        if (SecretAnnotations.DELETION.isSaid(volume)) {
            return Outcome.done(volume);
        }
        return objects.find(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume.name()))
                .then(found -> found.filter(there -> there.metadata().uid().equals(volume.uid()))
                        .map(there -> classOf(there).map(storageClass -> noted(volume, there, storageClass)))
                        .orElseGet(() -> Outcome.done(volume)));
    }

    private Outcome<Optional<StorageClass>> classOf(PersistentVolume volume) {
        return volume.spec()
                .storageClassName()
                .filter(name -> !name.isEmpty())
                .map(name -> objects.find(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)))
                .orElseGet(() -> Outcome.done(Optional.empty()));
    }

    private static VolumeSpec noted(VolumeSpec volume, PersistentVolume object, Optional<StorageClass> storageClass) {
        Map<String, String> annotations = new TreeMap<>(volume.annotations());
        SecretAnnotations.DELETION.put(secret(object, storageClass), annotations);
        return VolumeSpecBuilder.builder()
                .name(volume.name())
                .uid(volume.uid())
                .source(volume.source())
                .accessModes(volume.accessModes())
                .mode(volume.mode())
                .capacity(volume.capacity())
                .mountOptions(volume.mountOptions())
                .annotations(annotations)
                .build();
    }

    private static Optional<ObjectKey> secret(PersistentVolume volume, Optional<StorageClass> storageClass) {
        return volume.spec()
                .claimRef()
                .flatMap(claim -> storageClass
                        .flatMap(found -> SecretTemplate.all(found.parameters()).result())
                        .flatMap(templates -> Optional.ofNullable(templates.get(SecretUse.PROVISIONER)))
                        .flatMap(template -> template.of(
                                        volume.metadata().name(),
                                        ObjectKey.of(claim.namespace(), claim.name()),
                                        Map.of())
                                .result()));
    }
}
