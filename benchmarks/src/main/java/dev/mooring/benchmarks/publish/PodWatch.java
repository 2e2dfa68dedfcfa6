// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Which pods run, and since when. One watch for all, so that waiting for a pod costs nothing that is measured. Thread-safe. */
final class PodWatch implements WatchListener<Pod> {
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Map<String, Long> running = new HashMap<>();

    /** When a pod that runs was first seen as running, by {@link System#nanoTime}. */
    synchronized long since(String pod) {
        return running.getOrDefault(pod, 0L);
    }

    /** Waits until all these pods run, or all have gone. */
    synchronized void await(Collection<String> pods, boolean run) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!pods.stream().allMatch(pod -> running.containsKey(pod) == run)) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new IllegalStateException("not all of " + pods + (run ? " run" : " went"));
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public synchronized void onEvent(WatchEvent<Pod> event) {
        String name = event.object().metadata().name();
        if (event.type() == WatchEvent.Type.DELETED) {
            running.remove(name);
        } else if (event.object().status().phase() == PodPhase.RUNNING) {
            running.putIfAbsent(name, System.nanoTime());
        }
        notifyAll();
    }

    @Override
    public void onBookmark(Revision revision) {
        // nothing happened
    }

    @Override
    public void onEnd(StoreResult.Failure reason, String message) {
        throw new IllegalStateException("the watch of pods ended: " + message);
    }
}
