// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import java.util.Optional;

/** Volumes that two pods must not use at once (semantics/binder §3.8). A function of the view. */
final class VolumeRestrictionsFilter {
    static final String PLUGIN = "VolumeRestrictions";
    static final String DISK_CONFLICT = "node(s) had no available disk";
    static final String ONE_POD_CONFLICT = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod"
            + " access mode already in-use by another pod";

    private VolumeRestrictionsFilter() {}

    /** Why not; empty if no other pod is in the way. */
    static Optional<Rejection> check(Pod pod, String node, SchedulingView view) {
        ObjectKey key = ObjectKey.of(pod);
        UniqueDisks disks = UniqueDisks.of(pod);
        boolean sameDisk = !disks.isEmpty()
                && view.pods().on(node).stream()
                        .filter(other -> !ObjectKey.of(other).equals(key))
                        .anyMatch(disks::conflictWith);
        if (sameDisk) {
            return Optional.of(Rejection.resolvable(PLUGIN, DISK_CONFLICT));
        }
        boolean onePod = pod.spec().volumes().stream()
                .flatMap(volume -> volume.persistentVolumeClaimName().stream())
                .map(name -> ObjectKey.of(pod.metadata().namespace(), name))
                .anyMatch(claim -> isForOnePod(claim, view) && view.pods().isUsedByOther(claim, key));
        return onePod ? Optional.of(Rejection.resolvable(PLUGIN, ONE_POD_CONFLICT)) : Optional.empty();
    }

    private static boolean isForOnePod(ObjectKey claim, SchedulingView view) {
        return view.claim(claim)
                .filter(found -> found.spec().accessModes().contains(AccessMode.READ_WRITE_ONCE_POD))
                .isPresent();
    }
}
