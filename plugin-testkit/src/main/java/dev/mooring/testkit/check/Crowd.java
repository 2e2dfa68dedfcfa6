// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.opentest4j.TestAbortedException;

/** Calls on threads of their own, so that one that never ends is found. */
final class Crowd {
    private static final Duration HANGS_AFTER = Duration.ofSeconds(60);

    private Crowd() {}

    /**
     * Runs one task per thread, all begun at the same moment; the first failure is the answer.
     *
     * @param rule which is broken by a call that never ends, and by whatever fails beside others; what fails alone is thrown as it is
     */
    static void together(Rule rule, List<Runnable> tasks) {
        together(rule, tasks, HANGS_AFTER);
    }

    static void together(Rule rule, List<Runnable> tasks, Duration hangsAfter) {
        // A call that never ends keeps its thread for good, and must not keep the process.
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size(), task -> {
            Thread thread = new Thread(task, "crowd");
            thread.setDaemon(true);
            return thread;
        });
        CyclicBarrier start = new CyclicBarrier(tasks.size());
        List<Future<?>> running = tasks.stream()
                .<Future<?>>map(task -> threads.submit(() -> {
                    start.await();
                    task.run();
                    return null;
                }))
                .toList();
        threads.shutdown();
        try {
            for (Future<?> each : running) {
                each.get(hangsAfter.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            if (tasks.size() == 1 || cause instanceof TestAbortedException) {
                throw alone(cause);
            }
            throw failure(rule, cause);
        } catch (TimeoutException e) {
            throw new BrokenRule(rule, "a call did not end within " + hangsAfter.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** No other call was there, so nothing is to be added. */
    private static RuntimeException alone(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(cause);
    }

    private static BrokenRule failure(Rule rule, Throwable cause) {
        return cause instanceof BrokenRule broken
                ? new BrokenRule(rule, "with others at the same time: " + broken.getMessage(), broken)
                : new BrokenRule(rule, "with others at the same time: " + cause, cause);
    }
}
