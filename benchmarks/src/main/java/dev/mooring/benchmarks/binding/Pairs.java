// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/** So many volumes and as many claims, each claim as large as one volume; in random order, the same at every run. */
final class Pairs {
    private static final String NAMESPACE = "default";
    private static final long MEBIBYTE = 1 << 20;

    /** So many objects are created before the binder gets to work: the same backlog whatever the number of pairs. */
    private static final int BURST = 1000;

    /** Which comes first. */
    enum Order {
        VOLUMES_FIRST,
        /** All claims wait before the first volume comes. */
        CLAIMS_FIRST,
        /** A volume, a claim of its size, the next volume. */
        INTERLEAVED,
        /** Volumes first; each names its claim. */
        PRE_BOUND;

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final Order order;
    private final List<PersistentVolume> volumes = new ArrayList<>();
    private final List<PersistentVolumeClaim> claims = new ArrayList<>();

    /**
     * Makes the objects.
     *
     * @param count how many pairs
     * @param sizes how many different sizes
     * @param order in which order they come
     */
    Pairs(int count, int sizes, Order order) {
        this.order = order;
        for (int i = 0; i < count; i++) {
            String number = String.format("%07d", i);
            Quantity size = Quantity.ofBytes((1 + i % sizes) * MEBIBYTE);
            PersistentVolume volume = volume("pv-" + number, size);
            volumes.add(order == Order.PRE_BOUND ? reservedFor(volume, "data-" + number) : volume);
            claims.add(claim("data-" + number, size));
        }
        if (order == Order.INTERLEAVED) {
            // The same order for both, so that each claim finds the one volume that has just come.
            Collections.shuffle(volumes, new Random(1));
            Collections.shuffle(claims, new Random(1));
        } else {
            Collections.shuffle(volumes, new Random(2));
            Collections.shuffle(claims, new Random(3));
        }
    }

    static PersistentVolume volume(String name, Quantity size) {
        return PersistentVolume.of(
                name,
                PersistentVolumeSpec.EMPTY
                        .withStorage(size)
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withSource(Optional.of(new NfsSource("nfs.example.com", "/" + name, false).toSource())));
    }

    static PersistentVolumeClaim claim(String name, Quantity size) {
        return PersistentVolumeClaim.of(
                NAMESPACE,
                name,
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(size)
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE)));
    }

    private static PersistentVolume reservedFor(PersistentVolume volume, String claim) {
        ObjectReference reference =
                ObjectReference.EMPTY.withNamespace(NAMESPACE).withName(claim);
        return volume.withSpec(volume.spec().withClaimRef(Optional.of(reference)));
    }

    /** Brings them in, in bursts, and waits until everything is bound. */
    void bindIn(World world) {
        switch (order) {
            case VOLUMES_FIRST, PRE_BOUND -> {
                bring(world, Kinds.PERSISTENT_VOLUME, volumes);
                bring(world, Kinds.PERSISTENT_VOLUME_CLAIM, claims);
            }
            case CLAIMS_FIRST -> {
                bring(world, Kinds.PERSISTENT_VOLUME_CLAIM, claims);
                bring(world, Kinds.PERSISTENT_VOLUME, volumes);
            }
            case INTERLEAVED -> {
                for (int i = 0; i < volumes.size(); i++) {
                    world.create(Kinds.PERSISTENT_VOLUME, volumes.get(i));
                    world.settle();
                    world.create(Kinds.PERSISTENT_VOLUME_CLAIM, claims.get(i));
                    world.settle();
                }
            }
        }
    }

    private static <T extends KubernetesObject> void bring(World world, Kind<T> kind, List<T> objects) {
        for (int i = 0; i < objects.size(); i++) {
            world.create(kind, objects.get(i));
            if (i % BURST == BURST - 1) {
                world.settle();
            }
        }
        world.settle();
    }

    /** Throws unless every claim is Bound, and as many volumes. */
    void requireBound(World world) {
        long bound = world.all(Kinds.PERSISTENT_VOLUME_CLAIM).items().stream()
                .filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                .count();
        long taken = world.all(Kinds.PERSISTENT_VOLUME).items().stream()
                .filter(volume -> volume.status().phase() == PersistentVolumePhase.BOUND)
                .count();
        if (bound != claims.size() || taken != volumes.size()) {
            throw new IllegalStateException(bound + " of " + claims.size() + " claims are bound, " + taken + " of "
                    + volumes.size() + " volumes");
        }
    }
}
