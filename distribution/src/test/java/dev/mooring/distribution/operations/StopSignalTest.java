// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StopSignalTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final StopSignal signal = new StopSignal();

    @Test
    void whoWorksGoesOnUntilItIsTold() {
        assertThat(signal.pause(Duration.ZERO)).isTrue();
        assertThat(signal.isAsked()).isFalse();
        assertThat(signal.stop(Duration.ZERO)).isFalse();
        assertThat(signal.isAsked()).isTrue();
        assertThat(signal.pause(LONG)).isFalse();
    }

    @Test
    void whoTellsWaitsForWhoWorks() {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        Thread working = new Thread(() -> {
            told.complete(signal.pause(LONG));
            signal.stopped();
        });
        working.start();
        assertThat(signal.stop(LONG)).isTrue();
        assertThat(told.join()).isFalse();
        assertThat(signal.stop(Duration.ZERO)).isTrue();
    }

    @Test
    void anInterruptEndsThePauseAndStaysNoted() {
        Thread.currentThread().interrupt();
        assertThat(signal.pause(LONG)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(signal.isAsked()).isFalse();
    }
}
