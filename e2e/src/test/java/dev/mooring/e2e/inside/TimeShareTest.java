// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which tests of a row are done where there is no time for all. */
class TimeShareTest {
    @Test
    void allAreDoneOnce() {
        for (int size = 0; size <= 100; size++) {
            assertThat(TimeShare.spread(size).sorted().boxed().toList())
                    .isEqualTo(IntStream.range(0, size).boxed().toList());
        }
    }

    @Test
    void theFirstAreSpreadOverTheRow() {
        assertThat(TimeShare.spread(33).limit(9).boxed().toList()).isEqualTo(List.of(0, 32, 16, 8, 24, 4, 20, 12, 28));
    }

    @Test
    void noTurnLeavesATestOut() {
        List<Integer> row = IntStream.range(0, 100).boxed().toList();

        for (long turn = 0; turn <= 100; turn++) {
            assertThat(TimeShare.turned(row, turn)).containsExactlyInAnyOrderElementsOf(row);
        }
        assertThat(TimeShare.turned(List.of(), 7)).isEmpty();
    }

    /** A group of guests has its turn each fourth day. */
    @Test
    void aRowOfWhichADayHasTimeForTwentyIsSeenInTwentyTurns() {
        List<Integer> row = IntStream.range(0, 130).boxed().toList();
        Set<Integer> seen = new TreeSet<>();

        for (long day = 3; day < 3 + 4 * 20; day += 4) {
            TimeShare.turned(row, day).limit(20).forEach(seen::add);
        }

        assertThat(seen).containsExactlyElementsOf(row);
    }
}
