// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.index;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.PersistentVolumeStatus;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Free volumes of one class and claims that ask for them, the same for the same arguments. */
final class Population {
    /** More than any cache of a processor holds, so that a claim comes as cold as in a cluster. */
    static final int CLAIMS = 1 << 16;

    private static final long MEBIBYTE = 1 << 20;
    private static final long SEED = 42;

    private final Random random = new Random(SEED);
    private final int volumes;
    private final int sizes;

    /**
     * Plans a population.
     *
     * @param volumes how many volumes
     * @param sizes how many different sizes they have
     */
    Population(int volumes, int sizes) {
        this.volumes = volumes;
        this.sizes = sizes;
    }

    /** The volumes in random order; from a call to the next the sizes are dealt out anew. */
    PersistentVolume[] volumes() {
        PersistentVolume[] made = new PersistentVolume[volumes];
        for (int i = 0; i < volumes; i++) {
            made[i] = volume(i, size(i % sizes));
        }
        for (int i = volumes - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            PersistentVolume swapped = made[i];
            made[i] = made[other];
            made[other] = swapped;
        }
        return made;
    }

    PersistentVolume volume(int number, Quantity size) {
        PersistentVolumeSpec spec = PersistentVolumeSpec.EMPTY
                .withCapacity(Map.of("storage", size))
                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                .withStorageClassName(Optional.of("fast"));
        return new PersistentVolume(
                ObjectMeta.named(String.format("pv-%07d", number)).withUid("uid-" + number),
                spec,
                PersistentVolumeStatus.EMPTY.withPhase(PersistentVolumePhase.AVAILABLE));
    }

    /** Claims that ask for anything up to the largest volume. */
    PersistentVolumeClaim[] claims() {
        PersistentVolumeClaim[] made = new PersistentVolumeClaim[CLAIMS];
        for (int i = 0; i < CLAIMS; i++) {
            PersistentVolumeClaim claim = PersistentVolumeClaim.of(
                    "ns-" + i % 100,
                    "claim-" + i,
                    PersistentVolumeClaimSpec.EMPTY
                            .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                            .withStorageClassName(Optional.of("fast"))
                            .withRequestedStorage(size(random.nextInt(sizes))));
            made[i] = claim.withMetadata(claim.metadata().withUid("uid-" + i));
        }
        return made;
    }

    /** One of the sizes, by its number. */
    Quantity size(int number) {
        return Quantity.ofBytes((number + 1L) * MEBIBYTE);
    }

    Quantity anySize() {
        return size(random.nextInt(sizes));
    }
}
