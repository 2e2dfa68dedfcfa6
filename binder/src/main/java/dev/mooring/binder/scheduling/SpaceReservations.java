// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.scheduling.Assumption.Pool;
import dev.mooring.binder.scheduling.Assumption.Provision;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Space that was promised to claims and that the pools' own accounts do not show yet (#111755). A promise holds from the assumption on;
 * once the claim says which node it is for, as long as it says so; once it has its volume, until the pool tells of itself again. Confined
 * to the decider.
 */
final class SpaceReservations {
    private final Map<ObjectKey, Promise> byClaim = new TreeMap<>();
    private final Map<ObjectKey, String> poolVersions = new HashMap<>();

    private record Promise(
            String claimUid, Pool pool, Quantity amount, boolean written, Optional<String> versionWhenBound) {
        Promise asWritten(boolean now) {
            return new Promise(claimUid, pool, amount, now, versionWhenBound);
        }

        Promise boundAt(String version) {
            return new Promise(claimUid, pool, amount, true, Optional.of(version));
        }
    }

    void add(Provision provision) {
        Promise known = byClaim.get(provision.claim());
        boolean written = known != null && known.claimUid.equals(provision.claimUid()) && known.written;
        provision
                .pool()
                .ifPresent(pool -> byClaim.put(
                        provision.claim(),
                        new Promise(provision.claimUid(), pool, provision.requested(), written, Optional.empty())));
    }

    /** No pod counts with the promise any more: it falls unless the claim says otherwise. */
    void drop(ObjectKey claim) {
        Promise promise = byClaim.get(claim);
        if (promise != null && !promise.written) {
            byClaim.remove(claim);
        }
    }

    /** How much of a pool is promised to claims other than one. */
    Quantity of(ObjectKey pool, ObjectKey except) {
        Quantity sum = Quantity.ZERO;
        for (Map.Entry<ObjectKey, Promise> entry : byClaim.entrySet()) {
            if (entry.getValue().pool.object().equals(pool) && !entry.getKey().equals(except)) {
                sum = sum.plus(entry.getValue().amount);
            }
        }
        return sum;
    }

    /**
     * A claim has changed.
     *
     * @param assumed whether a pod counts with the claim being provided
     * @return whether what it was promised can be promised to others
     */
    boolean claimChanged(ObjectKey key, Optional<PersistentVolumeClaim> after, boolean assumed) {
        Promise promise = byClaim.get(key);
        if (promise == null) {
            return false;
        }
        Optional<PersistentVolumeClaim> same =
                after.filter(claim -> claim.metadata().uid().equals(promise.claimUid));
        boolean bound =
                same.filter(claim -> !claim.spec().volumeName().isEmpty()).isPresent();
        boolean written = same.flatMap(claim -> claim.metadata().annotation(Annotations.SELECTED_NODE))
                .isPresent();
        if (bound) {
            byClaim.put(key, promise.boundAt(poolVersions.getOrDefault(promise.pool.object(), "")));
            return false;
        }
        if (same.isPresent() && (written || assumed)) {
            byClaim.put(key, promise.asWritten(written));
            return false;
        }
        byClaim.remove(key);
        return true;
    }

    /** A pool tells of itself: what was bound before is in its account now; whether there was any. */
    boolean poolChanged(ObjectKey pool, Optional<String> version) {
        version.ifPresentOrElse(now -> poolVersions.put(pool, now), () -> poolVersions.remove(pool));
        return byClaim.values()
                .removeIf(promise -> promise.pool.object().equals(pool)
                        && promise.versionWhenBound
                                .filter(bound -> !version.equals(Optional.of(bound)))
                                .isPresent());
    }
}
