// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sorted sequence against a {@link TreeSet}, through growth, splits, merges and back to nothing. */
@Tag("long")
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
        assertThat(leaves.isEmpty()).isFalse();
    }

    @Test
    void whatIsNotThereIsToldFromWhatStandsInItsPlace() {
        add(entry("pv-2", "5Gi"));

        assertThat(leaves.remove(entry("pv-1", "5Gi"))).isFalse();
        assertThat(leaves.replace(entry("pv-1", "5Gi"))).isFalse();
        assertThat(leaves.remove(entry("pv-2", "4Gi"))).isFalse();
        requireExpected();
    }

    @Test
    void anotherVersionTakesThePlaceOfTheOneBefore() {
        add(entry("pv-1", "5Gi"), entry("pv-2", "5Gi"), entry("pv-3", "5Gi"));
        VolumeEntry version = entry("pv-2", "5Gi");

        assertThat(leaves.replace(version)).isTrue();
        leaves.check();
        assertThat(content().get(1)).isSameAs(version);
    }

    @Test
    void anotherVersionTakesThePlaceInWhateverLeafItStands() {
        int last = 3 * SortedLeaves.LEAF_CAPACITY - 1;
        for (int i = 0; i <= last; i++) {
            add(sized(i));
        }
        VolumeEntry version = sized(last);

        assertThat(leaves.replace(version)).isTrue();
        leaves.check();
        assertThat(leaves.at(leaves.last())).isSameAs(version);
    }

    // ---- amounts that are no whole number of bytes ----

    @Test
    void theFirstAmountThatIsNotWholeComesBehindItsFloorWhateverItsName() {
        add(entry("m", "1"), entry("n", "1"), entry("o", "2"));
        add(entry("a", "1500m"));

        requireExpected();
        assertThat(content()).extracting(VolumeEntry::name).containsExactly("m", "n", "a", "o");
    }

    @Test
    void amountsThatAreNotWholeAreSortedExactly() {
        add(entry("a", "1900m"), entry("b", "1100m"), entry("c", "1"), entry("d", "1500m"), entry("e", "2"));

        requireExpected();
        assertThat(leaves.at(leaves.seek(entry("", "1200m")))).isEqualTo(expected.ceiling(entry("", "1200m")));
        assertThat(leaves.at(leaves.seek(entry("", "1950m")))).isEqualTo(expected.ceiling(entry("", "2")));
        assertThat(leaves.at(leaves.seek(entry("", "2500m")))).isNull();
    }

    @Test
    void whatIsNotWholeIsFoundAmongManyOfTheSameFloor() {
        for (int i = 0; i < 3 * SortedLeaves.LEAF_CAPACITY; i++) {
            add(entry("pv-" + i, 1000 + i * 7 % 1000 + "m"));
        }
        requireExpected();
        for (int thousandths = 990; thousandths < 2010; thousandths += 17) {
            compareCeiling(entry("", thousandths + "m"));
        }
        remove(List.copyOf(expected).subList(1, expected.size()));
        add(entry("b", "9"), entry("a", "9"), entry("c", "8"));
        requireExpected();
    }

    // ---- names ----

    @Test
    void namesAreSortedWhateverTheyShareWithTheFirst() {
        add(entry("pv", "1Gi"));
        for (String name : List.of("b-2", "a-3", "a-1", "pv-9", "pv-1", "c-0", "pvc", "a")) {
            add(entry(name, "1Gi"));
            requireExpected();
        }
    }

    @Test
    void namesThatDifferLateAreSortedToo() {
        add(entry("b", "1Gi"));
        for (String end : List.of("2", "1", "3", "11", "0")) {
            add(entry("a-long-beginning-of-" + end, "1Gi"));
            requireExpected();
        }
    }

    @Test
    void aNameThatBreaksTheCommonBeginningHasAllWordsTakenAnew() {
        for (int i = 0; i < 2 * SortedLeaves.LEAF_CAPACITY; i++) {
            add(entry(String.format(Locale.ROOT, "pvc-a-common-beginning-%04d", i), "1Gi"));
        }
        add(entry("pvc-b", "1Gi"), entry("another", "1Gi"), entry("pv", "1Gi"));
        requireExpected();
        remove(List.copyOf(expected));
        add(entry("new-names-2", "1Gi"), entry("new-names-1", "1Gi"), entry("new-names-11", "2Gi"));
        requireExpected();
    }

    // ---- splits and merges ----

    /** So many elements stand left and right of the middle at which a full leaf was split. */
    private void splitInHalf(int moreOnTheRight) {
        int full = SortedLeaves.LEAF_CAPACITY;
        for (int i = 0; i < full; i++) {
            add(sized(10 * i));
        }
        assertThat(leaves.leafCount()).isEqualTo(1);
        add(sized(1));
        assertThat(leaves.leafCount()).isEqualTo(2);
        remove(List.of(sized(1)));
        for (int i = 0; i < moreOnTheRight; i++) {
            add(sized(10 * full + i));
        }
        requireExpected();
    }

    @ParameterizedTest(name = "beside {0} elements")
    @CsvSource({"64, 31", "65, 31", "66, 30", "80, 16", "95, 1", "96, 0"})
    void aSparseLeafIsAddedToTheRightOneIfThatStaysComfortable(int right, int left) {
        splitInHalf(right - 64);
        int first = 0;
        while (leaves.leafCount() == 2) {
            remove(List.of(expected.first()));
            first++;
            requireExpected();
        }
        assertThat(64 - first).isEqualTo(left);
    }

    @ParameterizedTest(name = "beside {0} elements")
    @CsvSource({"64, 31", "65, 31", "66, 30", "95, 1", "96, 0"})
    void aSparseLastLeafIsAddedToTheLeftOneIfThatStaysComfortable(int left, int right) {
        splitInHalf(0);
        for (int i = 0; i < left - 64; i++) {
            add(sized(10 * i + 5));
        }
        int last = 0;
        while (leaves.leafCount() == 2) {
            remove(List.of(expected.last()));
            last++;
            requireExpected();
        }
        assertThat(64 - last).isEqualTo(right);
    }

    @Test
    void whatComesBetweenTwoFullLeavesSplitsTheLeftOneAndLosesNothing() {
        for (int i = 0; i < 3 * SortedLeaves.LEAF_CAPACITY; i++) {
            add(sized(10 * i));
        }
        assertThat(leaves.leafCount()).isEqualTo(3);
        add(sized(10 * SortedLeaves.LEAF_CAPACITY - 5));
        requireExpected();
        assertThat(leaves.leafCount()).isEqualTo(4);
        for (int i = SortedLeaves.LEAF_CAPACITY / 2; i < SortedLeaves.LEAF_CAPACITY - 1; i++) {
            add(sized(10 * i + 5));
        }
        requireExpected();
        assertThat(leaves.leafCount()).as("each half had room for a half").isEqualTo(4);
    }

    @Test
    void theLastIsTheLargest() {
        assertThat(leaves.at(leaves.last())).isNull();
        for (int i = 0; i < 2 * SortedLeaves.LEAF_CAPACITY; i++) {
            add(sized(i));
            assertThat(leaves.at(leaves.last())).isSameAs(expected.last());
        }
        assertThat(leaves.at(leaves.seek(2 * SortedLeaves.LEAF_CAPACITY))).isNull();
        assertThat(leaves.at(leaves.seek(-1))).isSameAs(expected.first());
    }

    /** A search reads the directory and one leaf, each by halves. */
    @Test
    void aSearchAmongManyLooksAtFew() {
        for (int i = 0; i < 64 * SortedLeaves.LEAF_CAPACITY; i++) {
            leaves.add(sized(i));
        }
        assertThat(probesOf(() -> leaves.seek(5_000))).isEqualTo(7 + 8);
        assertThat(probesOf(() -> leaves.seek(0))).isEqualTo(7);
        assertThat(probesOf(() -> leaves.seek(entry("", "5000500m")))).isBetween(6L + 7, 7L + 7);
        assertThat(probesOf(() -> leaves.remove(sized(5_000)))).isBetween(6L + 7, 7L + 7);
        assertThat(probesOf(() -> leaves.remove(sized(0)))).isBetween(6L, 7L);
    }

    private long probesOf(Runnable search) {
        long before = probes.count();
        search.run();
        return probes.count() - before;
    }

    private static VolumeEntry sized(int bytes) {
        return entry(String.format(Locale.ROOT, "pv-%06d", bytes), Integer.toString(bytes));
    }

    private void add(VolumeEntry... entries) {
        for (VolumeEntry entry : entries) {
            if (expected.add(entry)) {
                leaves.add(entry);
            }
        }
    }

    private void remove(List<VolumeEntry> entries) {
        for (VolumeEntry entry : entries) {
            assertThat(expected.remove(entry)).isTrue();
            assertThat(leaves.remove(entry)).isTrue();
        }
    }

    private void requireExpected() {
        leaves.check();
        assertThat(content()).containsExactlyElementsOf(expected);
        assertThat(leaves.size()).isEqualTo(expected.size());
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
