// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One waiting claim; ordered by request, the largest first, then creation time, namespace and name (D18).
 *
 * <p>The order descends in the request, so the amount that counts for {@link Ranked} is its negative: the first claim at or behind a
 * volume's negated capacity is the one with the largest request that the volume can hold.
 */
final class WaitingClaim extends Ranked {
    private final ObjectKey key;
    private final Awaited awaited;
    private final int mask;
    private final VolumeMode volumeMode;
    private final String storageClass;
    private final String attributesClass;
    private final Quantity request;
    private final Instant created;
    private final @Nullable LabelSelector selector;

    WaitingClaim(PersistentVolumeClaim claim, Awaited awaited) {
        super(
                AmountKeys.floorOfNegated(AmountKeys.requestOf(claim)),
                AmountKeys.requestOf(claim).fitsLong());
        this.key = ObjectKey.of(claim);
        this.awaited = awaited;
        this.mask = ModeMasks.wanted(claim.spec().accessModes());
        this.volumeMode = claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
        this.storageClass = ClaimFields.storageClassOf(claim);
        this.attributesClass = claim.spec().volumeAttributesClassName().orElse("");
        this.request = AmountKeys.requestOf(claim);
        this.created = claim.metadata().creationTimestamp().orElse(Instant.EPOCH);
        this.selector = claim.spec().selector().orElse(null);
    }

    ObjectKey claim() {
        return key;
    }

    Awaited awaited() {
        return awaited;
    }

    int mask() {
        return mask;
    }

    VolumeMode volumeMode() {
        return volumeMode;
    }

    String storageClass() {
        return storageClass;
    }

    String attributesClass() {
        return attributesClass;
    }

    @Nullable
    LabelSelector selector() {
        return selector;
    }

    boolean selects(Map<String, String> labels) {
        return selector == null || selector.matches(labels);
    }

    /** Whether this claim comes before another one, whatever their modes. */
    boolean isBefore(WaitingClaim other) {
        int order = Long.compare(key(), other.key());
        if (order == 0) {
            order = compareAmount(other);
        }
        return order == 0 ? compareTie(other) < 0 : order < 0;
    }

    // ---- order ----

    @Override
    Quantity quantity() {
        return request;
    }

    @Override
    int compareInexactAmount(Ranked other) {
        return other.quantity().compareTo(request);
    }

    @Override
    long word(int skip) {
        return created.getEpochSecond();
    }

    @Override
    int sharedPrefix(Ranked other) {
        return 0;
    }

    @Override
    int compareTie(Ranked other) {
        WaitingClaim claim = (WaitingClaim) other;
        int byCreation = created.compareTo(claim.created);
        return byCreation != 0 ? byCreation : key.compareTo(claim.key);
    }

    @Override
    public String toString() {
        return "waiting claim " + key;
    }
}
