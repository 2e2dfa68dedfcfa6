// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Lets at most so many pieces of work run at once in each pool on a shared executor, so that one dead back-end delays only itself. Work
 * that belongs to several pools needs a place in all of them; it waits in one that is full and holds no place meanwhile. Thread-safe.
 */
final class Bulkheads {
    private final Executor executor;
    private final Map<String, Pool> pools = new HashMap<>();

    Bulkheads(Executor executor) {
        this.executor = executor;
    }

    /**
     * A place in a pool.
     *
     * @param pool its name
     * @param limit how many it has; the same each time
     */
    record Place(String pool, int limit) {}

    /**
     * Has the work done when its turn comes.
     *
     * @param refused done instead if the executor takes nothing any more
     * @return gives the work up if it still waits, and does nothing if its turn has come; at any time, by any thread
     */
    Runnable execute(List<Place> places, Runnable task, Runnable refused) {
        Work work = new Work(places, task, refused);
        if (admitted(work)) {
            start(work);
        }
        return () -> withdraw(work);
    }

    /** The call was only queued, so removing it frees no place. */
    private void withdraw(Work work) {
        synchronized (pools) {
            for (Place place : work.places) {
                Pool pool = pools.get(place.pool());
                if (pool != null && pool.waiting.remove(work)) {
                    return; // the pool was full, and so it is in use and stays
                }
            }
        }
    }

    /** How many wait for a place. */
    int waiting() {
        synchronized (pools) {
            return pools.values().stream().mapToInt(pool -> pool.waiting.size()).sum();
        }
    }

    private void start(Work first) {
        // A loop, since each refusal makes room for the next.
        Queue<Work> ready = new ArrayDeque<>(List.of(first));
        for (Work work = ready.poll(); work != null; work = ready.poll()) {
            Work current = work;
            try {
                executor.execute(() -> run(current));
            } catch (RejectedExecutionException e) {
                current.refused.run();
                ready.addAll(leave(current));
            }
        }
    }

    private void run(Work work) {
        try {
            work.task.run();
        } finally {
            leave(work).forEach(this::start);
        }
    }

    /** Takes all places, or waits in the first pool that has none. */
    private boolean admitted(Work work) {
        synchronized (pools) {
            Optional<Pool> full = work.places.stream()
                    .map(place -> pools.computeIfAbsent(place.pool(), name -> new Pool(place.limit())))
                    .filter(pool -> pool.running >= pool.limit)
                    .findFirst();
            full.ifPresent(pool -> pool.waiting.add(work));
            if (full.isEmpty()) {
                work.places.forEach(place -> poolOf(place).running++);
            }
            return full.isEmpty();
        }
    }

    private Pool poolOf(Place place) {
        return pools.computeIfAbsent(place.pool(), name -> new Pool(place.limit()));
    }

    /** Gives the places back; answers which calls may begin now. A call that finds another of its pools full waits there from now on. */
    private List<Work> leave(Work work) {
        synchronized (pools) {
            work.places.forEach(place -> poolOf(place).running--);
            List<Work> next = new ArrayList<>();
            for (Place place : work.places) {
                Pool pool = poolOf(place);
                while (pool.running < pool.limit && !pool.waiting.isEmpty()) {
                    Work waiting = pool.waiting.iterator().next();
                    pool.waiting.remove(waiting);
                    if (admitted(waiting)) {
                        next.add(waiting);
                    }
                }
            }
            // a waiting one may have looked at pools without calls
            pools.values().removeIf(pool -> pool.running == 0 && pool.waiting.isEmpty());
            return next;
        }
    }

    /** Not a record: equal work is still to be done twice. */
    private static final class Work {
        final List<Place> places;
        final Runnable task;
        final Runnable refused;

        Work(List<Place> places, Runnable task, Runnable refused) {
            this.places = places;
            this.task = task;
            this.refused = refused;
        }
    }

    private static final class Pool {
        final int limit;
        final Set<Work> waiting = new LinkedHashSet<>(); // in order of arrival
        int running;

        Pool(int limit) {
            this.limit = limit;
        }
    }
}
