// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a world. What others ask for runs here, and after it, or when something is due, a turn of the world. As an executor it
 * takes deliveries: they also run in the middle of a turn, and those of the thread itself at once. Thread-safe.
 */
final class WorldThread implements Executor, AutoCloseable {
    private final LinkedBlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();
    private final Queue<Runnable> deliveries = new ConcurrentLinkedQueue<>();
    private final Supplier<Optional<Duration>> turn;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    /**
     * Makes a thread that does not run yet.
     *
     * @param turn lets the world work; answers when it is due next if nothing is handed in, empty for never
     */
    WorldThread(String name, Supplier<Optional<Duration>> turn) {
        this.turn = turn;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Nothing to do but to look what there is to do. */
    private static void wake() {}

    private void run() {
        try {
            Optional<Duration> due = Optional.of(Duration.ZERO);
            while (!closed) {
                Runnable next = due.isPresent() ? asked.poll(due.get().toNanos(), TimeUnit.NANOSECONDS) : asked.take();
                for (; next != null; next = asked.poll()) {
                    next.run();
                }
                deliver();
                due = turn.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            closed = true;
            answerLate();
        }
    }

    /** Those who asked when the thread had ended hear of it. */
    private void answerLate() {
        for (Runnable next = asked.poll(); next != null; next = asked.poll()) {
            next.run();
        }
    }

    /** Makes the deliveries that wait; answers whether there were any. On the world's thread. */
    boolean deliver() {
        boolean any = false;
        for (Runnable next = deliveries.poll(); next != null; next = deliveries.poll()) {
            next.run();
            any = true;
        }
        return any;
    }

    @Override
    public void execute(Runnable delivery) {
        if (Thread.currentThread() == thread) {
            delivery.run();
        } else {
            deliveries.add(delivery);
            asked.add(WorldThread::wake);
        }
    }

    /**
     * Has something done on the world's thread, and waits for it.
     *
     * @throws IllegalStateException if the world has ended; the cause is what it ended by
     */
    <T> T call(Callable<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        asked.add(() -> answerWith(answer, work));
        if (closed) {
            answerLate();
        }
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private <T> void answerWith(CompletableFuture<T> answer, Callable<T> work) {
        if (closed) {
            answer.completeExceptionally(ended());
            return;
        }
        try {
            answer.complete(work.call());
        } catch (Exception | Error e) {
            answer.completeExceptionally(e);
        }
    }

    private IllegalStateException ended() {
        Throwable cause = failure;
        return cause == null
                ? new IllegalStateException("the world is closed")
                : new IllegalStateException("the world has ended: " + cause.getMessage(), cause);
    }

    /** What the world ended by; empty if it runs, or was closed. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Ends the thread, and waits until it has gone. */
    @Override
    public void close() {
        closed = true;
        asked.add(WorldThread::wake);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
