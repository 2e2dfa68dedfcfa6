// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private Time now = new Time(BEGIN, 500);

    @Test
    void aStepOfTheWallClockDoesNotMoveIt() {
        SteadyClock clock = new SteadyClock(() -> now);
        assertThat(clock.instant()).isEqualTo(BEGIN);

        now = new Time(
                BEGIN.minus(Duration.ofDays(1)), 500 + Duration.ofSeconds(3).toNanos());
        assertThat(clock.instant()).isEqualTo(BEGIN.plusSeconds(3));

        now = new Time(
                BEGIN.plus(Duration.ofDays(1)), 500 + Duration.ofSeconds(4).toNanos());
        assertThat(clock.instant()).isEqualTo(BEGIN.plusSeconds(4));
    }
}
