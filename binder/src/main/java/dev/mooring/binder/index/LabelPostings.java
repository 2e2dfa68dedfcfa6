// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The volumes of one group by label value, each list in the order of the group.
 *
 * <p>A label is indexed from the first time that a selector asks for it; what no selector asks for costs nothing.
 */
final class LabelPostings {
    private final ProbeCounter probes;
    private final Map<String, Map<String, SortedLeaves<VolumeEntry>>> byLabel = new HashMap<>();

    LabelPostings(ProbeCounter probes) {
        this.probes = probes;
    }

    /** The lists of the requirement that leaves the fewest volumes. */
    List<SortedLeaves<VolumeEntry>> shortest(List<Equality> requirements, SortedLeaves<VolumeEntry> group) {
        List<SortedLeaves<VolumeEntry>> shortest = List.of();
        long fewest = Long.MAX_VALUE;
        for (Equality requirement : requirements) {
            List<SortedLeaves<VolumeEntry>> lists = lists(requirement, group);
            long volumes = lists.stream().mapToLong(SortedLeaves::size).sum();
            if (volumes < fewest) {
                fewest = volumes;
                shortest = lists;
            }
        }
        return shortest;
    }

    private List<SortedLeaves<VolumeEntry>> lists(Equality requirement, SortedLeaves<VolumeEntry> group) {
        Map<String, SortedLeaves<VolumeEntry>> byValue = byLabel.get(requirement.key());
        if (byValue == null) {
            byValue = index(requirement.key(), group);
        }
        List<SortedLeaves<VolumeEntry>> lists =
                new ArrayList<>(requirement.values().size());
        for (String value : requirement.values()) {
            SortedLeaves<VolumeEntry> list = byValue.get(value);
            if (list != null) {
                lists.add(list);
            }
        }
        return lists;
    }

    private Map<String, SortedLeaves<VolumeEntry>> index(String label, SortedLeaves<VolumeEntry> group) {
        byLabel.put(label, new HashMap<>());
        long place = group.first();
        for (VolumeEntry volume = group.at(place); volume != null; volume = group.at(place)) {
            addTo(label, volume);
            place = group.next(place);
        }
        return byLabel.getOrDefault(label, Map.of());
    }

    void add(VolumeEntry volume) {
        byLabel.keySet().forEach(label -> addTo(label, volume));
    }

    private void addTo(String label, VolumeEntry volume) {
        String value = volume.labels().get(label);
        Map<String, SortedLeaves<VolumeEntry>> byValue = byLabel.get(label);
        if (value != null && byValue != null) {
            byValue.computeIfAbsent(value, first -> new SortedLeaves<>(probes)).add(volume);
        }
    }

    void remove(VolumeEntry volume) {
        byLabel.forEach((label, byValue) -> {
            String value = volume.labels().get(label);
            SortedLeaves<VolumeEntry> list = value == null ? null : byValue.get(value);
            if (list != null && list.remove(volume) && list.isEmpty()) {
                byValue.remove(value);
            }
        });
    }

    void replace(VolumeEntry volume) {
        byLabel.forEach((label, byValue) -> {
            String value = volume.labels().get(label);
            SortedLeaves<VolumeEntry> list = value == null ? null : byValue.get(value);
            if (list != null) {
                list.replace(volume);
            }
        });
    }

    /** Throws if a list is not what the group says. */
    void check(SortedLeaves<VolumeEntry> group) {
        byLabel.forEach((label, byValue) -> {
            int expected = 0;
            long place = group.first();
            for (VolumeEntry volume = group.at(place); volume != null; volume = group.at(place)) {
                expected += volume.labels().containsKey(label) ? 1 : 0;
                place = group.next(place);
            }
            byValue.values().forEach(SortedLeaves::check);
            if (byValue.values().stream().mapToInt(SortedLeaves::size).sum() != expected) {
                throw new IllegalStateException("postings of " + label + " differ from the group");
            }
        });
    }
}
