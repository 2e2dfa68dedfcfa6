// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.plugin.hostpath.HostPathPlugin;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node as an embedder runs it: threads, a store, the machine. */
class RunningNodeTest {
    private static final ObjectKey POD = ObjectKey.of("default", "web");

    @TempDir
    private Path temp;

    @Test
    void runsAPodAndLetsItGo() throws Exception {
        Optional<LinuxHost> host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                temp.resolve("state"), temp.resolve("orphans"), KeptPlaces.in(temp.resolve("places"))));
        assumeThat(host).as("Linux on x86_64 or aarch64").isPresent();
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.ATOMIC_BIND)) {
            assumeThat(host.get().capabilities().whyMissing(feature))
                    .as("why this process cannot mount")
                    .isEmpty();
        }
        Path data = Files.createDirectories(temp.resolve("data"));
        Files.writeString(data.resolve("greeting"), "hello");
        Path root = temp.resolve("kubelet");
        PluginRegistry plugins = new PluginRegistry(List.of(new HostPathPlugin()));
        RecordLog log = new MemoryRecordLog();
        try (ClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(7))))) {
            Node node = store.create(Kinds.NODE, Node.of("n1")).orThrow();
            NodeConfig config =
                    NodeConfig.standalone(new NodeRef("n1", node.metadata().uid()), "boot-1", root);
            NodeCallHandler calls = new NodeCallHandler(config.node(), root, plugins, log, host.get(), Secrets.NONE);
            try (ControllerRuntime runtime = new ControllerRuntime(
                            store,
                            VolumeManager.controllers(config, plugins, log.replay()),
                            RuntimeOptions.defaults().withName("node").withCalls(calls))
                    .start()) {
                Pod pod = store.create(Kinds.POD, podWith(data)).orThrow();
                runtime.whenQuiescent().get(240, TimeUnit.SECONDS);
                assertThat(phase(store)).contains(PodPhase.RUNNING);
                assertThat(root.resolve("pods")
                                .resolve(pod.metadata().uid())
                                .resolve("volumes/kubernetes.io~host-path/data/greeting"))
                        .hasContent("hello");

                store.delete(Kinds.POD, POD, DeleteOptions.DEFAULT);
                runtime.whenQuiescent().get(240, TimeUnit.SECONDS);
                assertThat(phase(store)).isEmpty();
                assertThat(root.resolve("pods")).isEmptyDirectory();
                assertThat(data.resolve("greeting")).hasContent("hello");
                assertThat(RecordLog.standing(log.replay())).isEmpty();
            }
        }
    }

    private static Optional<PodPhase> phase(ClusterStore store) {
        return store.get(Kinds.POD, POD).value().map(pod -> pod.status().phase());
    }

    private static Pod podWith(Path data) {
        VolumeMount mount = new VolumeMount("data", "/data", false, "", "", Optional.empty());
        PodVolume volume =
                new PodVolume("data", Optional.of(new HostPathSource(data.toString(), "Directory").toSource()));
        Container container = new Container("main", "registry.example.com/app:1", List.of(mount), List.of());
        return Pod.of(
                "default",
                "web",
                PodSpec.EMPTY.withNodeName("n1").withVolumes(List.of(volume)).withContainers(List.of(container)));
    }
}
