// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.StoreResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * How many writes the API server takes per second from this client when nothing is to be decided: an annotation of a volume, each worker
 * having a volume of its own and writing it again and again, at ever more workers until that brings no more.
 */
final class RawRates {
    private static final int[] CONCURRENCIES = {1, 2, 4, 8, 16, 32, 64, 128};
    private static final long MEASURED_NANOS = 2_000_000_000L;
    /** More workers are tried until two steps in a row were not better than this times the best. */
    private static final double BETTER = 1.02;

    private static final int PACED = 100;

    private final KubernetesStore store;
    private final BenchObjects objects;
    private final Workers workers;
    private final TimeSource time;
    private final PrintWriter out;

    RawRates(KubernetesStore store, String run, TimeSource time, PrintWriter out) {
        this.store = store;
        this.objects = new BenchObjects(store, run);
        this.workers = new Workers(time);
        this.time = time;
        this.out = out;
    }

    /**
     * What was measured.
     *
     * @param put whole objects per second, at the concurrency where that is most
     * @param patch merge patches per second, likewise
     * @param binds the four writes of a bind, made without looking, per second, at the concurrency where that of PATCH is most
     * @param p50 the median time of one write, PUT or PATCH, whichever is less, when nothing else is asked of the server; nanoseconds
     */
    record Rates(double put, double patch, double binds, double p50) {}

    /** Measures; the first seconds of it are not counted, as a program that has just begun is slow. */
    Rates measure() throws InterruptedException {
        int most = CONCURRENCIES[CONCURRENCIES.length - 1];
        try {
            workers.each(most, i -> objects.createVolume(i, false));
            measure(16, this::patch);
            measure(16, this::put);
            Best put = peak("PUT", this::put);
            Best patch = peak("PATCH", this::patch);
            double binds = new BlindBinds(store, objects.run() + "-blind", time).measure(patch.concurrency);
            out.printf(
                    Locale.ROOT,
                    "raw: %4.0f writes/s, the four of a bind without looking, at concurrency %d%n",
                    binds,
                    patch.concurrency);
            return new Rates(put.rate, patch.rate, binds, Math.min(put.aloneP50, patch.aloneP50));
        } finally {
            workers.each(most, objects::removeVolume);
        }
    }

    /** The median time of one write when so many come per second, as caches cool down in between; nanoseconds. */
    double paced(double perSecond) throws InterruptedException {
        try {
            objects.createVolume(0, false);
            PersistentVolume[] current = {
                store.get(Kinds.PERSISTENT_VOLUME, objects.volumeKey(0)).orThrow()
            };
            long[] took = new long[PACED];
            workers.inTurn(PACED, perSecond, i -> {
                long begin = time.now().monotonicNanos();
                current[0] = patch(current[0], "paced-" + i).orThrow();
                took[i] = time.now().monotonicNanos() - begin;
            });
            return Workers.percentile(took, 50);
        } finally {
            objects.removeVolume(0);
        }
    }

    private StoreResult<PersistentVolume> put(PersistentVolume volume, String value) {
        return store.replace(Kinds.PERSISTENT_VOLUME, BenchObjects.annotated(volume, value));
    }

    private StoreResult<PersistentVolume> patch(PersistentVolume volume, String value) {
        return objects.annotate(volume, value);
    }

    private record Best(double rate, int concurrency, double aloneP50) {}

    private Best peak(String verb, BiFunction<PersistentVolume, String, StoreResult<PersistentVolume>> write)
            throws InterruptedException {
        Measured alone = measure(1, write);
        say(verb, alone);
        Measured best = alone;
        int worse = 0;
        for (int i = 1; i < CONCURRENCIES.length && worse < 2; i++) {
            Measured next = measure(CONCURRENCIES[i], write);
            say(verb, next);
            worse = next.rate < best.rate * BETTER ? worse + 1 : 0;
            best = next.rate > best.rate ? next : best;
        }
        return new Best(best.rate, best.concurrency, alone.p50);
    }

    private void say(String verb, Measured each) {
        out.printf(
                Locale.ROOT,
                "raw: %4.0f %s/s at concurrency %d, p50 %.1f ms, p99 %.1f ms, own CPU %.2f ms/write%n",
                each.rate,
                verb,
                each.concurrency,
                each.p50 / 1e6,
                each.p99 / 1e6,
                each.cpu / 1e6);
        out.flush();
    }

    private record Measured(int concurrency, double rate, double p50, double p99, double cpu) {}

    private Measured measure(int concurrency, BiFunction<PersistentVolume, String, StoreResult<PersistentVolume>> write)
            throws InterruptedException {
        List<List<Long>> times = new ArrayList<>();
        List<PersistentVolume> begin = new ArrayList<>();
        for (int i = 0; i < concurrency; i++) {
            times.add(new ArrayList<>());
            begin.add(store.get(Kinds.PERSISTENT_VOLUME, objects.volumeKey(i)).orThrow());
        }
        long cpu = Workers.cpuNanos(ProcessHandle.current());
        long start = time.now().monotonicNanos();
        workers.together(concurrency, i -> {
            PersistentVolume current = begin.get(i);
            List<Long> mine = times.get(i);
            for (long now = start, n = 0; now - start < MEASURED_NANOS; n++) {
                current = write.apply(current, concurrency + "-" + n).orThrow();
                long then = time.now().monotonicNanos();
                mine.add(then - now);
                now = then;
            }
        });
        double took = time.now().monotonicNanos() - start;
        long[] all =
                times.stream().flatMap(List::stream).mapToLong(Long::longValue).toArray();
        return new Measured(
                concurrency,
                all.length * 1e9 / took,
                Workers.percentile(all, 50),
                Workers.percentile(all, 99),
                (double) (Workers.cpuNanos(ProcessHandle.current()) - cpu) / all.length);
    }
}
