// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.runtime.control.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Work that is done many times over by some threads, and its times. */
record Workers(TimeSource time) {
    /** As many requests as are made at once where the number itself is not measured. */
    static final int MANY = 16;

    /** All numbers below the count, {@link #MANY} at a time. */
    void each(int count, IntConsumer work) throws InterruptedException {
        run(count, MANY, work);
    }

    /** All numbers below the count at the same time. */
    void together(int count, IntConsumer work) throws InterruptedException {
        run(count, count, work);
    }

    /** All numbers below the count, one after another, so many per second. */
    void inTurn(int count, double perSecond, IntConsumer work) throws InterruptedException {
        long begin = time.now().monotonicNanos();
        for (int i = 0; i < count; i++) {
            long due = begin + (long) (i * 1e9 / perSecond);
            sleep(Math.max(0, due - time.now().monotonicNanos()));
            work.accept(i);
        }
    }

    static void sleep(long nanos) throws InterruptedException {
        if (new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("the latch has no other owner");
        }
    }

    private static void run(int count, int concurrency, IntConsumer work) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(concurrency);
        try {
            List<Callable<Boolean>> tasks = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                tasks.add(() -> {
                    work.accept(number);
                    return true;
                });
            }
            for (Future<Boolean> each : threads.invokeAll(tasks)) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** The processor time of a process until now. */
    static long cpuNanos(ProcessHandle process) {
        return process.info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElseThrow(() -> new IllegalStateException("process " + process.pid() + " has ended"));
    }

    static double percentile(long[] values, int percent) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(sorted.length * percent / 100.0) - 1)];
    }
}
