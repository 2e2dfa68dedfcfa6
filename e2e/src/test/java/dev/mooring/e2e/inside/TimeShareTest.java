// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}
