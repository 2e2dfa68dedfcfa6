// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Real calls, made on threads of their own while the world's thread waits: the world's clock stands meanwhile. A call that has not ended at
 * its deadline, by the wall clock, is cancelled, and other calls of its plugin are deferred until it ends. Confined to the world's thread.
 */
final class TimelyCalls implements AutoCloseable {
    /** For a call whose deadline has come already, such as one that a fault has held up. */
    private static final Duration LEAST = Duration.ofSeconds(10);

    /** How long a call that was cancelled may take to end. */
    private static final Duration TO_END = Duration.ofSeconds(2);

    private final Duration least;
    private final Duration toEnd;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "mooring-back-end");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, Future<?>> late = new HashMap<>();

    TimelyCalls() {
        this(LEAST, TO_END);
    }

    TimelyCalls(Duration least, Duration toEnd) {
        this.least = least;
        this.toEnd = toEnd;
    }

    /** Carries a call out, and waits for it. */
    Outcome<?> perform(CallHandler handler, Call call, CallTicket asked) {
        String plugin = call.plugin().value();
        Future<?> earlier = late.get(plugin);
        if (earlier != null && !earlier.isDone()) {
            return Outcome.deferred("an earlier call of " + plugin + " has not ended");
        }
        Duration left = Duration.between(asked.clock().instant(), asked.deadline());
        Duration limit = left.compareTo(least) < 0 ? least : left;
        WallTicket ticket = new WallTicket(asked, limit);
        Future<Outcome<?>> running = threads.submit(() -> handler.perform(call, ticket));
        Outcome<?> answer = answer(running, ticket, call, limit);
        if (!running.isDone()) {
            late.put(plugin, running);
        }
        ticket.notices.forEach(asked::report);
        return answer;
    }

    private Outcome<?> answer(Future<Outcome<?>> running, WallTicket ticket, Call call, Duration limit) {
        try {
            try {
                return running.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException deadline) {
                ticket.cancel();
                return running.get(toEnd.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException stays) {
            return Outcome.uncertain(call.operation() + " did not end within " + limit.toSeconds() + " s");
        } catch (ExecutionException defect) {
            return Outcome.uncertain("the plugin failed: " + defect.getCause());
        } catch (InterruptedException e) {
            ticket.cancel();
            Thread.currentThread().interrupt();
            return Outcome.uncertain("interrupted");
        }
    }

    /** Ends the threads; one whose call does not end stays as long as that call, and hinders no JVM from ending. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            boolean unused = threads.awaitTermination(toEnd.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A ticket whose time is the wall's: the clock of the world stands while a call is made. */
    private static final class WallTicket implements CallTicket {
        private final CallTicket asked;
        private final Instant deadline;
        private final AtomicBoolean cancelled = new AtomicBoolean();
        private final List<Runnable> actions = new CopyOnWriteArrayList<>();
        /** They are the world's to hear, on its own thread. */
        private final Queue<Notice> notices = new ConcurrentLinkedQueue<>();

        WallTicket(CallTicket asked, Duration limit) {
            this.asked = asked;
            this.deadline = clock().instant().plus(limit);
        }

        void cancel() {
            cancelled.set(true);
            actions.forEach(this::runOnce);
        }

        /** What it throws is no defect of the world. */
        private void runOnce(Runnable action) {
            if (actions.remove(action)) {
                try {
                    action.run();
                } catch (RuntimeException e) {
                    report(Notice.warning("CancelFailed", "the call could not be cancelled: " + e));
                }
            }
        }

        @Override
        public InstantSource clock() {
            return InstantSource.system();
        }

        @Override
        public Instant deadline() {
            return deadline;
        }

        @Override
        public boolean cancelled() {
            return cancelled.get();
        }

        @Override
        public void onCancel(Runnable action) {
            actions.add(action);
            if (cancelled.get()) {
                runOnce(action);
            }
        }

        @Override
        public int attempt() {
            return asked.attempt();
        }

        @Override
        public String idempotencyKey() {
            return asked.idempotencyKey();
        }

        @Override
        public void report(Notice notice) {
            notices.add(notice);
        }

        @Override
        public OptionalLong term() {
            return asked.term();
        }
    }
}
