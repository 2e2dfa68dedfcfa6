// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.controlplane.NodeAgent;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.distribution.wiring.LocalCluster;
import dev.mooring.distribution.wiring.LocalParts;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.store.embedded.EmbeddedRecordLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A whole control plane on this machine: real bind mounts, records that are synced to the disk, a store in memory. Volumes are directories,
 * bound to claims beforehand.
 */
final class HostCluster implements AutoCloseable {
    private static final String NODE = "here";
    private static final String NAMESPACE = "default";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final RunDirectories directories;
    private final MemoryClusterStore store;
    private final MountTableFeed mounts;
    private final EmbeddedRecordLog records;
    private final LocalCluster cluster;
    private final Awaiting awaiting;
    private final Map<String, Long> published = new ConcurrentHashMap<>();
    private final PodWatch pods = new PodWatch();

    HostCluster(RunDirectories directories, Work work) throws IOException {
        this.directories = directories;
        store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
        LinuxHost host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        directories.state(),
                        directories.orphans(),
                        KeptPlaces.in(directories.state().resolveSibling("places"))))
                .orElseThrow(() -> new IllegalStateException("this needs Linux"));
        mounts = host.followMounts().result().orElseThrow();
        records = EmbeddedRecordLog.open(directories.records());
        awaiting = new Awaiting(store, PATIENCE);
        store.watch(Kinds.POD, ListOptions.ALL, Revision.ZERO, pods);
        List<StoragePlugin> plugins = ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(plugin -> plugin.describe().sourceTypes().contains("hostPath"))
                .toList();
        String boot =
                Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        cluster = LocalCluster.start(LocalParts.of(store, host, plugins, NODE, directories.root())
                .withRecords(records, boot)
                .withCalls(this::noting)
                .withListener(work));
    }

    /** Notes when a volume's publish has returned: its mount is there, and was looked at. */
    private CallHandler noting(CallHandler real) {
        return (call, ticket) -> {
            Outcome<?> outcome = real.perform(call, ticket);
            if (call.operation().equals("publish") && outcome.isDone()) {
                published.put(call.volume(), System.nanoTime());
            }
            return outcome;
        };
    }

    /** Makes volumes of these names and claims for them, and waits until each is bound. */
    void offer(List<String> names) {
        for (String name : names) {
            create(
                    Kinds.PERSISTENT_VOLUME,
                    "",
                    name,
                    Map.of(
                            "capacity", Map.of("storage", "1Gi"),
                            "accessModes", List.of("ReadWriteOnce"),
                            "persistentVolumeReclaimPolicy", "Retain",
                            "claimRef", Map.of("namespace", NAMESPACE, "name", name),
                            "hostPath", Map.of("path", directories.disk(name).toString(), "type", "Directory"),
                            "nodeAffinity",
                                    Map.of(
                                            "required",
                                            Map.of(
                                                    "nodeSelectorTerms",
                                                    List.of(Map.of(
                                                            "matchExpressions",
                                                            List.of(Map.of(
                                                                    "key",
                                                                    NodeAgent.HOSTNAME,
                                                                    "operator",
                                                                    "In",
                                                                    "values",
                                                                    List.of(NODE)))))))));
            create(
                    Kinds.PERSISTENT_VOLUME_CLAIM,
                    NAMESPACE,
                    name,
                    Map.of(
                            "accessModes",
                            List.of("ReadWriteOnce"),
                            "storageClassName",
                            "",
                            "volumeName",
                            name,
                            "resources",
                            Map.of("requests", Map.of("storage", "1Gi"))));
        }
        for (String name : names) {
            awaiting.until(
                    Kinds.PERSISTENT_VOLUME_CLAIM,
                    ObjectKey.of(NAMESPACE, name),
                    name + " is bound",
                    seen -> seen.filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                            .isPresent());
        }
        cluster.awaitQuiescence();
    }

    /** Puts a pod for each of these volumes on the node, all at once; answers how long each waited, in milliseconds. */
    Waits publish(List<String> names) {
        names.forEach(published::remove);
        List<Document> documents = names.stream().map(HostCluster::pod).toList();
        Map<String, Long> begin = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            begin.put(names.get(i), System.nanoTime());
            store.createDocument(Kinds.POD, documents.get(i)).orThrow();
        }
        List<Double> untilPublished = new ArrayList<>();
        List<Double> untilRunning = new ArrayList<>();
        pods.await(names, true);
        cluster.awaitQuiescence();
        for (String name : names) {
            long from = begin.getOrDefault(name, 0L);
            untilPublished.add((published.getOrDefault(name, 0L) - from) / 1e6);
            untilRunning.add((pods.since(name) - from) / 1e6);
        }
        return new Waits(untilPublished, untilRunning);
    }

    /**
     * How long pods waited, in milliseconds.
     *
     * @param published until the mount of the volume was there
     * @param running until the pod was shown as running, its volumes recorded as published
     */
    record Waits(List<Double> published, List<Double> running) {
        Waits {
            published = List.copyOf(published);
            running = List.copyOf(running);
        }
    }

    /** Deletes the pods of these volumes and waits until each has gone. */
    void release(List<String> names) {
        for (String name : names) {
            store.delete(Kinds.POD, ObjectKey.of(NAMESPACE, name), DeleteOptions.DEFAULT)
                    .orThrow();
        }
        pods.await(names, false);
        cluster.awaitQuiescence();
    }

    /** How often the whole mount table was read so far. */
    long mountTables() {
        return mounts.reads();
    }

    static Document pod(String name) {
        return Document.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Map.of("name", name, "namespace", NAMESPACE),
                "spec",
                Map.of(
                        "nodeName", NODE,
                        "volumes", List.of(Map.of("name", "data", "persistentVolumeClaim", Map.of("claimName", name))),
                        "containers",
                                List.of(Map.of(
                                        "name", "main",
                                        "image", "none",
                                        "volumeMounts", List.of(Map.of("name", "data", "mountPath", "/data")))))));
    }

    private void create(Kind<?> kind, String namespace, String name, Map<String, ?> spec) {
        Map<String, String> metadata =
                namespace.isEmpty() ? Map.of("name", name) : Map.of("name", name, "namespace", namespace);
        store.createDocument(
                        kind,
                        Document.of(
                                Map.of("apiVersion", "v1", "kind", kind.name(), "metadata", metadata, "spec", spec)))
                .orThrow();
    }

    @Override
    public void close() {
        cluster.close();
        mounts.close();
        records.close();
        store.close();
    }
}
