// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs {@link StatefulSets} on a thread of its own, which sleeps while there is nothing to do. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StatefulSetDuty implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatefulSetDuty.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Semaphore news = new Semaphore(1);
    private final StatefulSets sets;
    private final Thread thread = new Thread(this::run, "statefulset-controller");
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    private StatefulSetDuty(DocumentStore store, EventSink events, TimeSource time) {
        sets = new StatefulSets(store, events, time, news::release);
        thread.setDaemon(true);
    }

    /**
     * Starts the controller.
     *
     * @param store never closed by it; never null
     * @param events takes the events for people; never null
     * @param time the clock of the store's objects, which goes as the wall's does; never null
     */
    public static StatefulSetDuty start(DocumentStore store, EventSink events, TimeSource time) {
        StatefulSetDuty duty = new StatefulSetDuty(store, events, time);
        duty.thread.start();
        return duty;
    }

    private void run() {
        try (sets) {
            while (!closed) {
                await();
                while (!closed && sets.work()) {
                    news.drainPermits(); // what they stand for was just looked at, or is in the next turn
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure = e;
            LOG.error("the controller of StatefulSets has ended", e);
        }
    }

    private void await() throws InterruptedException {
        Optional<Duration> due = sets.nextDue();
        if (due.isPresent()) {
            boolean unused = news.tryAcquire(due.get().toNanos(), TimeUnit.NANOSECONDS);
        } else {
            news.acquire();
        }
        news.drainPermits();
    }

    /** Why it has ended by itself; empty while it runs. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Ends the controller, and waits for what it has begun. */
    @Override
    public void close() {
        closed = true;
        news.release();
        try {
            thread.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
