// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private static BinderOptions with(BinderOptions options, BinderSwitch option, boolean on) {
        return on ? options.with(option) : options.without(option);
    }
}
