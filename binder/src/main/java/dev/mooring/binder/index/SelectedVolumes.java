// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.LabelSelector;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The volumes of one group that a selector without a required value selects: one that says only {@code Exists}, {@code DoesNotExist} or
 * {@code NotIn}. Nothing can be looked up for such a selector, so each has a list of its own, in the order of the group, from the first
 * time that a claim brings it. There are few different selectors in a cluster; the first {@value #MOST_SELECTORS} have lists.
 */
final class SelectedVolumes {
    static final int MOST_SELECTORS = 16;

    private final ProbeCounter probes;
    private final Map<LabelSelector, SortedLeaves<VolumeEntry>> bySelector = new HashMap<>();

    SelectedVolumes(ProbeCounter probes) {
        this.probes = probes;
    }

    /** The volumes that a selector selects; null if there are too many selectors, so that each volume has to be looked at. */
    @Nullable
    SortedLeaves<VolumeEntry> of(LabelSelector selector, SortedLeaves<VolumeEntry> group) {
        SortedLeaves<VolumeEntry> known = bySelector.get(selector);
        if (known != null || bySelector.size() == MOST_SELECTORS) {
            return known;
        }
        SortedLeaves<VolumeEntry> selected = new SortedLeaves<>(probes);
        long place = group.first();
        for (VolumeEntry volume = group.at(place); volume != null; volume = group.at(place)) {
            if (selector.matches(volume.labels())) {
                selected.add(volume);
            }
            place = group.next(place);
        }
        bySelector.put(selector, selected);
        return selected;
    }

    void add(VolumeEntry volume) {
        bySelector.forEach((selector, selected) -> {
            if (selector.matches(volume.labels())) {
                selected.add(volume);
            }
        });
    }

    void remove(VolumeEntry volume) {
        bySelector.forEach((selector, selected) -> {
            if (selector.matches(volume.labels())) {
                selected.remove(volume);
            }
        });
    }

    void replace(VolumeEntry volume) {
        bySelector.forEach((selector, selected) -> {
            if (selector.matches(volume.labels())) {
                selected.replace(volume);
            }
        });
    }

    /** Throws if a list is not what the group says. */
    void check(SortedLeaves<VolumeEntry> group) {
        bySelector.forEach((selector, selected) -> {
            selected.check();
            int expected = 0;
            long place = group.first();
            for (VolumeEntry volume = group.at(place); volume != null; volume = group.at(place)) {
                expected += selector.matches(volume.labels()) ? 1 : 0;
                place = group.next(place);
            }
            if (expected != selected.size()) {
                throw new IllegalStateException(selector + " selects " + expected + " volumes, not " + selected.size());
            }
        });
    }
}
