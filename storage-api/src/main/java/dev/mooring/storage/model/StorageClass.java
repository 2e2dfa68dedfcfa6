// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A class of storage: who makes it, and how.
 *
 * @param metadata metadata
 * @param provisioner who makes volumes
 * @param parameters parameters for the provisioner
 * @param reclaimPolicy policy of new volumes; absent for Delete
 * @param mountOptions mount options of new volumes
 * @param allowVolumeExpansion whether claims may grow
 * @param volumeBindingMode when claims are bound
 * @param allowedTopologies where new volumes may be
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record StorageClass(
        ObjectMeta metadata,
        String provisioner,
        Map<String, String> parameters,
        Optional<ReclaimPolicy> reclaimPolicy,
        List<String> mountOptions,
        Optional<Boolean> allowVolumeExpansion,
        Optional<VolumeBindingMode> volumeBindingMode,
        List<Document> allowedTopologies)
        implements KubernetesObject, StorageClassBuilder.With {
    /** Copies lists and maps. */
    public StorageClass {
        parameters = Copies.map(parameters);
        mountOptions = Copies.list(mountOptions);
        allowedTopologies = Copies.list(allowedTopologies);
    }

    /** A new class with Kubernetes' defaults: Delete, Immediate. */
    public static StorageClass of(String name, String provisioner) {
        return new StorageClass(
                ObjectMeta.named(name),
                provisioner,
                Map.of(),
                Optional.of(ReclaimPolicy.DELETE),
                List.of(),
                Optional.empty(),
                Optional.of(VolumeBindingMode.IMMEDIATE),
                List.of());
    }
}
