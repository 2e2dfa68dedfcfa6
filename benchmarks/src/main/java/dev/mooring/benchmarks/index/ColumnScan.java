// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.index;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looking at every volume, as fast as that goes: what the predicates of FindBestMatch need is worked out once and kept in columns, so
 * that a match reads two arrays from front to back, and a selector is tried only on a volume that would be better than the best so
 * far. In order of names, so that the first of equal volumes is the right one.
 */
final class ColumnScan {
    private static final byte NOT_FREE = 0;
    private static final int TIERS = 5;

    private final PersistentVolume[] volumes;
    private final List<Map<String, String>> labels;
    private final long[] capacities;
    private final int[] groups;
    private final byte[] masks;
    private final Map<String, Integer> groupNumbers = new HashMap<>();
    private final int[] best = new int[TIERS];

    ColumnScan(PersistentVolume[] unordered) {
        volumes = unordered.clone();
        Arrays.sort(volumes, Comparator.comparing(volume -> volume.metadata().name()));
        labels =
                Arrays.stream(volumes).map(volume -> volume.metadata().labels()).toList();
        capacities = new long[volumes.length];
        groups = new int[volumes.length];
        masks = new byte[volumes.length];
        for (int i = 0; i < volumes.length; i++) {
            PersistentVolume volume = volumes[i];
            Quantity capacity = volume.spec().capacity().getOrDefault("storage", Quantity.ZERO);
            capacities[i] = capacity.longValue();
            String group = group(
                    StorageClasses.nameOf(volume).orElse(""),
                    volume.spec().volumeAttributesClassName().orElse(""),
                    volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM));
            groups[i] = groupNumbers.computeIfAbsent(group, first -> groupNumbers.size());
            masks[i] = isFree(volume) ? mask(volume.spec().accessModes()) : NOT_FREE;
        }
    }

    private static boolean isFree(PersistentVolume volume) {
        return volume.spec().claimRef().isEmpty()
                && !volume.metadata().isDeleting()
                && volume.status().phase() == PersistentVolumePhase.AVAILABLE;
    }

    private static String group(String storageClass, String attributesClass, VolumeMode mode) {
        return storageClass + "/" + attributesClass + "/" + mode;
    }

    private static byte mask(List<AccessMode> modes) {
        int mask = 0;
        for (AccessMode mode : modes) {
            mask |= switch (mode) {
                case READ_WRITE_ONCE -> 1;
                case READ_ONLY_MANY -> 2;
                case READ_WRITE_MANY -> 4;
                case READ_WRITE_ONCE_POD -> 8;
                case UNKNOWN -> 0;
            };
        }
        return (byte) mask;
    }

    @Nullable
    PersistentVolume find(PersistentVolumeClaim claim) {
        Integer group = groupNumbers.get(group(
                StorageClasses.nameOf(claim).orElse(""),
                claim.spec().volumeAttributesClassName().orElse(""),
                claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)));
        if (group == null) {
            return null;
        }
        int mask = mask(claim.spec().accessModes());
        long request = claim.spec().requestedStorage().longValue();
        LabelSelector selector = claim.spec().selector().orElse(null);
        if (selector == null) {
            scan(group, mask, request);
        } else {
            scan(group, mask, request, selector);
        }
        for (int tier = 0; tier < TIERS; tier++) {
            if (best[tier] >= 0) {
                return volumes[best[tier]];
            }
        }
        return null;
    }

    private void scan(int group, int mask, long request) {
        Arrays.fill(best, -1);
        for (int i = 0; i < capacities.length; i++) {
            if (capacities[i] >= request && groups[i] == group && masks[i] != NOT_FREE && (masks[i] & mask) == mask) {
                int tier = Integer.bitCount(masks[i]);
                if (best[tier] < 0 || capacities[i] < capacities[best[tier]]) {
                    best[tier] = i;
                }
            }
        }
    }

    private void scan(int group, int mask, long request, LabelSelector selector) {
        Arrays.fill(best, -1);
        for (int i = 0; i < capacities.length; i++) {
            if (capacities[i] >= request && groups[i] == group && masks[i] != NOT_FREE && (masks[i] & mask) == mask) {
                int tier = Integer.bitCount(masks[i]);
                boolean better = best[tier] < 0 || capacities[i] < capacities[best[tier]];
                if (better && selector.matches(labels.get(i))) {
                    best[tier] = i;
                }
            }
        }
    }
}
