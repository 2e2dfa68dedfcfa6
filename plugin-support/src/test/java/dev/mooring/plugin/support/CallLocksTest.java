// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallLocksTest {
    private static final Instant NOW = Instant.EPOCH;

    private final CallLocks locks = new CallLocks();

    @Test
    void noLockIsLeftOfANameThatNoCallHolds() {
        for (int i = 0; i < 100; i++) {
            assertThat(locks.hold(until(NOW), "target" + i, "busy", () -> Outcome.done(locks.size()))
                            .result())
                    .contains(1);
        }
        assertThatThrownBy(() -> locks.hold(until(NOW), "target", "busy", () -> {
                    throw new IllegalStateException("as a plugin may");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(locks.size()).isZero();
    }

    @Test
    void aHeldNameDefersOtherCallsAtTheirDeadlineAndOtherNamesGoOn() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        Thread holder = new Thread(() -> locks.hold(until(NOW), "one", "busy", () -> {
            entered.countDown();
            return Outcome.done(awaited(seen));
        }));
        holder.start();
        entered.await();

        assertThat(locks.hold(until(NOW), "one", "target one is busy", () -> Outcome.done(1)))
                .isEqualTo(Outcome.deferred("target one is busy"));
        assertThat(locks.hold(until(NOW), "other", "busy", () -> Outcome.done(1)))
                .isEqualTo(Outcome.done(1));
        // the call that was deferred takes nothing from the first
        assertThat(locks.hold(until(NOW), "one", "busy", () -> Outcome.done(1)).isDone())
                .isFalse();
        seen.countDown();
        holder.join();
        assertThat(locks.hold(until(NOW), "one", "busy", () -> Outcome.done(1)).isDone())
                .isTrue();
        assertThat(locks.size()).isZero();
    }

    @Test
    void anInterruptedCallDoesNothingAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        assertThat(locks.hold(until(NOW.plusSeconds(60)), "one", "busy", () -> Outcome.done(1)))
                .isEqualTo(Outcome.deferred("interrupted: busy"));
        assertThat(Thread.interrupted()).isTrue();
    }

    /** A call at {@link #NOW} with a deadline. */
    private static OperationContext until(Instant deadline) {
        return (OperationContext) Proxy.newProxyInstance(
                CallLocksTest.class.getClassLoader(),
                new Class<?>[] {OperationContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "clock" -> Clock.fixed(NOW, ZoneOffset.UTC);
                    case "deadline" -> deadline;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
