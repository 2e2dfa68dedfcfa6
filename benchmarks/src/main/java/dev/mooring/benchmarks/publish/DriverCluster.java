// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.controlplane.ControlPlane;
import dev.mooring.controlplane.NodeAgent;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.plugin.csi.CsiHost;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
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
import java.util.TreeMap;

/**
 * Controllers and a node on this machine that call drivers by their sockets: real directories, records that are synced to the disk, a store in
 * memory.
 */
final class DriverCluster implements AutoCloseable {
    private static final String NODE = "here";
    private static final String NAMESPACE = "default";
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
    private final Awaiting awaiting = new Awaiting(store, PATIENCE);
    private final PodWatch pods = new PodWatch();
    private final DriverHost host = new CsiHost();
    private final MountTableFeed mounts;
    private final EmbeddedRecordLog records;
    private final DriverHost.InControllers served;
    private final ControlPlane plane;
    private final NodeAgent agent;

    DriverCluster(RunDirectories directories, List<MeasuredDriver> drivers) throws IOException {
        LinuxHost machine = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        directories.state(),
                        directories.orphans(),
                        KeptPlaces.in(directories.state().resolveSibling("places"))))
                .orElseThrow(() -> new IllegalStateException("this needs Linux"));
        mounts = machine.followMounts().result().orElseThrow();
        records = EmbeddedRecordLog.open(directories.records());
        store.watch(Kinds.POD, ListOptions.ALL, Revision.ZERO, pods);
        Map<String, String> endpoints = new TreeMap<>();
        for (MeasuredDriver driver : drivers) {
            endpoints.put(driver.name(), driver.endpoint());
            create(Kinds.CSI_DRIVER, "storage.k8s.io/v1", "", driver.name(), "spec", Map.of("attachRequired", false));
            store.createDocument(
                            Kinds.STORAGE_CLASS,
                            Document.of(Map.of(
                                    "apiVersion",
                                    "storage.k8s.io/v1",
                                    "kind",
                                    "StorageClass",
                                    "metadata",
                                    Map.of("name", driver.name()),
                                    "provisioner",
                                    driver.name())))
                    .orThrow();
        }
        served = host.inControllers(store, endpoints, DriverCallMetrics.ofControllers());
        plane = ControlPlane.builder(store)
                .plugins(served.plugins())
                .binder(BinderOptions.DEFAULT)
                .start();
        served.start(plugin -> plane.runtime().pluginCame(plugin));
        agent = NodeAgent.builder(store, machine, directories.root())
                .records(records)
                .bootId(Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                        .strip())
                .drivers(() -> host, endpoints)
                .start(NODE);
    }

    /** Makes claims of these names, all at once; answers how long each waited for its volume, in milliseconds. */
    List<Double> claim(MeasuredDriver driver, List<String> names) {
        Map<String, Long> begin = begin(driver, names);
        List<Double> waits = new ArrayList<>();
        for (String name : names) {
            awaiting.until(
                    Kinds.PERSISTENT_VOLUME_CLAIM,
                    ObjectKey.of(NAMESPACE, name),
                    name + " is bound",
                    seen -> seen.filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                            .isPresent());
            waits.add((System.nanoTime() - begin.getOrDefault(name, 0L)) / 1e6);
        }
        return waits;
    }

    /** Makes claims of these names and waits for nothing. */
    Map<String, Long> begin(MeasuredDriver driver, List<String> names) {
        Map<String, Long> begin = new HashMap<>();
        for (String name : names) {
            begin.put(name, System.nanoTime());
            create(
                    Kinds.PERSISTENT_VOLUME_CLAIM,
                    "v1",
                    NAMESPACE,
                    name,
                    "spec",
                    Map.of(
                            "accessModes",
                            List.of("ReadWriteOnce"),
                            "storageClassName",
                            driver.name(),
                            "resources",
                            Map.of("requests", Map.of("storage", "1Gi"))));
        }
        return begin;
    }

    /** Puts a pod for each of these claims on the node and waits for nothing. */
    Map<String, Long> put(List<String> names) {
        Map<String, Long> begin = new HashMap<>();
        for (String name : names) {
            Document pod = HostCluster.pod(name);
            begin.put(name, System.nanoTime());
            store.createDocument(Kinds.POD, pod).orThrow();
        }
        return begin;
    }

    /** Puts a pod for each of these claims on the node, all at once; answers how long each waited, in milliseconds. */
    List<Double> run(List<String> names) {
        Map<String, Long> begin = put(names);
        pods.await(names, true);
        return names.stream()
                .map(name -> (pods.since(name) - begin.getOrDefault(name, 0L)) / 1e6)
                .toList();
    }

    /** Deletes the pods of these claims and waits until each has gone. */
    void release(List<String> names) {
        names.forEach(name -> store.delete(Kinds.POD, ObjectKey.of(NAMESPACE, name), DeleteOptions.DEFAULT)
                .orThrow());
        pods.await(names, false);
    }

    private void create(Kind<?> kind, String version, String namespace, String name, String part, Map<String, ?> spec) {
        Map<String, String> metadata =
                namespace.isEmpty() ? Map.of("name", name) : Map.of("name", name, "namespace", namespace);
        store.createDocument(
                        kind,
                        Document.of(
                                Map.of("apiVersion", version, "kind", kind.name(), "metadata", metadata, part, spec)))
                .orThrow();
    }

    @Override
    public void close() {
        agent.close();
        plane.close();
        served.close();
        mounts.close();
        records.close();
        store.close();
    }
}
