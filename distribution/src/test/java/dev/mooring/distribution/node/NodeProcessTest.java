// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.distribution.Deciders;
import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.distribution.plugin.PluginRule;
import dev.mooring.distribution.plugin.PluginsInUse.NeededPluginUnusable;
import dev.mooring.distribution.plugin.UnusableDirectory;
import dev.mooring.distribution.standalone.Standalone;
import dev.mooring.distribution.standalone.StandaloneServers;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.NodeSystemInfo;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes beside that of a standalone server, over its API as if from other machines. */
@Tag("long")
class NodeProcessTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    private Path directory = Path.of("");

    private ClusterStore open() {
        return KubernetesStore.open(
                Connection.ofKubeconfig(directory.resolve("server/kubeconfig")), KubernetesOptions.DEFAULT);
    }

    @Test
    void aDataDirectoryThatCannotBeIsNamedAndWhy() throws IOException {
        Files.createFile(directory.resolve("file"));
        try (Standalone server = Standalone.start(StandaloneServers.options(directory.resolve("server")), List.of())) {
            assertThat(server.sickness()).isEmpty();
            assertThatThrownBy(() -> process("n1", "file").run())
                    .isInstanceOf(IOException.class)
                    .hasMessage("the data directory " + directory.resolve("file")
                            + " cannot be used: something else has that name");
        }
    }

    private NodeProcess process(String node, String data) throws IOException {
        return process(node, data, InstalledPlugins.of(List.of()));
    }

    private NodeProcess process(String node, String data, InstalledPlugins plugins) throws IOException {
        NodeSettings settings = NodeProcesses.settings(this::open, node, directory.resolve(data), plugins);
        Path proc = Files.createTempDirectory(directory, "proc");
        return new NodeProcess(settings, FakeProc.in(proc).machine(), TimeSource.system());
    }

    private static Pod pod(String node) {
        Document pod =
                KubernetesYaml.standard().readAll("""
                apiVersion: v1
                kind: Pod
                metadata: {name: on-%1$s, namespace: default}
                spec:
                  nodeName: %1$s
                  containers: [{name: main, image: none, volumeMounts: [{name: words, mountPath: /words}]}]
                  volumes: [{name: words, configMap: {name: words}}]
                """.formatted(node), "pod").get(0);
        return Kinds.POD.read(pod);
    }

    @Test
    void eachMountsForItsOwnPodsAndNoAgentTakesANodeThatIsTaken() throws Exception {
        Optional<LinuxHost> host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                Files.createDirectories(directory.resolve("s")),
                directory.resolve("o"),
                KeptPlaces.in(directory.resolve("p"))));
        assumeThat(host.filter(linux -> linux.capabilities().has(HostFeature.ROOT)))
                .as("this process may mount")
                .isPresent();
        Path server = directory.resolve("server");
        try (Standalone standalone = Standalone.start(StandaloneServers.options(server), List.of());
                ClusterStore store = open()) {
            assertThat(standalone.url()).startsWith("https://");
            NodeProcess first = process("n1", "one");
            NodeProcess second = process("n2", "two");
            CompletableFuture<Boolean> firstRun = NodeProcesses.run(first);
            CompletableFuture<Boolean> secondRun = NodeProcesses.run(second);
            try {
                first.awaitStart();
                second.awaitStart();
                publish(store);
                assertThatThrownBy(() -> process("n1", "three").run())
                        .isInstanceOf(NodeRefused.class)
                        .hasMessageContaining("node n1 has another manager")
                        .hasMessageContaining("kube-node-lease/n1");
            } finally {
                first.stop();
                second.stop();
            }
            assertThat(firstRun.join()).isTrue();
            assertThat(secondRun.join()).isTrue();
            again(store);
        }
    }

    @Test
    void theNodeOfARunningServerIsRefused() throws Exception {
        try (Standalone server = Standalone.start(StandaloneServers.options(directory.resolve("server")), List.of());
                ClusterStore store = open()) {
            String holder = store.get(Kinds.LEASE, ObjectKey.of(Heartbeat.LEASES, "here"))
                    .orThrow()
                    .spec()
                    .holderIdentity();
            assertThatThrownBy(() -> process("here", "one").run())
                    .isInstanceOf(NodeRefused.class)
                    .hasMessageContainingAll("node here has another manager", "kube-node-lease/here", holder);
            assertThat(server.sickness()).isEmpty();
        }
    }

    /** Its Node must not be shown as alive any longer, and its supervisor starts it again. */
    @Test
    void endsWhenTheAgentHasEnded() throws Exception {
        try (Standalone server = Standalone.start(StandaloneServers.options(directory.resolve("server")), List.of())) {
            assertThat(server.sickness()).isEmpty();
            Set<Thread> others = Deciders.now();
            NodeProcess process = process("n1", "one");
            CompletableFuture<Boolean> run = NodeProcesses.run(process);
            process.awaitStart();
            Deciders.endAllBut(others);
            assertThat(run.join()).isFalse();
        }
    }

    private static InstalledPlugins withBroken(String source) {
        PluginDescriptor claim = PluginDescriptor.of(new PluginName("disks.example.org"), List.of(source), Place.NODE);
        return new InstalledPlugins(
                List.of(),
                List.of(new UnusableDirectory(
                        Path.of("plugins", "disks"), PluginRule.UNIQUE, "two claim it", List.of(claim))));
    }

    @Test
    void aBrokenPluginStopsItOnlyIfAVolumeNeedsIt() throws Exception {
        Path server = directory.resolve("server");
        try (Standalone standalone = Standalone.start(StandaloneServers.options(server), List.of());
                ClusterStore store = open()) {
            assertThat(standalone.url()).startsWith("https://");
            Document volume = KubernetesYaml.standard().readAll("""
                    apiVersion: v1
                    kind: PersistentVolume
                    metadata: {name: pv}
                    spec:
                      capacity: {storage: 1Gi}
                      accessModes: [ReadWriteOnce]
                      nfs: {server: files, path: /a}
                    """, "volume").get(0);
            store.create(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME.read(volume))
                    .orThrow();
            assertThatThrownBy(() -> process("n1", "one", withBroken("nfs")).run())
                    .isInstanceOf(NeededPluginUnusable.class)
                    .hasMessageContainingAll(
                            "volume pv", Path.of("plugins", "disks").toString(), "UNIQUE");
            assertThat(store.get(Kinds.NODE, ObjectKey.cluster("n1")).value())
                    .as("nothing was done")
                    .isEmpty();
            NodeProcess other = process("n1", "one", withBroken("disk"));
            CompletableFuture<Boolean> run = NodeProcesses.run(other);
            try {
                other.awaitStart();
            } finally {
                other.stop();
            }
            assertThat(run.join()).isTrue();
        }
    }

    private void publish(ClusterStore store) throws IOException {
        Document words = KubernetesYaml.standard().readAll("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: words, namespace: default}
                data: {greeting: hello}
                """, "map").get(0);
        ConfigMap map = Kinds.CONFIG_MAP.read(words);
        store.create(Kinds.CONFIG_MAP, map).orThrow();
        Awaiting awaiting = new Awaiting(store, PATIENCE);
        for (String node : List.of("n1", "n2")) {
            store.create(Kinds.POD, pod(node)).orThrow();
            Pod running = awaiting.until(
                            Kinds.POD,
                            ObjectKey.of("default", "on-" + node),
                            "the pod of " + node + " runs",
                            seen -> seen.filter(pod -> pod.status().phase() == PodPhase.RUNNING)
                                    .isPresent())
                    .orElseThrow();
            String own = node.equals("n1") ? "one" : "two";
            String other = node.equals("n1") ? "two" : "one";
            assertThat(file(own, running)).hasContent("hello");
            assertThat(file(other, running)).doesNotExist();
            assertThat(store.get(Kinds.NODE, ObjectKey.cluster(node))
                            .orThrow()
                            .status()
                            .nodeInfo()
                            .map(NodeSystemInfo::kubeletVersion))
                    .contains("mooring-0.1.0");
        }
    }

    private Path file(String data, Pod pod) {
        return directory
                .resolve(data)
                .resolve("kubelet/pods")
                .resolve(pod.metadata().uid())
                .resolve("volumes/kubernetes.io~configmap/words/greeting");
    }

    /** What stayed is found again: if a pod goes while no agent runs, the next start cleans up after it. */
    private void again(ClusterStore store) throws Exception {
        Pod pod = store.get(Kinds.POD, ObjectKey.of("default", "on-n1")).orThrow();
        assertThat(file("one", pod)).exists();
        store.delete(Kinds.POD, ObjectKey.of("default", "on-n1"), DeleteOptions.DEFAULT);
        NodeProcess process = process("n1", "one");
        CompletableFuture<Boolean> run = NodeProcesses.run(process);
        try {
            new Awaiting(store, PATIENCE)
                    .until(Kinds.POD, ObjectKey.of("default", "on-n1"), "the pod goes", Optional::isEmpty);
            assertThat(file("one", pod)).doesNotExist();
        } finally {
            process.stop();
        }
        assertThat(run.join()).isTrue();
    }
}
