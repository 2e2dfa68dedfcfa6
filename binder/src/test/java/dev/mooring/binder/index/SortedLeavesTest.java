// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sorted sequence against a {@link TreeSet}, through growth, splits, merges and back to nothing. */
class SortedLeavesTest {
    /** As many additions as removals follow, and so on. */
    private static final int STRETCH = Integer.getInteger("mooring.index.steps", 6_000);

    private static final Comparator<VolumeEntry> ORDER = Comparator.comparing(
                    (VolumeEntry entry) -> entry.quantity().value())
            .thenComparing(VolumeEntry::name);

    private final ProbeCounter probes = new ProbeCounter();
    private final SortedLeaves<VolumeEntry> leaves = new SortedLeaves<>(probes);
    private final TreeSet<VolumeEntry> expected = new TreeSet<>(ORDER);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void staysSortedUnderRandomChanges(long seed) {
        RandomObjects random = new RandomObjects(seed);
        for (int step = 0; step < 5 * STRETCH; step++) {
            VolumeEntry entry = entry(random.volumeName(6000), random.size());
            boolean shrinking = step / STRETCH % 2 == 1;
            if (random.chance(shrinking ? 25 : 75)) {
                if (expected.add(entry)) {
                    leaves.add(entry);
                }
            } else if (!expected.isEmpty()) {
                VolumeEntry victim = expected.ceiling(entry) == null ? expected.first() : expected.ceiling(entry);
                expected.remove(victim);
                assertThat(leaves.remove(victim)).isTrue();
            }
            compareCeiling(entry);
            if (step % 500 == 0) {
                leaves.check();
                assertThat(content()).containsExactlyElementsOf(expected);
            }
        }
        List.copyOf(expected).forEach(leaves::remove);
        assertThat(leaves.isEmpty()).isTrue();
        assertThat(content()).isEmpty();
    }

    private void compareCeiling(VolumeEntry sought) {
        VolumeEntry smallestName = entry("", sought.quantity().toString());
        assertThat(leaves.at(leaves.seek(sought))).isSameAs(expected.ceiling(smallestName));
    }

    @Test
    void ascendingAdditionsFillTheLeaves() {
        for (int i = 0; i < 10 * SortedLeaves.LEAF_CAPACITY; i++) {
            leaves.add(entry("pv", Integer.toString(i)));
        }

        leaves.check();
        assertThat(leaves.leafCount()).isEqualTo(10);
    }

    @Test
    void doesNotTakeTheSameTwice() {
        leaves.add(entry("pv-1", "5Gi"));

        assertThatThrownBy(() -> leaves.add(entry("pv-1", "5Gi"))).isInstanceOf(IllegalStateException.class);
        assertThat(leaves.size()).isEqualTo(1);
    }

    @Test
    void doesNotRemoveWhatIsNotThere() {
        assertThat(leaves.remove(entry("pv-1", "5Gi"))).isFalse();
        leaves.add(entry("pv-1", "5Gi"));
        assertThat(leaves.remove(entry("pv-1", "6Gi"))).isFalse();
        assertThat(leaves.remove(entry("pv-2", "5Gi"))).isFalse();
        assertThat(leaves.replace(entry("pv-2", "5Gi"))).isFalse();
        assertThat(leaves.size()).isEqualTo(1);
    }

    private List<VolumeEntry> content() {
        List<VolumeEntry> content = new ArrayList<>();
        long place = leaves.first();
        for (VolumeEntry entry = leaves.at(place); entry != null; entry = leaves.at(place)) {
            content.add(entry);
            place = leaves.next(place);
        }
        return content;
    }

    private static VolumeEntry entry(String name, String capacity) {
        return new VolumeEntry(Fixtures.volume(name, capacity), false);
    }
}
