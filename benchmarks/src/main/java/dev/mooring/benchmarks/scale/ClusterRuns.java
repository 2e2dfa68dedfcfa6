// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code mooring controller}, as a process of its own with the options that are shipped, against an API server of this process that serves
 * a cluster of objects as they were recorded. Linux only. The server's processor time is not counted as the controller's, but both share the
 * machine, so that times are longer than with a server elsewhere.
 */
public final class ClusterRuns {
    private static final double MEGA = 1e6;
    private static final double NANOS = 1e9;
    private static final long PAUSE_MILLIS = 200;
    private static final long CHANGE_MILLIS = 20_000;
    private static final int SCRAPES = 20;
    private static final int PAIRS = 500;

    private final RecordedCluster cluster;
    private final int claims;
    private final Path work;

    private ClusterRuns(int claims, Path work) {
        this.cluster = new RecordedCluster(claims);
        this.claims = claims;
        this.work = work;
    }

    /**
     * Prints what each size costs.
     *
     * @param args sizes in claims, 1,000 and 10,000 unless given; {@code --quick} for 1,000 alone
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        for (int size : RecordedCluster.sizes(args)) {
            try (WorkDirectory work = WorkDirectory.create("mooring-cluster-")) {
                new ClusterRuns(size, work.path()).run(MeasuredProcess.launcher());
            }
        }
    }

    private void run(Path mooring) throws IOException, InterruptedException {
        cluster.load(Kinds.CSI_DRIVER, Kinds.CSI_DRIVER.write(MemoryRuns.unattached()));
        try (cluster;
                ApiServer server = cluster.serve(work);
                CountingProxy proxy = new CountingProxy(server.port())) {
            Path kubeconfig = RecordedCluster.kubeconfig(server, proxy, work);
            long begin = System.nanoTime();
            try (MeasuredController controller = new MeasuredController(mooring, kubeconfig, work)) {
                while (controller.metric("pv_collector_bound_pvc_count") < claims
                        || controller.metric("pv_collector_total_pv_count") < claims) {
                    Thread.sleep(PAUSE_MILLIS);
                }
                awaitRest(controller.process());
                double inStep = (System.nanoTime() - begin) / NANOS;
                say("claims, pods, nodes", "%d, %d, %d", claims, cluster.count(Kinds.POD), cluster.count(Kinds.NODE));
                say(
                        "in step after",
                        "%.1f s, %.1f s of processor time",
                        inStep,
                        controller.process().cpuSeconds());
                say("received", "%.1f MB", proxy.received() / MEGA);
                say("live heap", "%.1f MB", controller.process().liveBytes() / MEGA);
                sayMemory(controller);
                say("a scrape takes", "%.0f ms at most, of %d", mostMillisOfAScrape(controller), SCRAPES);
                BusyCluster busy = new BusyCluster(cluster);
                for (String when : List.of("first", "next")) {
                    sayBinds("pairs bound, the " + when + " " + PAIRS, busy, controller);
                }
                try (BusyCluster.Changes changes = busy.changes()) {
                    sayChanges(changes, controller);
                    sayBinds("pairs bound meanwhile", busy, controller);
                }
                sayMemory(controller);
                say("last claim of a namespace gone after", "%.1f s", deleteANamespace());
            }
        }
    }

    private static void say(String what, String figures, Object... values) {
        System.out.println(String.format(Locale.ROOT, "%-40s ", what) + String.format(Locale.ROOT, figures, values));
    }

    private static void sayMemory(MeasuredController controller) throws IOException {
        double resident = controller.process().residentBytes() / MEGA;
        say("resident", "%.1f MB, %.1f at most", resident, controller.process().mostResidentBytes() / MEGA);
    }

    private static double mostMillisOfAScrape(MeasuredController controller) throws IOException, InterruptedException {
        long most = 0;
        for (int i = 0; i < SCRAPES; i++) {
            long begin = System.nanoTime();
            controller.metric("mooring_ready_keys");
            most = Math.max(most, System.nanoTime() - begin);
        }
        return most / MEGA;
    }

    private static void sayChanges(BusyCluster.Changes changes, MeasuredController controller)
            throws IOException, InterruptedException {
        long decisions = controller.metric("mooring_decisions_total");
        long made = changes.made();
        double cpu = controller.process().cpuSeconds();
        Thread.sleep(CHANGE_MILLIS);
        say(
                "1 % of all changes",
                "%d changes, %.0f %% of a processor, %d decisions",
                changes.made() - made,
                (controller.process().cpuSeconds() - cpu) / CHANGE_MILLIS * 1e5,
                controller.metric("mooring_decisions_total") - decisions);
    }

    private static void sayBinds(String what, BusyCluster busy, MeasuredController controller)
            throws IOException, InterruptedException {
        double before = controller.process().cpuSeconds();
        double seconds = busy.bind(PAIRS);
        double cpu = controller.process().cpuSeconds() - before;
        say(what, "%.0f per second, %.1f ms of processor time each", PAIRS / seconds, cpu / PAIRS * 1e3);
    }

    /** All keys were decided when the process does next to nothing any more. */
    private static void awaitRest(MeasuredProcess process) throws IOException, InterruptedException {
        double before = -1;
        for (double now = process.cpuSeconds(); now - before > PAUSE_MILLIS / 4e3; now = process.cpuSeconds()) {
            before = now;
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Deletes the pods and then the claims of a namespace; answers how many seconds later the last claim has gone. */
    private double deleteANamespace() throws InterruptedException {
        String namespace = RecordedObjects.namespace(0);
        ListOptions there = ListOptions.inNamespace(namespace);
        for (ObjectMeta pod : metadata(Kinds.POD, there)) {
            cluster.store()
                    .delete(
                            Kinds.POD,
                            ObjectKey.of(namespace, pod.name()),
                            DeleteOptions.DEFAULT.withGracePeriodSeconds(0))
                    .orThrow();
        }
        long begin = System.nanoTime();
        for (ObjectMeta claim : metadata(Kinds.PERSISTENT_VOLUME_CLAIM, there)) {
            Optional<Failure> failure = cluster.store()
                    .delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(namespace, claim.name()), DeleteOptions.DEFAULT)
                    .failure();
            if (failure.isPresent()) {
                throw new IllegalStateException("a claim cannot be deleted: " + failure.get());
            }
        }
        while (!metadata(Kinds.PERSISTENT_VOLUME_CLAIM, there.withLimit(1)).isEmpty()) {
            Thread.sleep(PAUSE_MILLIS / 4);
        }
        return (System.nanoTime() - begin) / NANOS;
    }

    private List<ObjectMeta> metadata(Kind<?> kind, ListOptions options) {
        return cluster.store().list(kind, options).orThrow().items().stream()
                .map(object -> object.metadata())
                .toList();
    }
}
