// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How long a pod waits after binds that failed in a row: Kubernetes' podInitialBackoff, doubled up to podMaxBackoff. */
class PodStateTest {
    private static final Time NOW = new Time(Instant.EPOCH, 5);

    @Test
    void theWaitDoublesUpToTheLongest() {
        List<Long> seconds = new ArrayList<>();
        PodState state = PodState.NONE;
        for (int failure = 0; failure < 12; failure++) {
            Duration pause = state.pause();
            state = state.failed("so", NOW);
            assertThat(state.remaining(NOW)).contains(pause);
            seconds.add(pause.toSeconds());
        }
        assertThat(seconds).startsWith(1L, 2L, 4L, 8L, 10L, 10L).endsWith(10L);
    }

    @Test
    void theWaitEndsWithItsTime() {
        PodState state = PodState.NONE.failed("so", NOW);
        long end = NOW.monotonicNanosAfter(Duration.ofSeconds(1));
        assertThat(state.remaining(new Time(Instant.EPOCH, end - 1))).contains(Duration.ofNanos(1));
        assertThat(state.remaining(new Time(Instant.EPOCH, end))).isEmpty();
    }

    @Test
    void aPodForWhichThereIsNoNodeBeginsAnew() {
        PodState waiting = PodState.NONE.failed("so", NOW).waiting("no node", Set.of(QueueingHint.ANY_NODE));
        assertThat(waiting.remaining(NOW)).isEmpty();
        assertThat(waiting.pause()).isEqualTo(Duration.ofSeconds(1));
    }
}
