// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.scheduling.SchedulingOptions.ShapePoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which options are taken, and what each changes. */
class SchedulingOptionsTest {
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void theRulesOfMatchingAreTheBinders(boolean matching, boolean phaseOrder) {
        BinderOptions binding = with(
                with(BinderOptions.DEFAULT, BinderSwitch.UPSTREAM_MATCHING, matching),
                BinderSwitch.UPSTREAM_PHASE_ORDER,
                phaseOrder);
        for (SchedulingOptions options : List.of(SchedulingOptions.DEFAULT, SchedulingOptions.UPSTREAM)) {
            SchedulingOptions like = options.like(binding);
            assertThat(like.upstreamMatching()).isEqualTo(matching);
            assertThat(like.upstreamPhaseOrder()).isEqualTo(phaseOrder);
            assertThat(like.sumCapacities()).isEqualTo(options.sumCapacities());
            assertThat(like.selectedNodeTtl()).isEqualTo(options.selectedNodeTtl());
        }
    }

    @Test
    void theDefaultsAgree() {
        assertThat(SchedulingOptions.DEFAULT.like(BinderOptions.DEFAULT)).isEqualTo(SchedulingOptions.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, true", "100, 10, true", "-1, 0, false", "101, 0, false", "0, -1, false", "0, 11, false"})
    void aPointIsWithinItsBounds(int utilization, int score, boolean fine) {
        assertThat(isAccepted(() -> new ShapePoint(utilization, score))).isEqualTo(fine);
    }

    @ParameterizedTest
    @CsvSource({"'', false", "50, true", "0 50 100, true", "0 50 50, false", "0 60 50, false", "60 50, false"})
    void aShapeAscends(String utilizations, boolean fine) {
        List<ShapePoint> shape = Stream.of(utilizations.split(" "))
                .filter(text -> !text.isEmpty())
                .map(text -> new ShapePoint(Integer.parseInt(text), 1))
                .toList();
        assertThat(isAccepted(() -> SchedulingOptions.DEFAULT.withShape(shape))).isEqualTo(fine);
    }

    @ParameterizedTest
    @CsvSource({"PT0S, false", "PT-1S, false", "PT0.000000001S, true"})
    void aTimeLimitIsPositive(Duration limit, boolean fine) {
        assertThat(isAccepted(() -> SchedulingOptions.DEFAULT.withBindTimeout(limit)))
                .isEqualTo(fine);
    }

    private static boolean isAccepted(Runnable making) {
        try {
            making.run();
            return true;
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }

    @Test
    void eachOptionIsSetByItself() {
        SchedulingOptions all = SchedulingOptions.DEFAULT
                .withSumCapacities(false)
                .withReserveAttachSlots(false)
                .withScoring(true)
                .withShape(List.of(new ShapePoint(50, 5)))
                .withBindTimeout(Duration.ofSeconds(7))
                .withSelectedNodeTtl(Optional.empty());
        assertThat(all)
                .isEqualTo(SchedulingOptionsBuilder.builder()
                        .scoring(true)
                        .shape(List.of(new ShapePoint(50, 5)))
                        .bindTimeout(Duration.ofSeconds(7))
                        .build());
    }

    @Test
    void stagesAreCalledAsInKubernetesMetrics() {
        assertThat(SchedulingStage.values())
                .extracting(SchedulingStage::label)
                .containsExactly("predicate", "assume", "bind");
    }

    private static BinderOptions with(BinderOptions options, BinderSwitch option, boolean on) {
        return on ? options.with(option) : options.without(option);
    }
}
