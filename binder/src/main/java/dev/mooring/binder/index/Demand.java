// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import org.jspecify.annotations.Nullable;

/**
 * What a claim asks of a volume, worked out once per match. Mutable and used again, so that a match makes no garbage.
 *
 * <p>Holds the predicates of semantics §2.2 that concern one volume and one claim.
 */
final class Demand {
    private String namespace = "";
    private String name = "";
    private String uid = "";
    private int mask;
    private VolumeMode volumeMode = VolumeMode.FILESYSTEM;
    private String storageClass = "";
    private String attributesClass = "";
    private Quantity request = Quantity.ZERO;
    private long key;
    private @Nullable Amount inexact;
    private @Nullable LabelSelector selector;

    void of(PersistentVolumeClaim claim) {
        namespace = claim.metadata().namespace();
        name = claim.metadata().name();
        uid = claim.metadata().uid();
        mask = ModeMasks.wanted(claim.spec().accessModes());
        volumeMode = claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
        storageClass = ClaimFields.storageClassOf(claim);
        attributesClass = claim.spec().volumeAttributesClassName().orElse("");
        request = AmountKeys.requestOf(claim);
        key = AmountKeys.floor(request);
        inexact = request.fitsLong() ? null : new Amount(key, false, request);
        selector = claim.spec().selector().orElse(null);
    }

    String namespace() {
        return namespace;
    }

    String name() {
        return name;
    }

    String uid() {
        return uid;
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

    /** The place of the first volume that is large enough (F4). */
    long seekIn(SortedLeaves<VolumeEntry> volumes) {
        return inexact == null ? volumes.seek(key) : volumes.seek(inexact);
    }

    /** F4 to F7 and the access modes: what is asked even of a volume that is for this claim. */
    boolean fits(VolumeEntry volume) {
        return volume.takeable()
                && ModeMasks.contains(volume.mask(), mask)
                && isLargeEnough(volume)
                && volume.volumeMode() == volumeMode
                && volume.attributesClass().equals(attributesClass);
    }

    /** F4. */
    boolean isLargeEnough(VolumeEntry volume) {
        return volume.quantity().compareTo(request) >= 0;
    }

    /** F12. */
    boolean selects(VolumeEntry volume) {
        return selector == null || selector.matches(volume.labels());
    }
}
