// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntConsumer;

/** Makes pairs of volumes and claims, has them bound, and says how fast that went. */
public final class ClusterBench {
    private static final long SETTLING_NANOS = 500_000_000L;
    private static final int MOST_SETTLING = 120;
    private static final long IDLE_CPU_NANOS = 50_000_000L;

    /** Starts what binds a run, or begins to look at it. */
    private interface Start {
        MeasuredBinder begin(BoundPairs pairs, BenchObjects objects);
    }

    private final KubernetesStore store;
    private final Start start;
    private final String name;
    private final PrintWriter out;
    private final TimeSource time = TimeSource.system();
    private final Workers workers = new Workers(time);
    private Optional<RawRates.Rates> raw = Optional.empty();
    private double pacedP50;
    private int runs;

    private ClusterBench(KubernetesStore store, Start start, String name, PrintWriter out) {
        this.store = store;
        this.start = start;
        this.name = name;
        this.out = out;
    }

    /**
     * A bench of controllers in this process, for which no other binder may run in the cluster.
     *
     * @param store the cluster
     * @param controllers starts them
     * @param name a name that nothing in the cluster begins with
     * @param out for the report
     */
    public static ClusterBench ofControllers(
            KubernetesStore store,
            Function<ClusterStore, ControllerRuntime> controllers,
            String name,
            PrintWriter out) {
        return new ClusterBench(store, (pairs, objects) -> new OwnControllers(store, pairs, controllers), name, out);
    }

    /**
     * A bench of another process of this machine that binds in the cluster already.
     *
     * @param store the cluster
     * @param process whose processor time is measured
     * @param name a name that nothing in the cluster begins with
     * @param out for the report
     */
    public static ClusterBench ofProcess(KubernetesStore store, ProcessHandle process, String name, PrintWriter out) {
        return new ClusterBench(
                store, (pairs, objects) -> new BindingProcess(process, store, pairs, objects), name, out);
    }

    /** In which order the two of a pair come. */
    public enum Order {
        /** All volumes are there and Available before the first claim. */
        VOLUMES_FIRST,
        /** All claims are there before the first volume. */
        CLAIMS_FIRST,
        /** As the first, and each volume names its claim. */
        PRE_BOUND;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * Measures what the API server takes, with which every later run is compared.
     *
     * @param perSecond how many pairs will come per second; 0 for as fast as the server takes them
     */
    public void measureServer(double perSecond) throws InterruptedException {
        RawRates rates = new RawRates(store, name + "-raw", time, out);
        raw = Optional.of(rates.measure());
        if (perSecond > 0) {
            pacedP50 = rates.paced(perSecond);
        }
    }

    /**
     * Runs it once and removes what it made.
     *
     * @param pairs how many
     * @param order in which order the two of a pair come
     * @param perSecond how many of the later ones come per second; 0 for as fast as the server takes them
     * @param reported whether it is printed; otherwise it only warms up the program
     * @return pairs per second
     */
    public double run(int pairs, Order order, double perSecond, boolean reported) throws InterruptedException {
        BenchObjects objects = new BenchObjects(store, name + "-" + runs++);
        BoundPairs bound = new BoundPairs(time);
        objects.createNamespace();
        try (MeasuredBinder binder = start.begin(bound, objects)) {
            Run run = new Run(pairs, order, perSecond, objects, bound, binder);
            run.measure();
            if (reported) {
                run.report();
            }
            return run.rate();
        } finally {
            workers.each(pairs, objects::removeClaim);
            workers.each(pairs, objects::removeVolume);
            objects.removeNamespace();
        }
    }

    private long now() {
        return time.now().monotonicNanos();
    }

    /** One run's objects and what was measured of them. */
    private final class Run {
        private final int pairs;
        private final Order order;
        private final double perSecond;
        private final BenchObjects objects;
        private final BoundPairs bound;
        private final MeasuredBinder binder;
        private final long[] latencies;
        private double took;
        private double cpu;
        private Optional<RecordingStore.Requests> requests = Optional.empty();

        Run(int pairs, Order order, double perSecond, BenchObjects objects, BoundPairs bound, MeasuredBinder binder) {
            this.pairs = pairs;
            this.order = order;
            this.perSecond = perSecond;
            this.objects = objects;
            this.bound = bound;
            this.binder = binder;
            this.latencies = new long[pairs];
        }

        void measure() throws InterruptedException {
            boolean claimsFirst = order == Order.CLAIMS_FIRST;
            IntConsumer volume = i -> objects.createVolume(i, order == Order.PRE_BOUND);
            workers.each(pairs, claimsFirst ? objects::createClaim : volume);
            if (order == Order.VOLUMES_FIRST) {
                bound.awaitAvailable(pairs);
            }
            settle();
            Optional<RecordingStore.Requests> before = binder.requests();
            IntConsumer later = claimsFirst ? volume : objects::createClaim;
            long[] created = new long[pairs];
            IntConsumer timed = i -> {
                later.accept(i);
                created[i] = now();
            };
            long cpuBefore = Workers.cpuNanos(binder.process());
            long begin = now();
            if (perSecond > 0) {
                workers.inTurn(pairs, perSecond, timed);
            } else {
                workers.each(pairs, timed);
            }
            bound.awaitBound(pairs);
            took = (now() - begin) / 1e9;
            cpu = (Workers.cpuNanos(binder.process()) - cpuBefore) / 1e6 / pairs;
            requests = binder.requests().flatMap(now -> before.map(now::since));
            fillLatencies(created, claimsFirst);
        }

        /** What was done before the second half of the pairs began to come is not counted, the end of an earlier run among it. */
        private void settle() throws InterruptedException {
            long now = binder.activity();
            long cpuNow = Workers.cpuNanos(binder.process());
            for (int times = 0; times < MOST_SETTLING; times++) {
                long last = now;
                long cpuLast = cpuNow;
                Workers.sleep(SETTLING_NANOS);
                now = binder.activity();
                cpuNow = Workers.cpuNanos(binder.process());
                if (now == last && cpuNow - cpuLast < IDLE_CPU_NANOS) {
                    return;
                }
            }
        }

        /** Which claim was bound to which volume is read from the server itself. */
        private void fillLatencies(long[] created, boolean claimsFirst) {
            Map<ObjectKey, ObjectKey> volumeOf = new HashMap<>();
            for (PersistentVolumeClaim claim : claims()) {
                volumeOf.put(ObjectKey.of(claim), ObjectKey.cluster(claim.spec().volumeName()));
            }
            if (new HashSet<>(volumeOf.values()).size() != pairs) {
                throw new IllegalStateException("not every claim has a volume of its own: " + volumeOf);
            }
            volumeOf.forEach((claim, volume) -> {
                int number = claimsFirst ? BenchObjects.number(volume) : BenchObjects.number(claim);
                latencies[number] = Math.max(0, bound.boundAt(volume, claim) - created[number]);
            });
        }

        private List<PersistentVolumeClaim> claims() {
            return store.list(Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.inNamespace(objects.run()))
                    .orThrow()
                    .items();
        }

        double rate() {
            return pairs / took;
        }

        void report() {
            double p99 = Workers.percentile(latencies, 99) / 1e6;
            out.printf(
                    Locale.ROOT,
                    "%s: %d pairs%s, %.1f pairs/s, p50 %.0f ms, p99 %.0f ms, %s, CPU of process %d %.2f ms/pair%n",
                    order,
                    pairs,
                    perSecond > 0 ? String.format(Locale.ROOT, " arriving %.0f/s", perSecond) : "",
                    rate(),
                    Workers.percentile(latencies, 50) / 1e6,
                    p99,
                    requests.map(this::asText).orElse("bound by another process"),
                    binder.process().pid(),
                    cpu);
            requests.ifPresent(made -> raw.ifPresent(rates -> compare(rates, perPair(made), p99)));
            out.flush();
        }

        private double perPair(RecordingStore.Requests made) {
            return (double) made.writes() / pairs;
        }

        private String asText(RecordingStore.Requests made) {
            return String.format(
                    Locale.ROOT,
                    "%.2f writes per pair (%d failed, %d reads, %d events in all)",
                    perPair(made),
                    made.failed(),
                    made.reads(),
                    made.events());
        }

        private void compare(RawRates.Rates rates, double writes, double p99) {
            if (perSecond > 0) {
                out.printf(
                        Locale.ROOT,
                        "    p99 is %.1f times the server's own write (p50 %.1f ms), %.1f times one at this pace (p50 %.1f ms)%n",
                        p99 / (rates.p50() / 1e6),
                        rates.p50() / 1e6,
                        p99 / (pacedP50 / 1e6),
                        pacedP50 / 1e6);
                return;
            }
            out.printf(
                    Locale.ROOT,
                    "    of raw / writes: %.0f %% by PUT, %.0f %% by PATCH, %.0f %% of the same writes without looking; with the creations,"
                            + " which the server carries out meanwhile: %.0f %%, %.0f %%, %.0f %%%n",
                    100 * rate() * writes / rates.put(),
                    100 * rate() * writes / rates.patch(),
                    100 * rate() * writes / rates.binds(),
                    100 * rate() * (writes + 1) / rates.put(),
                    100 * rate() * (writes + 1) / rates.patch(),
                    100 * rate() * (writes + 1) / rates.binds());
        }
    }
}
