// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.scheduling.Assumption.Pool;
import dev.mooring.binder.scheduling.Assumption.Provision;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIStorageCapacity;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import java.util.List;
import java.util.Optional;

/**
 * The free space that drivers tell of (semantics/binder §3.6 S4). Upstream looks at each claim alone, so two claims of 60 GiB go to a
 * pool of 100 GiB (#111755); here everything that was promised of a pool is added up ({@link SpaceReservations}), unless upstream's way is
 * asked for.
 */
final class Capacities {
    private Capacities() {}

    /** Whether a provisioner tells of its space at all. */
    static boolean areKept(String provisioner, SchedulingView view) {
        return view.caches()
                .get(Kinds.CSI_DRIVER, ObjectKey.cluster(provisioner))
                .flatMap(Capacities::keeps)
                .orElse(false);
    }

    private static Optional<Boolean> keeps(CSIDriver driver) {
        return driver.spec().storageCapacity();
    }

    /**
     * The first space, by name, that is large enough for one more claim.
     *
     * @param before what the other claims of the pod take
     */
    static Optional<Pool> poolFor(PersistentVolumeClaim claim, Node node, List<Provision> before, SchedulingView view) {
        String storageClass = StorageClasses.nameOf(claim).orElse("");
        return view.caches().of(Kinds.CSI_STORAGE_CAPACITY).all().stream()
                .filter(pool -> pool.storageClassName().equals(storageClass)
                        && pool.nodeTopology()
                                .filter(nodes -> nodes.matches(node.metadata().labels()))
                                .isPresent()
                        && isLargeEnough(pool, claim, before, view))
                .findFirst()
                .map(Pool::of);
    }

    private static boolean isLargeEnough(
            CSIStorageCapacity pool, PersistentVolumeClaim claim, List<Provision> before, SchedulingView view) {
        Quantity requested = claim.spec().requestedStorage();
        Optional<Quantity> largest = pool.maximumVolumeSize().or(pool::capacity);
        boolean fitsAlone =
                largest.filter(size -> size.compareTo(requested) >= 0).isPresent();
        return fitsAlone
                && (!view.options().sumCapacities()
                        || pool.capacity()
                                .map(capacity -> capacity.compareTo(
                                                taken(pool, claim, before, view).plus(requested))
                                        >= 0)
                                .orElse(true));
    }

    private static Quantity taken(
            CSIStorageCapacity pool, PersistentVolumeClaim claim, List<Provision> before, SchedulingView view) {
        ObjectKey key = ObjectKey.of(pool);
        Quantity taken = view.assumptions().promised(key, ObjectKey.of(claim));
        for (Provision provision : before) {
            if (provision.pool().filter(p -> p.object().equals(key)).isPresent()) {
                taken = taken.plus(provision.requested());
            }
        }
        return taken;
    }
}
