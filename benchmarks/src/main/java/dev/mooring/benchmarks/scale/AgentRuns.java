// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * {@code mooring node}, as a process of its own with the options that are shipped, in a cluster of objects as they were recorded, with 100
 * hostPath volumes of its own that it really mounts. Linux only, as root.
 */
public final class AgentRuns {
    private static final int HERE = 100;
    private static final int CHANGES = 10_000;
    private static final int WARM_UPS = 20;
    private static final double MEGA = 1e6;
    private static final long PAUSE_MILLIS = 200;
    private static final long QUIET_MILLIS = 20_000;
    private static final String NODE = "agent-node";
    private static final String NAMESPACE = "here";

    private final RecordedCluster cluster;
    private final int claims;
    private final Path work;

    private AgentRuns(int claims, Path work) {
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
                "%8s %8s %8s %8s %9s %9s %9s %12s %12s%n",
                "claims",
                "pods",
                "nodes",
                "here",
                "kB got",
                "RSS MB",
                "most RSS",
                "B in " + QUIET_MILLIS / 1_000 + " s",
                "B, changes");
        for (int size : RecordedCluster.sizes(args)) {
            try (WorkDirectory work = WorkDirectory.create("mooring-agent-")) {
                new AgentRuns(size, work.path()).run(MeasuredProcess.launcher());
            }
        }
    }

    private void run(Path mooring) throws IOException, InterruptedException {
        makePodsHere();
        try (cluster;
                ApiServer server = cluster.serve(work);
                CountingProxy proxy = new CountingProxy(server.port())) {
            Path kubeconfig = RecordedCluster.kubeconfig(server, proxy, work);
            warmUp(server);
            MeasuredProcess agent = new MeasuredProcess(
                    List.of(
                            mooring.toString(),
                            "node",
                            "--kubeconfig",
                            kubeconfig.toString(),
                            "--node-name",
                            NODE,
                            "--data-dir",
                            work.resolve("data").toString()),
                    work.resolve("agent.log"));
            try (agent) {
                awaitRunning(agent);
                Thread.sleep(QUIET_MILLIS / 4);
                long start = proxy.received();
                Thread.sleep(QUIET_MILLIS);
                long quiet = proxy.received() - start;
                long resident = agent.residentBytes();
                long before = proxy.received();
                long changed = System.nanoTime();
                changePodsElsewhere();
                long took = (System.nanoTime() - changed) / 1_000_000;
                Thread.sleep(Math.max(0, QUIET_MILLIS - took));
                System.out.printf(
                        Locale.ROOT,
                        "%8d %8d %8d %8d %9.1f %9.1f %9.1f %12d %12d%n",
                        claims,
                        cluster.count(Kinds.POD),
                        cluster.count(Kinds.NODE),
                        HERE,
                        start / 1e3,
                        resident / MEGA,
                        agent.mostResidentBytes() / MEGA,
                        quiet,
                        proxy.received() - before);
                removePods(agent);
            }
        }
    }

    /** The server's first handshakes take long on a busy machine, and an agent that is not answered ends. */
    private static void warmUp(ApiServer server) throws InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; i < WARM_UPS; i++) {
            try {
                client.send(
                        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/"))
                                .build(),
                        BodyHandlers.discarding());
            } catch (IOException untrusted) {
                // the handshake is what counts
            }
        }
    }

    private void makePodsHere() throws IOException {
        cluster.namespace(NAMESPACE);
        for (int i = 0; i < HERE; i++) {
            String name = "here-" + i;
            Path path = Files.createDirectories(work.resolve("storage").resolve(name));
            cluster.load(Kinds.PERSISTENT_VOLUME, """
                    {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"%1$s","uid":"pv-%1$s"},
                     "spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"%2$s"},
                     "persistentVolumeReclaimPolicy":"Retain","storageClassName":"","volumeMode":"Filesystem",
                     "claimRef":{"kind":"PersistentVolumeClaim","namespace":"here","name":"%1$s","uid":"pvc-%1$s"}},
                     "status":{"phase":"Bound"}}""".formatted(name, path));
            cluster.load(Kinds.PERSISTENT_VOLUME_CLAIM, """
                    {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"%1$s","namespace":"here",
                     "uid":"pvc-%1$s","annotations":{"pv.kubernetes.io/bind-completed":"yes"}},
                     "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},
                     "storageClassName":"","volumeMode":"Filesystem","volumeName":"%1$s"},"status":{"phase":"Bound"}}""".formatted(name));
            cluster.load(Kinds.POD, """
                    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%1$s","namespace":"here","uid":"pod-%1$s"},
                     "spec":{"nodeName":"agent-node","containers":[{"name":"c","image":"none",
                     "volumeMounts":[{"name":"data","mountPath":"/data"}]}],
                     "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"%1$s"}}]},
                     "status":{"phase":"Pending"}}""".formatted(name));
        }
    }

    private List<Pod> podsHere() {
        return cluster.store()
                .list(Kinds.POD, ListOptions.inNamespace(NAMESPACE))
                .orThrow()
                .items();
    }

    private void awaitRunning(MeasuredProcess agent) throws IOException, InterruptedException {
        while (podsHere().stream().anyMatch(pod -> pod.status().phase() != PodPhase.RUNNING)) {
            agent.checkAlive();
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** As a crowd of pods does that become ready. */
    private void changePodsElsewhere() {
        for (int i = 0; i < CHANGES; i++) {
            cluster.touch(Kinds.POD, i % cluster.count(Kinds.POD), Integer.toString(i));
        }
    }

    /** Leaves nothing mounted: the agent lets a pod's object go when its volumes are unmounted. */
    private void removePods(MeasuredProcess agent) throws IOException, InterruptedException {
        for (Pod pod : podsHere()) {
            cluster.store()
                    .delete(Kinds.POD, ObjectKey.of(pod), DeleteOptions.DEFAULT)
                    .orThrow();
        }
        while (!podsHere().isEmpty()) {
            agent.checkAlive();
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
