// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.ProvisionRequestBuilder;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The request to a plugin for a claim that needs a new volume. The binder, which plans, and a node's agent, which makes the storage where
 * the data is to lie, build the request from the same objects by this one function, so that both see the same plan. Pure; thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProvisionRequests {
    private static final String STORAGE = "storage";

    private ProvisionRequests() {}

    /**
     * Which storage is meant, for {@link dev.mooring.runtime.control.Call#occasion}: the claim's, with the attributes that it is asked for.
     *
     * @return the claim's uid and, if there are attributes, these in few letters; never null
     */
    public static String occasion(ProvisionRequest request) {
        return request.attributes().isEmpty()
                ? request.claimUid()
                : request.claimUid() + "/" + AttributesClasses.digest(request.attributes());
    }

    /**
     * The request of a claim (semantics/binder §1.10 PI).
     *
     * @param claim the claim, never null
     * @param storageClass the claim's class, never null; a class without a reclaim policy means Delete, as in Kubernetes
     * @param attributes the attributes that the storage has, as {@link AttributesClasses#wanted} answers for the claim
     * @param volumeName the name that the PersistentVolume has or will get
     * @param node where the storage is made; empty if any place will do
     * @return the request, never null; equal for equal arguments
     */
    public static ProvisionRequest of(
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            Map<String, String> attributes,
            String volumeName,
            Optional<NodeRef> node) {
        return ProvisionRequestBuilder.builder()
                .volumeName(volumeName)
                .claim(ObjectKey.of(claim))
                .claimUid(claim.metadata().uid())
                .claimLabels(claim.metadata().labels())
                .claimAnnotations(claim.metadata().annotations())
                .requested(claim.spec().resources().requests().getOrDefault(STORAGE, Quantity.ZERO))
                .accessModes(claim.spec().accessModes())
                .mode(claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM))
                .className(storageClass.metadata().name())
                .parameters(storageClass.parameters())
                .attributes(attributes)
                .mountOptions(storageClass.mountOptions())
                .reclaimPolicy(storageClass.reclaimPolicy().orElse(ReclaimPolicy.DELETE))
                .selectedNode(node)
                .nodeLabels(Map.of())
                .build();
    }
}
