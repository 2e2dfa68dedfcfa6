// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The volumes of one group by the values of labels, each list in the order of the group.
 *
 * <pre>
 *   [tier]        [t1] → volumes    [t2] → volumes  ...
 *   [tier, zone]  [t1, a] → volumes    [t1, b] → volumes  ...
 * </pre>
 *
 * <p>Labels are indexed from the first time that a selector asks for them; what no selector asks for costs nothing. Those that one
 * selector asks for together are indexed together: the intersection of two long lists may be empty, and only a list of it can tell so
 * at once. There are few different selectors in a cluster; after {@value #MOST_COMBINATIONS} combinations each label is indexed for
 * itself.
 */
final class LabelPostings {
    private static final int MOST_COMBINATIONS = 8;
    private static final int MOST_LISTS = 16;

    private final ProbeCounter probes;
    private final Map<List<String>, Map<List<String>, SortedLeaves<VolumeEntry>>> byLabels = new HashMap<>();
    private int combinations;

    LabelPostings(ProbeCounter probes) {
        this.probes = probes;
    }

    /** Lists that hold every volume that fulfils the requirements, and as few others as possible. */
    List<SortedLeaves<VolumeEntry>> shortest(List<Equality> requirements, SortedLeaves<VolumeEntry> group) {
        TreeMap<String, List<String>> wanted = new TreeMap<>();
        for (Equality requirement : requirements) {
            wanted.merge(requirement.key(), requirement.values(), LabelPostings::inBoth);
        }
        if (listsOf(wanted) <= MOST_LISTS) {
            List<String> labels = List.copyOf(wanted.keySet());
            if (byLabels.containsKey(labels) || labels.size() == 1 || combinations < MOST_COMBINATIONS) {
                return lists(labels, wanted, group);
            }
        }
        return shortestOfOneLabel(wanted, group);
    }

    private static List<String> inBoth(List<String> one, List<String> other) {
        return one.stream().filter(other::contains).toList();
    }

    private static long listsOf(Map<String, List<String>> wanted) {
        long lists = 1;
        for (List<String> values : wanted.values()) {
            lists = Math.min(lists, MOST_LISTS + 1) * values.size();
        }
        return lists;
    }

    private List<SortedLeaves<VolumeEntry>> shortestOfOneLabel(
            Map<String, List<String>> wanted, SortedLeaves<VolumeEntry> group) {
        List<SortedLeaves<VolumeEntry>> shortest = List.of();
        long fewest = Long.MAX_VALUE;
        for (String label : wanted.keySet()) {
            List<SortedLeaves<VolumeEntry>> lists = lists(List.of(label), wanted, group);
            long volumes = lists.stream().mapToLong(SortedLeaves::size).sum();
            if (volumes < fewest) {
                fewest = volumes;
                shortest = lists;
            }
        }
        return shortest;
    }

    /** The lists of all combinations of values. */
    private List<SortedLeaves<VolumeEntry>> lists(
            List<String> labels, Map<String, List<String>> wanted, SortedLeaves<VolumeEntry> group) {
        Map<List<String>, SortedLeaves<VolumeEntry>> byValues = byLabels.get(labels);
        if (byValues == null) {
            byValues = index(labels, group);
        }
        List<SortedLeaves<VolumeEntry>> found = new ArrayList<>(2);
        collect(labels, wanted, new ArrayList<>(labels.size()), byValues, found);
        return found;
    }

    private static void collect(
            List<String> labels,
            Map<String, List<String>> wanted,
            List<String> chosen,
            Map<List<String>, SortedLeaves<VolumeEntry>> byValues,
            List<SortedLeaves<VolumeEntry>> found) {
        if (chosen.size() == labels.size()) {
            SortedLeaves<VolumeEntry> list = byValues.get(chosen);
            if (list != null) {
                found.add(list);
            }
            return;
        }
        for (String value : wanted.getOrDefault(labels.get(chosen.size()), List.of())) {
            chosen.add(value);
            collect(labels, wanted, chosen, byValues, found);
            chosen.remove(chosen.size() - 1);
        }
    }

    private Map<List<String>, SortedLeaves<VolumeEntry>> index(List<String> labels, SortedLeaves<VolumeEntry> group) {
        Map<List<String>, SortedLeaves<VolumeEntry>> byValues = new HashMap<>();
        byLabels.put(labels, byValues);
        combinations += labels.size() > 1 ? 1 : 0;
        long place = group.first();
        for (VolumeEntry volume = group.at(place); volume != null; volume = group.at(place)) {
            addTo(byValues, labels, volume);
            place = group.next(place);
        }
        return byValues;
    }

    /** The values of the labels in their order; null if the volume lacks one of the labels. */
    private static @Nullable List<String> valuesOf(List<String> labels, VolumeEntry volume) {
        String[] values = new String[labels.size()];
        for (int i = 0; i < values.length; i++) {
            String value = volume.labels().get(labels.get(i));
            if (value == null) {
                return null;
            }
            values[i] = value;
        }
        return List.of(values);
    }

    void add(VolumeEntry volume) {
        byLabels.forEach((labels, byValues) -> addTo(byValues, labels, volume));
    }

    private void addTo(Map<List<String>, SortedLeaves<VolumeEntry>> byValues, List<String> labels, VolumeEntry volume) {
        List<String> values = valuesOf(labels, volume);
        if (values != null) {
            byValues.computeIfAbsent(values, first -> new SortedLeaves<>(probes))
                    .add(volume);
        }
    }

    void remove(VolumeEntry volume) {
        byLabels.forEach((labels, byValues) -> {
            List<String> values = valuesOf(labels, volume);
            SortedLeaves<VolumeEntry> list = values == null ? null : byValues.get(values);
            if (list != null && list.remove(volume) && list.isEmpty()) {
                byValues.remove(values);
            }
        });
    }

    void replace(VolumeEntry volume) {
        byLabels.forEach((labels, byValues) -> {
            List<String> values = valuesOf(labels, volume);
            SortedLeaves<VolumeEntry> list = values == null ? null : byValues.get(values);
            if (list != null) {
                list.replace(volume);
            }
        });
    }

    /** Throws if a list is not what the group says. */
    void check(SortedLeaves<VolumeEntry> group) {
        byLabels.forEach((labels, byValues) -> {
            int expected = 0;
            long place = group.first();
            for (VolumeEntry volume = group.at(place); volume != null; volume = group.at(place)) {
                expected += valuesOf(labels, volume) == null ? 0 : 1;
                place = group.next(place);
            }
            byValues.values().forEach(SortedLeaves::check);
            if (byValues.values().stream().anyMatch(SortedLeaves::isEmpty)
                    || byValues.values().stream().mapToInt(SortedLeaves::size).sum() != expected) {
                throw new IllegalStateException("postings of " + labels + " differ from the group");
            }
        });
    }
}
