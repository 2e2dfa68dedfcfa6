// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.UncancelledTicket;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of plugins that report, throw, or do not end. */
class TimelyCallsTest {
    private final List<Notice> heard = new ArrayList<>();
    private final TimelyCalls calls = new TimelyCalls(Duration.ofMillis(1), Duration.ofMillis(1));

    private record Publish(PluginName plugin) implements Call {
        @Override
        public String operation() {
            return "publish";
        }

        @Override
        public String volume() {
            return "v";
        }

        @Override
        public String node() {
            return "node-1";
        }
    }

    private Outcome<?> perform(String plugin, Instant deadline, CallHandler handler) {
        return calls.perform(
                handler,
                new Publish(new PluginName(plugin)),
                new UncancelledTicket(InstantSource.fixed(Instant.EPOCH), deadline, 1, "key", heard::add));
    }

    private Outcome<?> inTime(String plugin, CallHandler handler) {
        return perform(plugin, Instant.EPOCH.plus(Duration.ofMinutes(2)), handler);
    }

    @AfterEach
    void close() {
        calls.close();
    }

    @Test
    void theClockOfACallIsTheWallsAndWhatItReportsIsHeardAfterIt() {
        Notice notice = Notice.normal("Slow", "is slow");
        Outcome<?> answer = inTime("example.com/a", (call, ticket) -> {
            ticket.report(notice);
            boolean early =
                    heard.isEmpty() && ticket.deadline().isAfter(ticket.clock().instant());
            return Outcome.done(early && ticket.clock().instant().isAfter(Instant.EPOCH.plus(Duration.ofDays(1))));
        });
        assertThat(answer).isEqualTo(Outcome.done(true));
        assertThat(heard).containsExactly(notice);
    }

    @Test
    void aDefectOfAPluginIsAnUnknownOutcome() {
        Outcome<?> answer = inTime("example.com/a", (call, ticket) -> {
            throw new NoClassDefFoundError("com/example/Missing");
        });
        assertThat(answer)
                .isEqualTo(Outcome.uncertain("the plugin failed: java.lang.NoClassDefFoundError: com/example/Missing"));
    }

    @Test
    void aCallThatDoesNotEndIsCancelledAndHoldsUpItsPluginAlone() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Outcome<?> late = perform("example.com/a", Instant.EPOCH, (call, ticket) -> {
            ticket.onCancel(cancelled::countDown);
            await(end);
            return Outcome.done();
        });
        assertThat(late).isEqualTo(Outcome.uncertain("publish did not end within 0 s"));
        cancelled.await();
        assertThat(inTime("example.com/a", (call, ticket) -> Outcome.done()))
                .isEqualTo(Outcome.deferred("an earlier call of example.com/a has not ended"));
        assertThat(inTime("example.com/b", (call, ticket) -> Outcome.done())).isEqualTo(Outcome.done());
        end.countDown();
        while (!inTime("example.com/a", (call, ticket) -> Outcome.done()).isDone()) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
