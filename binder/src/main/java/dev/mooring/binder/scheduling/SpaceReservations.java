// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.scheduling.Assumption.Pool;
import dev.mooring.binder.scheduling.Assumption.Provision;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Space that was promised to claims and that the pools' own accounts do not show yet (#111755). A promise holds from the assumption on;
 * once the claim says which node it is for, as long as it says so; once it has its volume, until the pool's account shows it: until the
 * pool has that much less than when it was promised, or tells of itself again, or has been silent for a while ({@link SilentPools}).
 * Confined to the decider.
 */
final class SpaceReservations {
    private final Map<ObjectKey, Promise> byClaim = new TreeMap<>();
    private final Map<ObjectKey, Pool> pools = new HashMap<>();

    /**
     * What a claim was promised.
     *
     * @param pool what the pool had then
     * @param shownSince what else the pool's account has shown since
     * @param written whether the claim names its node
     * @param versionWhenBound the pool's version when the claim had its volume; empty before
     */
    private record Promise(
            Provision provision, Pool pool, Quantity shownSince, boolean written, Optional<String> versionWhenBound) {
        Promise asWritten(boolean now) {
            return new Promise(provision, pool, shownSince, now, versionWhenBound);
        }

        Promise boundAt(String version) {
            return new Promise(provision, pool, shownSince, true, Optional.of(version));
        }

        Promise withShown(Promise other) {
            return new Promise(
                    provision, pool, shownSince.plus(other.provision.requested()), written, versionWhenBound);
        }

        boolean isOf(ObjectKey other) {
            return pool.object().equals(other);
        }

        boolean isOf(PersistentVolumeClaim claim) {
            return provision.claimUid().equals(claim.metadata().uid());
        }

        /** Whether this much went from the pool too, since the promise was made. */
        boolean isShownBy(Pool now) {
            Quantity then = now.capacity().plus(provision.requested()).plus(shownSince);
            return then.compareTo(pool.capacity()) <= 0;
        }
    }

    void add(Provision provision) {
        Promise known = byClaim.get(provision.claim());
        boolean written = known != null && known.provision.claimUid().equals(provision.claimUid()) && known.written;
        provision
                .pool()
                .ifPresent(pool -> byClaim.put(
                        provision.claim(), new Promise(provision, pool, Quantity.ZERO, written, Optional.empty())));
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
            if (entry.getValue().isOf(pool) && !entry.getKey().equals(except)) {
                sum = sum.plus(entry.getValue().provision.requested());
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
        Optional<PersistentVolumeClaim> same = after.filter(promise::isOf);
        boolean bound =
                same.filter(claim -> !claim.spec().volumeName().isEmpty()).isPresent();
        boolean written = same.flatMap(claim -> claim.metadata().annotation(Annotations.SELECTED_NODE))
                .isPresent();
        if (bound) {
            return promise.versionWhenBound.isEmpty() && nowBound(key, promise);
        }
        if (same.isPresent() && (written || assumed)) {
            byClaim.put(key, promise.asWritten(written));
            return false;
        }
        byClaim.remove(key);
        return true;
    }

    /** A claim has its volume; whether the account of its pool shows that already. */
    private boolean nowBound(ObjectKey claim, Promise promise) {
        Optional<Pool> now = Optional.ofNullable(pools.get(promise.pool.object()));
        Optional<String> version = now.map(Pool::version);
        boolean isShown = now.filter(promise::isShownBy).isPresent();
        if (isShown) {
            endShown(claim, promise, version);
        } else {
            byClaim.put(claim, promise.boundAt(version.orElse("")));
        }
        return isShown;
    }

    /** A pool tells of itself: what was bound before is in its account now; whether there was any. */
    boolean poolChanged(ObjectKey pool, Optional<Pool> after) {
        after.ifPresentOrElse(now -> pools.put(pool, now), () -> pools.remove(pool));
        Optional<String> version = after.map(Pool::version);
        List<Map.Entry<ObjectKey, Promise>> shown = byClaim.entrySet().stream()
                .filter(entry -> entry.getValue().isOf(pool)
                        && entry.getValue()
                                .versionWhenBound
                                .filter(bound -> !version.equals(Optional.of(bound)))
                                .isPresent())
                .map(Map.Entry::copyOf)
                .toList();
        shown.forEach(entry -> endShown(entry.getKey(), entry.getValue(), Optional.empty()));
        return !shown.isEmpty();
    }

    /**
     * The account of a pool shows what was promised: the other promises of the pool have to be seen beside that.
     *
     * @param counted the version whose account shows it already: what was promised by that version counts from there
     */
    private void endShown(ObjectKey claim, Promise promise, Optional<String> counted) {
        byClaim.remove(claim);
        byClaim.replaceAll((other, still) ->
                still.isOf(promise.pool.object()) && !counted.equals(Optional.of(still.pool.version()))
                        ? still.withShown(promise)
                        : still);
    }

    /** The uid of the claim, if it has its volume and its pool has not told of itself since. */
    Optional<String> awaitsPool(ObjectKey claim) {
        return Optional.ofNullable(byClaim.get(claim))
                .filter(promise -> promise.versionWhenBound.isPresent())
                .map(promise -> promise.provision.claimUid());
    }

    /** The pool has been silent for so long that its account is as it should be; answers with the class of what can be promised to others. */
    Optional<String> settle(ObjectKey claim) {
        return awaitsPool(claim).isPresent()
                ? Optional.ofNullable(byClaim.remove(claim)).map(promise -> promise.provision.storageClass())
                : Optional.empty();
    }
}
