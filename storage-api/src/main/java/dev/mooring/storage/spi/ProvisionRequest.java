// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A claim's wish for a new volume.
 *
 * @param volumeName the name that the PersistentVolume will get, {@code pvc-<claim uid>}
 * @param claim namespace and name of the claim
 * @param claimUid the claim's uid
 * @param claimLabels the claim's labels, in a fixed order
 * @param claimAnnotations the claim's annotations, in a fixed order
 * @param requested the least size
 * @param accessModes the modes wanted
 * @param mode file system or block device
 * @param className the storage class
 * @param parameters the parameters of the class, in a fixed order
 * @param attributes the attributes that the storage has from the start, by name, as the claim's VolumeAttributesClass gives them, in
 *     a fixed order; empty if the claim names no class
 * @param mountOptions the mount options of the class
 * @param reclaimPolicy what becomes of the volume when the claim has gone
 * @param selectedNode the node chosen by the scheduler; absent if any will do
 * @param nodeLabels the labels of that node; empty if none was chosen or they are not known
 * @param content what the volume holds from the start; empty for nothing
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record ProvisionRequest(
        String volumeName,
        ObjectKey claim,
        String claimUid,
        Map<String, String> claimLabels,
        Map<String, String> claimAnnotations,
        Quantity requested,
        List<AccessMode> accessModes,
        VolumeMode mode,
        String className,
        Map<String, String> parameters,
        Map<String, String> attributes,
        List<String> mountOptions,
        ReclaimPolicy reclaimPolicy,
        Optional<NodeRef> selectedNode,
        Map<String, String> nodeLabels,
        Optional<ContentSource> content)
        implements ProvisionRequestBuilder.With {
    /** Copies the lists and, in their order, the maps. */
    public ProvisionRequest {
        accessModes = List.copyOf(accessModes);
        mountOptions = List.copyOf(mountOptions);
        claimLabels = Ordered.copy(claimLabels);
        claimAnnotations = Ordered.copy(claimAnnotations);
        parameters = Ordered.copy(parameters);
        attributes = Ordered.copy(attributes);
        nodeLabels = Ordered.copy(nodeLabels);
    }

    /** A wish for storage that begins empty. */
    public ProvisionRequest(
            String volumeName,
            ObjectKey claim,
            String claimUid,
            Map<String, String> claimLabels,
            Map<String, String> claimAnnotations,
            Quantity requested,
            List<AccessMode> accessModes,
            VolumeMode mode,
            String className,
            Map<String, String> parameters,
            Map<String, String> attributes,
            List<String> mountOptions,
            ReclaimPolicy reclaimPolicy,
            Optional<NodeRef> selectedNode,
            Map<String, String> nodeLabels) {
        this(
                volumeName,
                claim,
                claimUid,
                claimLabels,
                claimAnnotations,
                requested,
                accessModes,
                mode,
                className,
                parameters,
                attributes,
                mountOptions,
                reclaimPolicy,
                selectedNode,
                nodeLabels,
                Optional.empty());
    }
}
