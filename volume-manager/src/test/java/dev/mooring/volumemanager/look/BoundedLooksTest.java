// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundedLooksTest {
    private static final String SERVER = "server 10.0.0.1";
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final int CALLERS = 8;

    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    private final BoundedLooks looks = new BoundedLooks(BoundedLooks.ownThreads(), 4);

    @AfterEach
    void stop() {
        callers.shutdownNow();
    }

    @Test
    void ofManyWhoAskOneServerEachHasItsTurn() {
        AtomicInteger together = new AtomicInteger();
        List<CompletableFuture<Outcome<Integer>>> answers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS * 20; caller++) {
            answers.add(CompletableFuture.supplyAsync(
                    () -> looks.look(
                            SERVER,
                            LONG,
                            () -> LONG,
                            wanted -> {
                                int most = together.incrementAndGet();
                                Thread.onSpinWait();
                                together.decrementAndGet();
                                return Outcome.done(most);
                            },
                            late -> {}),
                    callers));
        }
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isEqualTo(Outcome.done(1)));
    }

    @Test
    void afterTheDeadlineNothingIsBegun() {
        AtomicInteger begun = new AtomicInteger();
        Outcome<Integer> answer = looks.look(
                SERVER, LONG, () -> Duration.ofMillis(-1), wanted -> Outcome.done(begun.incrementAndGet()), late -> {});
        assertThat(answer).isInstanceOf(Outcome.Deferred.class);
        assertThat(begun).hasValue(0);
        assertThat(looks.look(SERVER, Duration.ZERO, () -> LONG, wanted -> Outcome.done("free"), late -> {}))
                .isEqualTo(Outcome.done("free"));
    }

    @Test
    void aLookThatIsGivenUpHearsThatItIsNotWantedAnyMore() throws InterruptedException {
        CountDownLatch server = new CountDownLatch(1);
        CompletableFuture<Boolean> wantedAfterwards = new CompletableFuture<>();
        Outcome<String> answer = looks.look(
                SERVER,
                Duration.ZERO,
                () -> Duration.ofMillis(50),
                wanted -> {
                    boolean first = wanted.getAsBoolean();
                    awaitQuietly(server);
                    wantedAfterwards.complete(wanted.getAsBoolean());
                    return Outcome.done("first " + first);
                },
                late -> {});
        assertThat(answer).isInstanceOf(Outcome.Deferred.class);
        assertThat(answer.message()).isEqualTo(SERVER + " does not answer");
        server.countDown();
        assertThat(wantedAfterwards.join()).isFalse();
    }

    @Test
    void aLookThatThrowsIsUncertain() {
        Outcome<String> answer = looks.look(
                SERVER,
                Duration.ZERO,
                () -> LONG,
                wanted -> {
                    throw new IllegalStateException("a defect");
                },
                late -> {});
        assertThat(answer).isInstanceOf(Outcome.Uncertain.class);
        assertThat(answer.message()).contains("a defect");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
