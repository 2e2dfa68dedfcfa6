// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "15s, PT15S, 15s",
        "6m, PT6M, 6m0s",
        "1h30m, PT1H30M, 1h30m0s",
        "1.5s, PT1.5S, 1.5s",
        "250ms, PT0.25S, 0.25s",
        "0s, PT0S, 0s",
        "90s, PT1M30S, 1m30s",
        "1h, PT1H, 1h0m0s",
    })
    void readsAndWrites(String text, String iso, String written) {
        Duration duration = Durations.parse(text).orElseThrow();
        assertThat(duration).isEqualTo(Duration.parse(iso));
        assertThat(Durations.format(duration)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "s", "-1s", "1d", "1s ", " 1s", "1m x", "999999999999h", "1e3s", "1 m"})
    void refusesWhatIsNone(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }

    @Test
    void sumsAreBoundedToo() {
        assertThat(Durations.parse("876000h876000h")).isEmpty();
    }
}
