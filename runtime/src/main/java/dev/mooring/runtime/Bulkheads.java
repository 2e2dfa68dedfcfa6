// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Defaults;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Lets at most a few pieces of work per name run at once on a shared executor, so that one dead back-end delays only itself. Thread-safe. */
final class Bulkheads {
    private final Executor executor;
    private final Map<String, Bulkhead> byName = new HashMap<>();

    Bulkheads(Executor executor) {
        this.executor = executor;
    }

    /**
     * Has the work done when its turn comes.
     *
     * @param refused done instead if the executor takes nothing any more
     */
    void execute(String name, Runnable task, Runnable refused) {
        Work work = new Work(task, refused);
        synchronized (byName) {
            Bulkhead bulkhead = byName.computeIfAbsent(name, n -> new Bulkhead());
            if (bulkhead.running >= Defaults.CALLS_IN_FLIGHT_PER_BULKHEAD) {
                bulkhead.waiting.add(work);
                return;
            }
            bulkhead.running++;
        }
        start(name, work);
    }

    private void start(String name, Work first) {
        // A loop, since each refusal makes room for the next.
        for (Work work = first; work != null; work = next(name)) {
            Work current = work;
            try {
                executor.execute(() -> run(name, current));
                return;
            } catch (RejectedExecutionException e) {
                current.refused().run();
            }
        }
    }

    private void run(String name, Work work) {
        try {
            work.task().run();
        } finally {
            Work next = next(name);
            if (next != null) {
                start(name, next);
            }
        }
    }

    private @Nullable Work next(String name) {
        synchronized (byName) {
            Bulkhead bulkhead = byName.computeIfAbsent(name, n -> new Bulkhead());
            Work next = bulkhead.waiting.poll();
            if (next == null && --bulkhead.running == 0) {
                byName.remove(name);
            }
            return next;
        }
    }

    private record Work(Runnable task, Runnable refused) {}

    private static final class Bulkhead {
        int running;
        final Queue<Work> waiting = new ArrayDeque<>();
    }
}
