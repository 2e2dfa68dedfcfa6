// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DescriptorsTest {
    private final Descriptors descriptors = new Descriptors();

    @Test
    void whatGrowsInEachRoundIsNamed() {
        files(3, 5, 6, 9);

        assertThat(descriptors.growing(3))
                .hasValueSatisfying(text -> assertThat(text).contains("files", "[3, 5, 6, 9]"));
        assertThat(descriptors.areUnsettled()).isTrue();
    }

    @Test
    void whatStaysIsNoLeak() {
        files(3, 5, 5, 5);

        assertThat(descriptors.growing(3)).isEmpty();
        assertThat(descriptors.areUnsettled()).isFalse();
    }

    /** What tests before forgot is closed by the collector of garbage, which may hide one round's growth, or outdo it. */
    @Test
    void aRoundInWhichOthersCloseTheirsHidesNoLeak() {
        files(3, 5, 5);
        assertThat(descriptors.areUnsettled()).isTrue();
        files(7, 2);
        assertThat(descriptors.areUnsettled()).isTrue();
        files(4, 6, 8);

        assertThat(descriptors.growing(3)).isPresent();
    }

    @Test
    void whatComesAndGoesIsNoLeak() {
        files(3, 5, 3, 5, 3, 5, 3);

        assertThat(descriptors.growing(3)).isEmpty();
    }

    @Test
    void eachKindIsCountedForItself() {
        descriptors.add(Map.of("files", 4));
        descriptors.add(Map.of("files", 3, "sockets", 1));
        descriptors.add(Map.of("files", 2, "sockets", 2));

        assertThat(descriptors.growing(2))
                .hasValueSatisfying(text -> assertThat(text).contains("sockets", "[0, 1, 2]"));
    }

    private void files(int... counts) {
        IntStream.of(counts).forEach(count -> descriptors.add(Map.of("files", count)));
    }
}
