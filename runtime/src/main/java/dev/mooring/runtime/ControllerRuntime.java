// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.Subscription;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.store.ClusterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs controllers against a store: one thread decides, a bounded number act. Idle, it makes no request and wakes no thread.
 *
 * <p>Starts no thread before {@link #start} and leaves none after {@link #close()}. Any number of runtimes may live in one JVM. All
 * methods may be called from any thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ControllerRuntime implements AutoCloseable {
    private static final Logger DEFECTS = LoggerFactory.getLogger(DefectLog.class);
    private static final Logger FAILURES = LoggerFactory.getLogger(FailureLog.class);
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final long LEAST_MILLIS = 500;
    private static final long IDLE_SECONDS = 2;

    private final ClusterStore store;
    private final FollowingLog followingLog;
    private final RuntimeOptions options;
    private final LoopThread decider;
    private final ControlLoop loop;
    private final ThreadedEffects effects;
    private final Executor storeExecutor;
    private final List<ExecutorService> ownExecutors = new ArrayList<>();
    private final Map<Subscription<?>, Reflector<?>> reflectors = new ConcurrentHashMap<>();
    private final Thread thread;
    private boolean started;
    private volatile boolean closed;
    private CloseReport report = new CloseReport(List.of());

    /**
     * Makes a runtime that does nothing yet.
     *
     * @param store the cluster; never closed by the runtime
     * @param controllers the controllers, which belong to this runtime from now on, each with a name of its own
     * @param options what differs from the defaults
     * @throws IllegalArgumentException if two controllers have one name; the message has it
     */
    public ControllerRuntime(ClusterStore store, List<Controller> controllers, RuntimeOptions options) {
        this.store = Objects.requireNonNull(store, "store");
        this.options = options;
        this.followingLog = new FollowingLog(options.time());
        this.decider = new LoopThread(options.time(), this::isBusy);
        this.storeExecutor = options.storeExecutor().orElseGet(this::storePool);
        this.effects = new ThreadedEffects(
                store,
                options,
                decider,
                storeExecutor,
                options.callExecutor().orElseGet(() -> pool("-call")),
                pool("-cancel"));
        LoopListener listener =
                LoopListener.all(new DefectLog(DEFECTS, options.time()), new FailureLog(FAILURES), options.listener());
        this.loop = new ControlLoop(controllers, options.time(), options.random(), listener, effects);
        effects.attach(loop);
        decider.attach(loop);
        this.thread = NamedThreads.named(options.threads(), options.name() + "-decider")
                .newThread(decider);
    }

    private Executor storePool() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                Defaults.STORE_REQUESTS_IN_FLIGHT,
                Defaults.STORE_REQUESTS_IN_FLIGHT,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                NamedThreads.named(options.threads(), options.name() + "-store"));
        pool.allowCoreThreadTimeOut(true); // each is a tenth of a megabyte
        ownExecutors.add(pool);
        return pool;
    }

    private Executor pool(String suffix) {
        // Unbounded here since each bulkhead is bounded; idle threads end soon, so that an idle runtime wakes none.
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                NamedThreads.named(options.threads(), options.name() + suffix));
        ownExecutors.add(pool);
        return pool;
    }

    /**
     * Begins to watch the store and to decide, as the only leader.
     *
     * @return this
     * @throws IllegalStateException if it was started or closed before
     */
    public synchronized ControllerRuntime start() {
        if (started || closed) {
            throw new IllegalStateException("a runtime is started once, and not after it was closed");
        }
        started = true;
        decider.post(() -> {
            loop.lead(1);
            effects.leading(1);
            loop.subscribe(new Subscription.Listener() {
                @Override
                public void begin(Subscription<?> subscription) {
                    follow(subscription);
                }

                @Override
                public void end(Subscription<?> subscription) {
                    Optional.ofNullable(reflectors.remove(subscription)).ifPresent(Reflector::close);
                }
            });
        });
        thread.start();
        return this;
    }

    private <T extends KubernetesObject> void follow(Subscription<T> subscription) {
        Reflector<T> reflector =
                new Reflector<>(store, subscription, decider, storeExecutor, followingLog, options.random());
        reflectors.put(subscription, reflector);
        if (closed) {
            reflector.close();
        }
        reflector.list();
    }

    /**
     * Completes when every controller has seen its kinds and follows them, nothing waits for a decision and nothing is in flight, not
     * even a call that outlived its time limit; exceptionally when the runtime ends before. Back-off timers may still lie in the future.
     * What was written to the store before this call is taken into account where the store delivers watch events before it acknowledges
     * the write, as the in-memory store does.
     */
    public CompletableFuture<Void> whenQuiescent() {
        return decider.whenQuiet();
    }

    /**
     * Why nothing is decided any more although the runtime was not closed: the machine has failed its decider (no memory), or a thread has
     * interrupted it. A process whose runtime has failed does best to end, so that another one takes its place. Never waits.
     *
     * @return what the decider ended by; empty if it decides, or has not begun, or was closed
     */
    public Optional<Throwable> failure() {
        return closed ? Optional.empty() : decider.failure();
    }

    private boolean isBusy() {
        return effects.isBusy() || !reflectors.values().stream().allMatch(Reflector::isFollowing);
    }

    /**
     * Looks into the caches, and into what controllers derive from them.
     *
     * @param question evaluated on the decider's thread, at once if that is the caller's; returns quickly, waits for nothing and keeps
     *     nothing that is live
     * @return the answer; fails with what the question threw, and when the runtime ends before it was asked
     */
    public <R> CompletableFuture<R> ask(Function<Caches, R> question) {
        Objects.requireNonNull(question, "question");
        CompletableFuture<R> answer = decider.promise(new CompletableFuture<>());
        Runnable answering = () -> {
            try {
                answer.complete(question.apply(loop.caches()));
            } catch (Throwable e) {
                // Also an error, such as an assertion of a test: it is the asker's, not the decider's.
                answer.completeExceptionally(e);
            }
        };
        if (Thread.currentThread() == thread) {
            answering.run(); // later would be never for a question that waits for the answer to another one
        } else {
            decider.post(answering);
        }
        return answer;
    }

    /** Says that a plugin can be called again, such as that of a driver whose socket has come: what failed for it is tried at once. */
    public void pluginCame(PluginName plugin) {
        decider.post(() -> loop.pluginCame(plugin));
    }

    /** Closes and waits as long as the default allows; see {@link #close(Duration)}. */
    @Override
    public void close() {
        close(Defaults.CLOSE_TIME_LIMIT);
    }

    /**
     * Ceases to decide, asks running calls to end, waits for what is in flight, and ends all threads of its own, for which it waits two
     * seconds more at most.
     *
     * @param limit how long to wait at most for what is in flight; not at all if it is zero or negative
     * @return the effects that have not been answered in that time
     * @throws IllegalStateException if it is called by the decider's own thread (a question, a listener), which would wait for itself
     */
    public CloseReport close(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException(
                    "a runtime cannot be closed by its own decider; close it on another thread");
        }
        return closeOnce(limit);
    }

    private synchronized CloseReport closeOnce(Duration limit) {
        if (closed) {
            return report;
        }
        closed = true;
        if (!started) {
            ownExecutors.forEach(ExecutorService::shutdownNow);
            decider.breakPromises();
            return report;
        }
        long end = System.nanoTime() + nanos(limit);
        effects.leading(0); // what has not begun will not begin
        decider.post(() -> {
            loop.standDown();
            reflectors.values().forEach(Reflector::close);
            effects.cancelAll();
        });
        boolean interrupted = !awaitQuiet(end);
        report = new CloseReport(effects.open());
        decider.stop();
        interrupted |= !endThreads(end);
        reflectors.values().forEach(Reflector::close); // again, in case that the decider hangs in a controller
        decider.breakPromises();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return report;
    }

    /** Waits for what is in flight; false if interrupted. */
    private boolean awaitQuiet(long end) {
        try {
            decider.whenQuiet().get(left(end), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            // the report says what is open
        } catch (InterruptedException e) {
            return false;
        }
        return true;
    }

    /** Ends all threads that can be ended; false if interrupted. A call that does not heed its interruption keeps its thread. */
    private boolean endThreads(long end) {
        try {
            thread.join(millis(end));
            if (thread.isAlive()) {
                thread.interrupt();
            }
            ownExecutors.forEach(ExecutorService::shutdownNow);
            for (ExecutorService executor : ownExecutors) {
                executor.awaitTermination(millis(end), TimeUnit.MILLISECONDS);
            }
            return true;
        } catch (InterruptedException e) {
            thread.interrupt();
            ownExecutors.forEach(ExecutorService::shutdownNow);
            return false;
        }
    }

    private static long nanos(Duration limit) {
        return limit.isNegative() ? 0 : (limit.compareTo(LONGEST) > 0 ? LONGEST : limit).toNanos();
    }

    private static long left(long end) {
        return Math.max(0, end - System.nanoTime());
    }

    /** Threads that have nothing to do end soon, but not in no time. */
    private static long millis(long end) {
        return Math.max(LEAST_MILLIS, TimeUnit.NANOSECONDS.toMillis(left(end)));
    }
}
