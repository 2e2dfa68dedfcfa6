// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.CSIStorageCapacity;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import java.util.List;
import java.util.Optional;

/**
 * Where a pod goes and what its claims get there: what other pods take for granted before it is written.
 *
 * @param pod the pod
 * @param podUid its uid
 * @param node the node
 * @param bindings claims that get a volume that exists
 * @param provisions claims for which a volume is to be made
 * @param bound claims that are bound already
 */
record Assumption(
        ObjectKey pod,
        String podUid,
        String node,
        List<StaticBinding> bindings,
        List<Provision> provisions,
        List<ObjectKey> bound) {
    Assumption {
        bindings = List.copyOf(bindings);
        provisions = List.copyOf(provisions);
        bound = List.copyOf(bound);
    }

    /**
     * A claim that gets a volume.
     *
     * @param claim the claim
     * @param claimUid its uid
     * @param storageClass its class
     * @param requested how much it asks for
     * @param volume the volume
     * @param capacity how much that has
     */
    record StaticBinding(
            ObjectKey claim,
            String claimUid,
            String storageClass,
            Quantity requested,
            String volume,
            Quantity capacity) {}

    /**
     * A claim for which a volume is made.
     *
     * @param claim the claim
     * @param claimUid its uid
     * @param storageClass its class
     * @param requested how much it asks for
     * @param pool where the space is; absent if free space is not tracked
     */
    record Provision(ObjectKey claim, String claimUid, String storageClass, Quantity requested, Optional<Pool> pool) {
        static Provision of(PersistentVolumeClaim claim, Optional<Pool> pool) {
            return new Provision(
                    ObjectKey.of(claim),
                    claim.metadata().uid(),
                    StorageClasses.nameOf(claim).orElse(""),
                    claim.spec().requestedStorage(),
                    pool);
        }
    }

    /**
     * Space that a provisioner told of.
     *
     * @param object the CSIStorageCapacity
     * @param version its resourceVersion
     * @param capacity how much there is
     */
    record Pool(ObjectKey object, String version, Quantity capacity) {
        static Pool of(CSIStorageCapacity space) {
            return new Pool(
                    ObjectKey.of(space),
                    space.metadata().resourceVersion(),
                    space.capacity().orElse(Quantity.ZERO));
        }
    }
}
