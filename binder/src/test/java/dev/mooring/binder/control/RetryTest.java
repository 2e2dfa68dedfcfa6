// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Time;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When a node's agent is asked again. */
class RetryTest {
    private static Time at(Duration passed) {
        return new Time(Instant.EPOCH.plus(passed), passed.toNanos());
    }

    private static final Time NOW = at(Duration.ofHours(1));

    @Test
    void eachFailureDoublesThePauseUpToTheLongest() {
        Retry retry = Retry.NONE;
        Duration expected = Defaults.BACKOFF_FIRST;
        for (int failure = 1; failure < 20; failure++) {
            retry = retry.afterFailure(NOW);
            assertThat(retry.remaining(NOW)).as("after %d failures", failure).contains(expected);
            Duration doubled = expected.multipliedBy(2);
            expected = doubled.compareTo(Defaults.BACKOFF_LONGEST) > 0 ? Defaults.BACKOFF_LONGEST : doubled;
        }
        assertThat(expected).isEqualTo(Defaults.BACKOFF_LONGEST);
    }

    @Test
    void thePauseEndsOnTime() {
        Retry retry = Retry.NONE.afterFailure(NOW);
        Duration end = Duration.ofHours(1).plus(Defaults.BACKOFF_FIRST);
        assertThat(retry.remaining(at(end.minusNanos(1)))).contains(Duration.ofNanos(1));
        assertThat(retry.remaining(at(end))).isEmpty();
        assertThat(Retry.NONE.remaining(at(Duration.ofHours(-1)))).isEmpty();
    }

    @Test
    void whatIsAnsweredAfterItWasAskedAgainIsNews() {
        Retry failed = Retry.NONE.afterFailure(NOW);
        assertThat(failed.counted()).isTrue();
        assertThat(failed.asking().counted()).isFalse();
        assertThat(failed.asking().remaining(NOW)).isEqualTo(failed.remaining(NOW));
    }
}
