// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.VolumeMode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The free volumes in groups: by class, attributes class and volume mode, then by set of access modes.
 *
 * <p>The first three are equal in volume and claim (F5, F6, F13), so one look-up finds the shelf; the access modes of the volume contain
 * those of the claim, so a shelf has one slot per set.
 */
final class FreeVolumes {
    private final ProbeCounter probes;
    private final Map<String, Map<String, Shelves>> byClass = new HashMap<>();
    private int size;

    FreeVolumes(ProbeCounter probes) {
        this.probes = probes;
    }

    int size() {
        return size;
    }

    void add(VolumeEntry volume) {
        byClass.computeIfAbsent(volume.storageClass(), name -> new HashMap<>())
                .computeIfAbsent(volume.attributesClass(), name -> new Shelves())
                .of(volume.volumeMode())
                .add(volume, probes);
        size++;
    }

    void remove(VolumeEntry volume) {
        Map<String, Shelves> byAttributes = byClass.get(volume.storageClass());
        Shelves shelves = byAttributes == null ? null : byAttributes.get(volume.attributesClass());
        if (byAttributes == null || shelves == null) {
            throw new IllegalStateException("not among the free volumes: " + volume);
        }
        Shelf shelf = shelves.of(volume.volumeMode());
        shelf.group(volume).remove(volume);
        shelf.dropIfEmpty(volume.mask());
        size--;
        if (shelves.filesystem.groups + shelves.block.groups == 0) {
            byAttributes.remove(volume.attributesClass());
            if (byAttributes.isEmpty()) {
                byClass.remove(volume.storageClass());
            }
        }
    }

    /** Another version of a volume that stands at the same place. */
    void replace(VolumeEntry volume) {
        Shelf shelf = shelfOf(volume);
        if (shelf == null) {
            throw new IllegalStateException("not among the free volumes: " + volume);
        }
        shelf.group(volume).replace(volume);
    }

    /** The shelf for a claim; null if there is none. */
    @Nullable
    Shelf shelf(Demand demand) {
        return shelf(demand.storageClass(), demand.attributesClass(), demand.volumeMode());
    }

    /** The shelf that a volume would stand on; null if there is none. */
    @Nullable
    Shelf shelfOf(VolumeEntry volume) {
        return shelf(volume.storageClass(), volume.attributesClass(), volume.volumeMode());
    }

    private @Nullable Shelf shelf(String storageClass, String attributesClass, VolumeMode mode) {
        Map<String, Shelves> byAttributes = byClass.get(storageClass);
        Shelves shelves = byAttributes == null ? null : byAttributes.get(attributesClass);
        return shelves == null || mode == VolumeMode.UNKNOWN ? null : shelves.of(mode);
    }

    /** Shows every group with what all its volumes have in common. */
    void forEach(GroupVisitor visitor) {
        byClass.forEach((storageClass, byAttributes) -> byAttributes.forEach((attributesClass, shelves) -> {
            shelves.filesystem.forEach(storageClass, attributesClass, VolumeMode.FILESYSTEM, visitor);
            shelves.block.forEach(storageClass, attributesClass, VolumeMode.BLOCK, visitor);
        }));
    }

    /** Sees one group. */
    interface GroupVisitor {
        void visit(String storageClass, String attributesClass, VolumeMode mode, int mask, FreeGroup group);
    }

    void check() {
        int count = 0;
        for (Map<String, Shelves> byAttributes : byClass.values()) {
            if (byAttributes.isEmpty()) {
                throw new IllegalStateException("a class without volumes is kept");
            }
            for (Shelves shelves : byAttributes.values()) {
                int found = shelves.filesystem.check() + shelves.block.check();
                if (found == 0) {
                    throw new IllegalStateException("shelves without volumes are kept");
                }
                count += found;
            }
        }
        if (count != size) {
            throw new IllegalStateException("size " + size + " but " + count + " free volumes");
        }
    }

    /** The shelves of one class and attributes class. A volume of another volume mode is never free. */
    private static final class Shelves {
        private final Shelf filesystem = new Shelf();
        private final Shelf block = new Shelf();

        private Shelf of(VolumeMode mode) {
            return mode == VolumeMode.BLOCK ? block : filesystem;
        }
    }

    /** The groups of one class, attributes class and volume mode. */
    static final class Shelf {
        private final @Nullable FreeGroup[] byMask = new FreeGroup[ModeMasks.COUNT];
        private int groups;

        /** The group of exactly these access modes; null if it has no volume. */
        @Nullable
        FreeGroup group(int mask) {
            return byMask[mask];
        }

        private FreeGroup group(VolumeEntry volume) {
            FreeGroup group = byMask[volume.mask()];
            if (group == null) {
                throw new IllegalStateException("not among the free volumes: " + volume);
            }
            return group;
        }

        private void add(VolumeEntry volume, ProbeCounter probes) {
            FreeGroup group = byMask[volume.mask()];
            if (group == null) {
                group = new FreeGroup(probes);
                byMask[volume.mask()] = group;
                groups++;
            }
            group.add(volume);
        }

        private void dropIfEmpty(int mask) {
            FreeGroup group = byMask[mask];
            if (group != null && group.isEmpty()) {
                byMask[mask] = null;
                groups--;
            }
        }

        private void forEach(String storageClass, String attributesClass, VolumeMode mode, GroupVisitor visitor) {
            for (int mask = 0; mask < byMask.length; mask++) {
                FreeGroup group = byMask[mask];
                if (group != null) {
                    visitor.visit(storageClass, attributesClass, mode, mask, group);
                }
            }
        }

        private int check() {
            int count = 0;
            int found = 0;
            for (FreeGroup group : byMask) {
                if (group != null) {
                    group.check();
                    count += group.size();
                    found += group.size() == 0 ? 0 : 1;
                }
            }
            if (found != groups) {
                throw new IllegalStateException(groups + " groups but " + found + " that hold volumes");
            }
            return count;
        }
    }
}
