// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Writes down what a watch says. */
final class WatchRecorder<T extends KubernetesObject> implements WatchListener<T> {
    private final long patienceMillis;
    private final AtomicInteger inside = new AtomicInteger();
    private final List<WatchEvent<T>> events = new ArrayList<>();
    private final List<Revision> bookmarks = new ArrayList<>();
    private final List<Failure> ends = new ArrayList<>();
    private boolean overlapped;

    WatchRecorder(long patienceMillis) {
        this.patienceMillis = patienceMillis;
    }

    @Override
    public void onEvent(WatchEvent<T> event) {
        heard(() -> events.add(event));
    }

    @Override
    public void onBookmark(Revision revision) {
        heard(() -> bookmarks.add(revision));
    }

    @Override
    public void onEnd(Failure reason, String message) {
        heard(() -> ends.add(reason));
    }

    private void heard(Runnable what) {
        boolean alone = inside.incrementAndGet() == 1;
        synchronized (this) {
            overlapped |= !alone;
            what.run();
            notifyAll();
        }
        inside.decrementAndGet();
    }

    /** Waits for that many events. */
    synchronized List<WatchEvent<T>> events(int count) {
        await(() -> events.size() >= count || !ends.isEmpty());
        assertThat(overlapped).as("called by two threads at a time").isFalse();
        assertThat(events)
                .as("what was shown within %d ms; the watch ended with %s", patienceMillis, ends)
                .hasSize(count);
        return List.copyOf(events);
    }

    /** Waits for that many events and gives them as {@code TYPE name}. */
    List<String> steps(int count) {
        return events(count).stream()
                .map(event -> event.type() + " " + event.object().metadata().name())
                .toList();
    }

    /** Waits for the end. */
    synchronized Failure end() {
        await(() -> !ends.isEmpty());
        assertThat(ends).as("calls of onEnd within %d ms", patienceMillis).hasSize(1);
        return ends.get(0);
    }

    /** Waits until the watch is known to have come that far. */
    synchronized void reached(Revision revision) {
        await(() -> bookmarks.stream().anyMatch(each -> !revision.isAfter(each))
                || events.stream().anyMatch(each -> !revision.isAfter(each.revision())));
        assertThat(bookmarks.isEmpty() && events.isEmpty()).isFalse();
    }

    synchronized int soFar() {
        return events.size();
    }

    synchronized boolean hasEnded() {
        return !ends.isEmpty();
    }

    private synchronized void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + patienceMillis * 1_000_000;
        try {
            while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
                wait(20);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
