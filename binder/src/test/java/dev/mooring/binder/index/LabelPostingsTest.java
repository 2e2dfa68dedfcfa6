// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which lists are made for a selector, and that there are not too many of them. */
class LabelPostingsTest {
    private static final int LABELS = 6;
    private static final int VALUES = 3;
    private static final int VOLUMES = 243;

    /** As many combinations of more than one label as have lists of their own. */
    private static final int MOST_COMBINATIONS = 8;

    private final ProbeCounter probes = new ProbeCounter();
    private final SortedLeaves<VolumeEntry> group = new SortedLeaves<>(probes);
    private final LabelPostings postings = new LabelPostings(probes);

    /** Every value of a label stands with every one of the next three: a combination divides the volumes evenly. */
    @BeforeEach
    void volumesWithAllLabels() {
        for (int i = 0; i < VOLUMES; i++) {
            Map<String, String> labels = new TreeMap<>();
            int rest = i;
            for (int label = 0; label < LABELS; label++) {
                labels.put("l" + label, "v" + rest % VALUES);
                rest = label < 4 ? rest / VALUES : i / VALUES + i;
            }
            group.add(entry("pv-" + i, labels));
        }
    }

    @Test
    void aCombinationHasItsOwnListUntilThereAreTooMany() {
        List<List<Equality>> combinations = new ArrayList<>();
        for (int one = 0; one < LABELS; one++) {
            for (int other = one + 1; other < LABELS; other++) {
                combinations.add(List.of(requirement("l" + one, "v0"), requirement("l" + other, "v1")));
            }
        }
        for (int i = 0; i < MOST_COMBINATIONS; i++) {
            postings.shortest(List.of(requirement("l" + i % LABELS, "v0")), group); // one label counts for nothing
            assertThat(holdsOnlyWhatIsSought(combinations.get(i))).as("%s", i).isTrue();
        }

        assertThat(holdsOnlyWhatIsSought(combinations.get(MOST_COMBINATIONS))).isFalse();
        assertThat(holdsOnlyWhatIsSought(combinations.get(0))).isTrue();
        assertThat(holdsOnlyWhatIsSought(List.of(requirement("l5", "v2")))).isTrue();
        postings.check(group);
    }

    @Test
    void moreThanSixteenListsAreNotLookedThrough() {
        List<Equality> sixteen =
                List.of(requirement("l0", "v0", "v1", "w2", "w3"), requirement("l1", "v0", "v1", "w2", "w3"));
        assertThat(holdsOnlyWhatIsSought(sixteen)).isTrue();

        List<Equality> seventeen = List.of(
                requirement("l0", "v0"),
                requirement("l1", valuesUpTo(17)),
                requirement("l2", valuesUpTo(17)),
                requirement("l3", valuesUpTo(17)));
        assertThat(postings.shortest(seventeen, group)).hasSize(1);
        assertThat(holdsOnlyWhatIsSought(List.of(requirement("l2", "v0"), requirement("l3", valuesUpTo(17)))))
                .isFalse();
    }

    @Test
    void twoRequirementsOfOneLabelAreOne() {
        List<SortedLeaves<VolumeEntry>> lists =
                postings.shortest(List.of(requirement("l0", "v0", "v1"), requirement("l0", "v1", "v2")), group);

        assertThat(lists).hasSize(1);
        assertThat(holdsOnlyWhatIsSought(List.of(requirement("l0", "v1")))).isTrue();
        assertThat(postings.shortest(List.of(requirement("l0", "v0"), requirement("l0", "v1")), group))
                .isEmpty();
    }

    private static String[] valuesUpTo(int count) {
        String[] values = new String[count];
        for (int i = 0; i < count; i++) {
            values[i] = i == 0 ? "v0" : "w" + i;
        }
        return values;
    }

    /** Whether the lists hold what the requirements ask for, all of it and nothing else. */
    private boolean holdsOnlyWhatIsSought(List<Equality> requirements) {
        List<VolumeEntry> listed = new ArrayList<>();
        postings.shortest(requirements, group).forEach(list -> listed.addAll(content(list)));
        List<VolumeEntry> sought = content(group).stream()
                .filter(volume -> requirements.stream()
                        .allMatch(required ->
                                required.values().contains(volume.labels().get(required.key()))))
                .toList();
        assertThat(listed).containsAll(sought).doesNotHaveDuplicates();
        return listed.size() == sought.size();
    }

    private static List<VolumeEntry> content(SortedLeaves<VolumeEntry> list) {
        List<VolumeEntry> content = new ArrayList<>();
        long place = list.first();
        for (VolumeEntry volume = list.at(place); volume != null; volume = list.at(place)) {
            content.add(volume);
            place = list.next(place);
        }
        return content;
    }

    private static Equality requirement(String label, String... values) {
        return new Equality(label, List.of(values));
    }

    private static VolumeEntry entry(String name, Map<String, String> labels) {
        return new VolumeEntry(Fixtures.labels(Fixtures.volume(name), labels), false);
    }
}
