// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.look;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountEntry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Looks into file systems that may wait for a server or a device for ever. No look runs in the caller's thread, and of those that depend on
 * one server or device only one runs at a time: a server that does not answer costs one thread, and the caller goes on after its patience
 * (N9). Thread-safe.
 */
public final class BoundedLooks {
    private final Executor threads;
    private final int most;
    private final Map<String, Look<?>> running = new ConcurrentHashMap<>();

    /**
     * Nothing runs yet.
     *
     * @param threads runs looks, each of which may hang as long as its server does
     * @param most more looks than this that do not come back are a broken machine: no further one is begun
     */
    public BoundedLooks(Executor threads, int most) {
        this.threads = threads;
        this.most = most;
    }

    /** A thread for each look, as long as it lasts. */
    public static Executor ownThreads() {
        return work -> {
            Thread thread = new Thread(work, "mooring-look");
            thread.setDaemon(true);
            thread.start();
        };
    }

    /**
     * What everything in a mount depends on, such as {@code server 10.0.0.1}: of one server, or of one device, everything hangs together.
     */
    public static String dependency(MountEntry mount) {
        return server(mount).map(server -> "server " + server).orElseGet(() -> "device " + mount.device());
    }

    /** The server of a mount as its source names it; empty for a device. */
    public static Optional<String> server(MountEntry mount) {
        int path = mount.source().indexOf(":/");
        return path > 0 ? Optional.of(mount.source().substring(0, path)) : Optional.empty();
    }

    /**
     * Looks.
     *
     * @param dependency what the look may have to wait for
     * @param turn how long earlier looks for the same are waited for
     * @param patience how long the answer is waited for, asked when the turn has come; if it is negative, nothing is begun
     * @param body the look; it is given whether its answer is still waited for, and asks before each change that it makes
     * @param late closes an answer that is no longer waited for
     * @return the answer; deferred if there is none in time, if an earlier look for the same has not come back, or if there is no thread;
     *     uncertain if the body throws
     */
    public <T> Outcome<T> look(
            String dependency,
            Duration turn,
            Supplier<Duration> patience,
            Function<BooleanSupplier, Outcome<T>> body,
            Consumer<T> late) {
        Look<T> look = new Look<>(body, late, own -> running.remove(dependency, own));
        if (running.size() >= most) {
            return Outcome.deferred(most + " looks into file systems have not ended");
        }
        if (!takesTurn(dependency, look, turn)) {
            return Outcome.deferred(dependency + " does not answer: an earlier look has not ended");
        }
        Duration left = patience.get();
        if (left.isNegative()) {
            running.remove(dependency, look);
            return Outcome.deferred("no time is left for a look into the file system of " + dependency);
        }
        try {
            threads.execute(look.task);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            running.remove(dependency, look);
            look.task.cancel(false);
            return Outcome.deferred("there is no thread for a look into the file system of " + dependency);
        }
        return look.answer(left).orElseGet(() -> Outcome.deferred(dependency + " does not answer"));
    }

    /** Several may wait for the same look: one of them follows it, and the others wait for that one. */
    private boolean takesTurn(String dependency, Look<?> look, Duration turn) {
        long end = System.nanoTime() + turn.toNanos();
        Look<?> earlier = running.putIfAbsent(dependency, look);
        while (earlier != null) {
            long left = end - System.nanoTime();
            if (left <= 0 || !earlier.ends(left)) {
                return false;
            }
            earlier = running.putIfAbsent(dependency, look);
        }
        return true;
    }

    /** One look; either the caller takes its answer, or it is closed. */
    private static final class Look<T> {
        private final FutureTask<Outcome<T>> task;
        private final AtomicBoolean settled = new AtomicBoolean();

        Look(Function<BooleanSupplier, Outcome<T>> body, Consumer<T> late, Consumer<Look<T>> over) {
            this.task = new FutureTask<>(() -> {
                try {
                    Outcome<T> answer = body.apply(() -> !settled.get());
                    if (!settled.compareAndSet(false, true)) {
                        answer.result().ifPresent(late);
                    }
                    return answer;
                } finally {
                    over.accept(this);
                }
            });
        }

        boolean ends(long nanoseconds) {
            try {
                task.get(nanoseconds, TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } catch (ExecutionException | CancellationException e) {
                return true;
            }
        }

        /** Empty if it has not come back in time. */
        Optional<Outcome<T>> answer(Duration patience) {
            try {
                return Optional.of(task.get(patience.toNanos(), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                return lateAnswer();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return lateAnswer();
            } catch (ExecutionException e) {
                return Optional.of(Outcome.uncertain("a look into a file system failed: " + e.getCause()));
            }
        }

        /** It may have come back at the same moment. */
        private Optional<Outcome<T>> lateAnswer() {
            if (settled.compareAndSet(false, true)) {
                return Optional.empty();
            }
            boolean interrupted = Thread.interrupted();
            try {
                return Optional.of(task.get());
            } catch (InterruptedException | ExecutionException e) {
                return Optional.of(Outcome.uncertain("a look into a file system failed: " + e));
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
