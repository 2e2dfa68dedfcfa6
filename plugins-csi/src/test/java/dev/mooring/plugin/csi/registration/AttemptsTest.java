// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a registration is tried again, and which versions it takes (semantics/csi §4). */
class AttemptsTest {
    private static final Instant NOW = Instant.EPOCH;

    private final Attempts attempts = new Attempts("socket 1", () -> NOW);

    @Test
    void aPassingFailureIsRepeatedAfterTwiceAsLongEachTimeUpToTenSeconds() {
        List<Duration> waits = IntStream.range(0, 10)
                .mapToObj(i -> {
                    attempts.begin();
                    assertThat(attempts.due()).isEmpty();
                    attempts.end(Outcome.deferred("not yet"));
                    return Duration.between(NOW, attempts.due().orElseThrow());
                })
                .toList();

        assertThat(waits)
                .extracting(Duration::toMillis)
                .containsExactly(500L, 1000L, 2000L, 4000L, 8000L, 10_000L, 10_000L, 10_000L, 10_000L, 10_000L);
    }

    @Test
    void whatAPersonHasToMendIsTriedAgainAfterTwoMinutes() {
        attempts.begin();
        attempts.end(Outcome.refused(Refusal.INCOMPATIBLE, "remove the label"));

        assertThat(attempts.due()).contains(NOW.plus(Duration.ofMinutes(2)));
    }

    @Test
    void peopleAreToldOfAProblemOnce() {
        assertThat(attempts.end(Outcome.deferred("a"))).contains("a");
        assertThat(attempts.end(Outcome.deferred("a"))).isEmpty();
        assertThat(attempts.end(Outcome.deferred("b"))).contains("b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    1.0.0       | true
                    v1.11       | true
                    1           | true
                    1.2.3-rc1   | true
                    0.3.0,1.0.0 | true
                    0.3.0       | false
                    2.0.0       | false
                    11.0.0      | false
                    ''          | false
                    one         | false
                    """)
    void aDriverThatSpeaksAnyVersionOneIsTaken(String versions, boolean taken) {
        assertThat(DriverVersions.problem(List.of(versions.split(","))).isEmpty())
                .isEqualTo(taken);
    }
}
