// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.index;

import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The volumes of one set of access modes, bound ones too, in order of (capacity, name): a binary search for the request, then forward
 * to the first that the other rules let pass. What the rules need is kept in columns.
 */
final class SortedList {
    private final PersistentVolume[] volumes;
    private final long[] capacities;
    private final boolean[] free;
    private final String[] classes;

    SortedList(PersistentVolume[] unordered) {
        volumes = unordered.clone();
        Arrays.sort(
                volumes,
                Comparator.comparingLong(SortedList::capacity)
                        .thenComparing(volume -> volume.metadata().name()));
        capacities = Arrays.stream(volumes).mapToLong(SortedList::capacity).toArray();
        free = new boolean[volumes.length];
        classes = new String[volumes.length];
        for (int i = 0; i < volumes.length; i++) {
            free[i] = volumes[i].spec().claimRef().isEmpty()
                    && volumes[i].status().phase() == PersistentVolumePhase.AVAILABLE;
            classes[i] = StorageClasses.nameOf(volumes[i]).orElse("");
        }
    }

    private static long capacity(PersistentVolume volume) {
        return volume.spec().capacity().getOrDefault("storage", Quantity.ZERO).longValue();
    }

    @Nullable
    PersistentVolume find(PersistentVolumeClaim claim) {
        String wanted = StorageClasses.nameOf(claim).orElse("");
        long request = claim.spec().requestedStorage().longValue();
        int low = 0;
        int high = capacities.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (capacities[middle] < request) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for (int i = low; i < volumes.length; i++) {
            if (free[i] && classes[i].equals(wanted)) {
                return volumes[i];
            }
        }
        return null;
    }
}
