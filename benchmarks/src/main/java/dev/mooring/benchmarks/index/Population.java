// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.index;

import dev.mooring.binder.index.MatchOptions;
import dev.mooring.binder.index.VolumeIndex;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.PersistentVolumeStatus;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Free volumes of one class and claims that ask for them, the same for the same arguments. */
final class Population {
    /** More than any cache of a processor holds, so that a claim comes as cold as in a cluster. */
    static final int CLAIMS = 1 << 16;

    private static final long MEBIBYTE = 1 << 20;
    private static final long SEED = 42;
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String TIER = "tier";
    private static final int ZONES = 3;
    private static final int TIERS = 10;
    private static final int ONE_PERCENT = 100;

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

    /** The volumes in random order; from a call to the next the sizes are dealt out again. */
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
        return claims(sizes);
    }

    /** Claims that ask for one of the smallest sizes. */
    PersistentVolumeClaim[] claims(int smallest) {
        PersistentVolumeClaim[] made = new PersistentVolumeClaim[CLAIMS];
        for (int i = 0; i < CLAIMS; i++) {
            PersistentVolumeClaim claim = PersistentVolumeClaim.of(
                    "ns-" + i % 100,
                    "claim-" + i,
                    PersistentVolumeClaimSpec.EMPTY
                            .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                            .withStorageClassName(Optional.of("fast"))
                            .withRequestedStorage(size(random.nextInt(smallest))));
            made[i] = claim.withMetadata(claim.metadata().withUid("uid-" + i));
        }
        return made;
    }

    /** The same volumes, with a random zone out of three and a random tier out of ten. */
    static void label(PersistentVolume[] volumes) {
        Random dice = new Random(SEED);
        for (int i = 0; i < volumes.length; i++) {
            volumes[i] = labelled(volumes[i], "z" + dice.nextInt(ZONES), "t" + dice.nextInt(TIERS));
        }
    }

    /** The same volumes in two halves at random: zone z0 and tier t0, or zone z1 and tier t1. */
    static void labelHalves(PersistentVolume[] volumes) {
        Random dice = new Random(SEED);
        for (int i = 0; i < volumes.length; i++) {
            int half = dice.nextInt(2);
            volumes[i] = labelled(volumes[i], "z" + half, "t" + half);
        }
    }

    private static PersistentVolume labelled(PersistentVolume volume, String zone, String tier) {
        return volume.withMetadata(volume.metadata().withLabels(Map.of(ZONE, zone, TIER, tier)));
    }

    /** The same claims, each of which wants a zone and a tier. */
    static void select(PersistentVolumeClaim[] claims) {
        Random dice = new Random(SEED + 1);
        for (int i = 0; i < claims.length; i++) {
            claims[i] = selecting(claims[i], "z" + dice.nextInt(ZONES), "t" + dice.nextInt(TIERS));
        }
    }

    /** The same claims, each of which wants the zone of one half and the tier of the other. */
    static void selectNothing(PersistentVolumeClaim[] claims) {
        for (int i = 0; i < claims.length; i++) {
            claims[i] = selecting(claims[i], "z" + i % 2, "t" + (1 - i % 2));
        }
    }

    private static PersistentVolumeClaim selecting(PersistentVolumeClaim claim, String zone, String tier) {
        LabelSelector selector = new LabelSelector(Map.of(ZONE, zone, TIER, tier), List.of());
        return claim.withSpec(claim.spec().withSelector(Optional.of(selector)));
    }

    /** The same volumes, of which those of all but the largest hundredth of sizes are Bound, as after best-fit binding. */
    void bindSmall(PersistentVolume[] all) {
        Quantity free = size(sizes - sizes / ONE_PERCENT);
        for (int i = 0; i < all.length; i++) {
            if (all[i].spec().capacity().getOrDefault("storage", Quantity.ZERO).compareTo(free) < 0) {
                ObjectReference claim = ObjectReference.EMPTY
                        .withNamespace("ns")
                        .withName("bound-" + i)
                        .withUid("bound-uid-" + i);
                all[i] = all[i].withSpec(all[i].spec().withClaimRef(Optional.of(claim)))
                        .withStatus(all[i].status().withPhase(PersistentVolumePhase.BOUND));
            }
        }
    }

    /** One of the sizes, by its number. */
    Quantity size(int number) {
        return Quantity.ofBytes((number + 1L) * MEBIBYTE);
    }

    /** A new index that holds volumes. */
    static VolumeIndex index(PersistentVolume... volumes) {
        VolumeIndex index = new VolumeIndex();
        for (PersistentVolume volume : volumes) {
            index.put(volume);
        }
        return index;
    }

    /** Throws unless the index finds for the first 100 claims what is found in another way. */
    static void requireSameAnswers(
            VolumeIndex index,
            PersistentVolumeClaim[] claims,
            Function<PersistentVolumeClaim, @Nullable PersistentVolume> other) {
        for (int i = 0; i < 100; i++) {
            if (!Objects.equals(index.findBestMatchOrNull(claims[i], MatchOptions.DEFAULT), other.apply(claims[i]))) {
                throw new IllegalStateException("the index and what it is compared with disagree about " + claims[i]);
            }
        }
    }
}
