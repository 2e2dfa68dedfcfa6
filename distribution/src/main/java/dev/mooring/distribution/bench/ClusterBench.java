// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.ClusterStore;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntConsumer;

/** Makes pairs of volumes and claims, has them bound by controllers in this process, and says how fast that went. */
public final class ClusterBench {
    private static final int[] CONCURRENCIES = {4, 8, 16, 32};
    private static final int RAW_WRITES = 400;

    private final ClusterStore store;
    private final Function<ClusterStore, ControllerRuntime> controllers;
    private final BenchObjects objects;
    private final PrintWriter out;
    private final TimeSource time = TimeSource.system();

    /**
     * Makes a bench that has done nothing yet.
     *
     * @param store the cluster; the controllers use it too
     * @param controllers makes them, not yet started
     * @param run a name that nothing in the cluster has
     * @param out for the report
     */
    public ClusterBench(
            ClusterStore store, Function<ClusterStore, ControllerRuntime> controllers, String run, PrintWriter out) {
        this.store = store;
        this.controllers = controllers;
        this.objects = new BenchObjects(store, run);
        this.out = out;
    }

    /** In which order the two of a pair come. */
    public enum Order {
        /** All volumes are there and Available before the first claim. */
        VOLUMES_FIRST,
        /** All claims are there before the first volume. */
        CLAIMS_FIRST,
        /** As the first, and each volume names its claim. */
        PRE_BOUND
    }

    /**
     * Runs it once and removes what it made.
     *
     * @param pairs how many
     * @param order in which order the two of a pair come
     * @param perSecond how many of the later ones come per second; 0 for as fast as the server takes them
     */
    public void run(int pairs, Order order, double perSecond) throws InterruptedException {
        objects.createNamespace();
        try (PairWatch watch = new PairWatch(store, time, objects.run());
                ControllerRuntime runtime = controllers.apply(store)) {
            runtime.start();
            measure(pairs, order, perSecond, watch);
        } finally {
            each(pairs, 16, objects::removeClaim);
            each(pairs, 16, objects::removeVolume);
            objects.removeNamespace();
        }
    }

    private void measure(int pairs, Order order, double perSecond, PairWatch watch) throws InterruptedException {
        boolean claimsFirst = order == Order.CLAIMS_FIRST;
        IntConsumer earlier =
                claimsFirst ? objects::createClaim : i -> objects.createVolume(i, order == Order.PRE_BOUND);
        IntConsumer later = claimsFirst ? i -> objects.createVolume(i, false) : objects::createClaim;
        each(pairs, 16, earlier);
        if (order == Order.VOLUMES_FIRST) {
            watch.awaitAvailable(pairs);
        } else {
            watch.awaitSeen(pairs);
        }
        double raw = order == Order.VOLUMES_FIRST ? rawRate(Math.min(pairs, RAW_WRITES)) : 0;
        long before = settled(watch);
        long[] created = new long[pairs];
        long begin = now();
        arrive(pairs, perSecond, i -> {
            later.accept(i);
            created[i] = now();
        });
        watch.awaitBound(pairs);
        long end = now();
        report(pairs, order, created, end - begin, watch.changes() - before, raw, watch);
    }

    /** What was written before the second half of the pairs began to come is not counted. */
    private static long settled(PairWatch watch) throws InterruptedException {
        long last = -1;
        long now = watch.changes();
        while (now != last) {
            last = now;
            new CountDownLatch(1).await(500, TimeUnit.MILLISECONDS);
            now = watch.changes();
        }
        return now;
    }

    private void arrive(int count, double perSecond, IntConsumer create) throws InterruptedException {
        if (perSecond <= 0) {
            each(count, 16, create);
            return;
        }
        long begin = now();
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < count; i++) {
            long due = begin + (long) (i * 1e9 / perSecond);
            if (never.await(Math.max(0, due - now()), TimeUnit.NANOSECONDS)) {
                return;
            }
            create.accept(i);
        }
    }

    /** Merge patches of volumes per second, at the concurrency where that is most. */
    private double rawRate(int writes) throws InterruptedException {
        double best = 0;
        for (int concurrency : CONCURRENCIES) {
            List<PersistentVolume> current = new ArrayList<>();
            for (int i = 0; i < writes; i++) {
                current.add(
                        store.get(Kinds.PERSISTENT_VOLUME, objects.volumeKey(i)).orThrow());
            }
            long[] took = new long[writes];
            long begin = now();
            each(writes, concurrency, i -> {
                long sent = now();
                objects.annotate(current.get(i), "at-" + concurrency).orThrow();
                took[i] = now() - sent;
            });
            double rate = writes * 1e9 / (now() - begin);
            out.printf(
                    Locale.ROOT,
                    "raw: %.0f PATCH/s at concurrency %d, p50 %.1f ms%n",
                    rate,
                    concurrency,
                    percentile(took, 50) / 1e6);
            best = Math.max(best, rate);
        }
        return best;
    }

    private void report(int pairs, Order order, long[] created, long took, long changes, double raw, PairWatch watch) {
        long[] latencies = new long[pairs];
        for (int i = 0; i < pairs; i++) {
            String later = order == Order.CLAIMS_FIRST
                    ? objects.volumeKey(i).name()
                    : objects.claimKey(i).toString();
            latencies[i] = Math.max(0, watch.boundAt(later) - created[i]);
        }
        double rate = pairs * 1e9 / took;
        double writes = (double) changes / pairs;
        out.printf(
                Locale.ROOT,
                "%s: %d pairs, %.1f pairs/s, p50 %.0f ms, p99 %.0f ms, %.2f writes per pair%n",
                order.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                pairs,
                rate,
                percentile(latencies, 50) / 1e6,
                percentile(latencies, 99) / 1e6,
                writes);
        if (raw > 0) {
            out.printf(Locale.ROOT, "of what the server allows (raw / writes): %.0f %%%n", 100 * rate * writes / raw);
        }
        out.flush();
    }

    private static double percentile(long[] values, int percent) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, (int) Math.ceil(sorted.length * percent / 100.0) - 1)];
    }

    private long now() {
        return time.now().monotonicNanos();
    }

    private static void each(int count, int concurrency, IntConsumer work) throws InterruptedException {
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
}
