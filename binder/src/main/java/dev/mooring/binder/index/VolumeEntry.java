// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One version of a volume with what matching asks of it worked out once; ordered by capacity, then name (F16, T5). */
final class VolumeEntry extends Ranked {
    private static final int WORD = Long.BYTES;

    private final PersistentVolume volume;
    private final String name;
    private final Quantity capacity;
    private final @Nullable ObjectReference claimRef;
    private final int mask;
    private final VolumeMode volumeMode;
    private final String storageClass;
    private final String attributesClass;
    private final boolean takeable;
    private final boolean freeByItself;

    VolumeEntry(PersistentVolume volume, boolean upstreamPhaseOrder) {
        super(
                AmountKeys.floor(AmountKeys.capacityOf(volume)),
                AmountKeys.capacityOf(volume).fitsLong());
        this.volume = volume;
        this.name = volume.metadata().name();
        this.capacity = AmountKeys.capacityOf(volume);
        // Beside the rest: when the volume is replaced, its former object has long left the caches of the processor.
        this.claimRef = volume.spec().claimRef().orElse(null);
        this.mask = ModeMasks.offered(volume.spec().accessModes());
        this.volumeMode = volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
        this.storageClass = StorageClasses.nameOf(volume).orElse("");
        this.attributesClass = volume.spec().volumeAttributesClassName().orElse("");
        // A volume whose storage is perhaps just being destroyed serves no claim, not even for the claim that it
        // names (D6).
        this.takeable = !volume.metadata().isDeleting()
                && volume.metadata().annotation(Annotations.RECLAIMING).isEmpty()
                && volumeMode != VolumeMode.UNKNOWN;
        this.freeByItself = takeable
                && claimRef == null
                && MatchRule.isMatchable(volume.status().phase(), upstreamPhaseOrder);
    }

    PersistentVolume volume() {
        return volume;
    }

    String name() {
        return name;
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

    Map<String, String> labels() {
        return volume.metadata().labels();
    }

    @Nullable
    ObjectReference claimRef() {
        return claimRef;
    }

    /** Neither deleting nor being reclaimed, and of a volume mode that can be compared (F7, D6, F5). */
    boolean takeable() {
        return takeable;
    }

    /** Free as far as the object shows: takeable, unclaimed, in a matchable phase (F3, F7, F11, D6, D17). */
    boolean freeByItself() {
        return freeByItself;
    }

    /** Whether the other version of this volume stands at the same place of the same sequences. */
    boolean samePlaces(VolumeEntry other) {
        return key() == other.key()
                && compareAmount(other) == 0
                && mask == other.mask
                && volumeMode == other.volumeMode
                && storageClass.equals(other.storageClass)
                && attributesClass.equals(other.attributesClass)
                && labels().equals(other.labels());
    }

    // ---- order ----

    @Override
    Quantity quantity() {
        return capacity;
    }

    @Override
    int compareInexactAmount(Ranked other) {
        return capacity.compareTo(other.quantity());
    }

    /**
     * Eight characters of the name. One that does not fit into eight bits, and all behind it, count as the largest that does: then the
     * words are equal and the names decide.
     */
    @Override
    long word(int skip) {
        long word = 0;
        boolean wide = false;
        for (int i = 0; i < WORD; i++) {
            int at = skip + i;
            int character = at < name.length() ? name.charAt(at) : 0;
            wide |= character >= 0xFF;
            word = (word << 8) | (wide ? 0xFF : character);
        }
        return word ^ Long.MIN_VALUE;
    }

    @Override
    int sharedPrefix(Ranked other) {
        String otherName = ((VolumeEntry) other).name;
        int length = Math.min(name.length(), otherName.length());
        int shared = 0;
        while (shared < length && name.charAt(shared) == otherName.charAt(shared)) {
            shared++;
        }
        return shared;
    }

    @Override
    int compareTie(Ranked other) {
        return name.compareTo(((VolumeEntry) other).name);
    }

    @Override
    public String toString() {
        return "volume " + name;
    }
}
