// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Defects;
import dev.mooring.runtime.control.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decider's thread. What is there to learn arrives by {@link #post}, and is taken in before the next decision, so that it sees the
 * newest known state; but after {@link #MOST_IN_A_ROW} pieces of news a decision comes first, so that a flood of changes holds up no
 * decision. Changes that watches show arrive by {@link #postChange}, which makes the watch wait while {@link #MOST_WAITING} of them are
 * not taken in: so a flood takes no more memory than that. Answers to effects are never made to wait. With nothing to do the thread
 * waits without a time-out.
 */
final class LoopThread implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopThread.class);

    /** How much is taken in before a decision is made. */
    static final int MOST_IN_A_ROW = 64;

    /** How many changes of watches may wait to be taken in. */
    static final int MOST_WAITING = 1_024;

    private static final int ALL = Integer.MAX_VALUE / 2;

    private final TimeSource time;
    private final BooleanSupplier alsoBusy;

    // of any thread
    private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(MOST_WAITING, true);
    private final Map<Long, CompletableFuture<?>> promised = new ConcurrentHashMap<>();
    private final AtomicLong promises = new AtomicLong();
    private volatile boolean ended;
    private volatile @Nullable Thread deciding;
    private volatile Optional<Throwable> failure = Optional.empty();

    // of the decider alone
    private final TreeSet<Delayed> delayed =
            new TreeSet<>(Comparator.comparingLong(Delayed::atNanos).thenComparingLong(Delayed::sequence));
    private final List<CompletableFuture<Void>> awaitingQuiet = new ArrayList<>();
    private long sequence;
    private boolean stopped;
    private @Nullable ControlLoop loop;

    /**
     * Makes the work of a thread.
     *
     * @param alsoBusy whether something is under way that the loop does not know of
     */
    LoopThread(TimeSource time, BooleanSupplier alsoBusy) {
        this.time = time;
        this.alsoBusy = alsoBusy;
    }

    void attach(ControlLoop controlLoop) {
        loop = controlLoop;
    }

    /** Has the work done by the decider; from any thread. */
    void post(Runnable work) {
        inbox.add(work);
    }

    /**
     * Has the decider take in a change, after the changes that the same thread gave it before; from any thread. Waits while too many
     * changes are not taken in yet, but not on the decider's own thread, which would wait for itself, and not after the decider's end.
     */
    void postChange(Runnable change) {
        if (Thread.currentThread() == deciding) {
            post(change);
            return;
        }
        room.acquireUninterruptibly();
        post(() -> {
            room.release();
            change.run();
        });
    }

    /** How many more changes find room; for tests. */
    int room() {
        return room.availablePermits();
    }

    /**
     * Has the work done after a delay; on the decider's thread only.
     *
     * @return takes the work back, so that nothing wakes the thread for it; on the decider's thread only
     */
    Runnable after(Duration delay, Runnable work) {
        Delayed entry = new Delayed(time.now().monotonicNanosAfter(delay), sequence++, work);
        delayed.add(entry);
        return () -> delayed.remove(entry);
    }

    /** The future fails if the thread ends before it could be completed. */
    <R> CompletableFuture<R> promise(CompletableFuture<R> future) {
        long number = promises.incrementAndGet();
        promised.put(number, future);
        CompletableFuture<R> unused = future.whenComplete((value, failure) -> promised.remove(number));
        if (ended) {
            breakPromises();
        }
        return future;
    }

    /** Fails all futures that still wait; from any thread. */
    void breakPromises() {
        ended = true;
        for (CompletableFuture<?> future : promised.values()) {
            future.completeExceptionally(new CancellationException("the runtime has ended"));
        }
    }

    /** Completes when there is nothing to decide and nothing in flight; from any thread. */
    CompletableFuture<Void> whenQuiet() {
        CompletableFuture<Void> future = promise(new CompletableFuture<>());
        post(() -> awaitingQuiet.add(future));
        return future;
    }

    /** What the thread ended by, other than by {@link #stop}; from any thread. */
    Optional<Throwable> failure() {
        return failure;
    }

    /** Ends the thread after what was posted before; from any thread. */
    void stop() {
        post(() -> stopped = true);
    }

    @Override
    public void run() {
        ControlLoop running = Objects.requireNonNull(loop);
        deciding = Thread.currentThread();
        try {
            while (!stopped) {
                takeIn(running.hasReadyKeys() ? inbox.poll() : await(running));
                runDelayed();
                running.fireTimers();
                while (running.decideNext() && inbox.isEmpty()) {
                    // one decision after the other, until there is a change to apply first
                }
                if (inbox.isEmpty() && isQuiet(running)) {
                    awaitingQuiet.forEach(future -> future.complete(null));
                    awaitingQuiet.clear();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = Optional.of(e);
            LOG.warn("the decider was interrupted and ends");
        } catch (Throwable machines) {
            failure = Optional.of(machines);
            LOG.error("the decider ends; nothing is decided any more", machines);
        } finally {
            inbox.clear();
            room.release(ALL); // nothing is taken in any more
            breakPromises();
        }
    }

    private boolean isQuiet(ControlLoop running) {
        boolean knowsAll = running.leadingEpoch() == 0
                || running.caches().synced(running.caches().kinds());
        return knowsAll && !running.hasReadyKeys() && !running.hasEffectsInFlight() && !alsoBusy.getAsBoolean();
    }

    private void takeIn(@Nullable Runnable first) {
        Runnable work = first;
        for (int taken = 1; work != null; taken++) {
            guarded(work);
            work = taken < MOST_IN_A_ROW ? inbox.poll() : null;
        }
    }

    private void runDelayed() {
        long now = time.now().monotonicNanos();
        while (!delayed.isEmpty() && delayed.first().atNanos() <= now) {
            Delayed due = delayed.first();
            delayed.remove(due);
            guarded(due.work());
        }
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (Throwable defect) {
            Defects.throwTheMachines(defect);
            LOG.error("a defect in handling a change; the loop goes on", defect);
        }
    }

    private @Nullable Runnable await(ControlLoop running) throws InterruptedException {
        OptionalLong timer = running.leadingEpoch() > 0 ? running.nextTimerNanos() : OptionalLong.empty();
        long next = timer.orElse(Long.MAX_VALUE);
        if (!delayed.isEmpty()) {
            next = Math.min(next, delayed.first().atNanos());
        }
        if (next == Long.MAX_VALUE) {
            return inbox.take();
        }
        long wait = next - time.now().monotonicNanos();
        return wait <= 0 ? inbox.poll() : inbox.poll(wait, TimeUnit.NANOSECONDS);
    }

    private record Delayed(long atNanos, long sequence, Runnable work) {}
}
