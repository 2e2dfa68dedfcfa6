// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RepeatedLinesTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
    private final List<String> log = new ArrayList<>();
    private final RepeatedLines lines = new RepeatedLines(now::get, log::add);

    private void after(Duration time) {
        now.set(now.get().plus(time));
    }

    @Test
    void aLineThatComesAgainAndAgainIsCounted() {
        for (int i = 0; i < 1000; i++) {
            lines.add("a");
            lines.add("b");
            after(Duration.ofMillis(100));
        }
        assertThat(log).containsExactly("a", "b");
        after(Duration.ofMinutes(15));
        lines.add("a");
        lines.add("a");
        assertThat(log).containsExactly("a", "b", "a (and 999 times since 2030-01-01T00:00:00Z)");
        after(Duration.ofMinutes(15));
        lines.add("a");
        after(Duration.ofMinutes(15));
        lines.add("a");
        assertThat(log).hasSize(5).endsWith("a");
    }

    @Test
    void aClockThatIsSetBackSilencesNothingForLong() {
        lines.add("a");
        after(Duration.ofDays(-1));
        lines.add("a");
        assertThat(log).hasSize(2);
    }

    @Test
    void moreThanAReaderNeedsIsNotKept() {
        for (int i = 0; i < 1000; i++) {
            lines.add("line " + i);
        }
        assertThat(log).hasSize(50);
    }
}
