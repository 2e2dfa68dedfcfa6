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

    private final RecordedCluster cluster;
    private final int claims;
    private final Path work;

    private ClusterRuns(int claims, Path work) {
        this.cluster = new RecordedCluster(claims);
        this.claims = claims;
        this.work = work;
    }

    /**
     * Prints a line for each size.
     *
     * @param args sizes in claims, 1,000 and 10,000 unless given; {@code --quick} for 1,000 alone
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        System.out.printf(
                Locale.ROOT,
                "%8s %8s %8s %9s %9s %9s %9s %9s %9s %9s%n",
                "claims",
                "pods",
                "nodes",
                "in step s",
                "CPU s",
                "MB got",
                "heap MB",
                "RSS MB",
                "most RSS",
                "gone s");
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
                double cpu = controller.process().cpuSeconds();
                long got = proxy.received();
                long live = controller.process().liveBytes();
                double gone = deleteANamespace();
                System.out.printf(
                        Locale.ROOT,
                        "%8d %8d %8d %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f%n",
                        claims,
                        cluster.count(Kinds.POD),
                        cluster.count(Kinds.NODE),
                        inStep,
                        cpu,
                        got / MEGA,
                        live / MEGA,
                        controller.process().residentBytes() / MEGA,
                        controller.process().mostResidentBytes() / MEGA,
                        gone);
            }
        }
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
