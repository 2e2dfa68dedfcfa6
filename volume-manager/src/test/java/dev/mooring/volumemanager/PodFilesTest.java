// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import static dev.mooring.volumemanager.machine.Playground.modeAndGroup;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.HiddenText;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ResourceRequirements;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import dev.mooring.volumemanager.content.ContentFeed;
import dev.mooring.volumemanager.content.TokenSource;
import dev.mooring.volumemanager.machine.Playground;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Volumes that the host makes itself, on a node as an embedder runs it: threads, a store, the machine. */
class PodFilesTest {
    private static final ObjectKey POD = ObjectKey.of("ns", "web");
    private static final ObjectKey CONFIG = ObjectKey.of("ns", "config");

    private final RecordLog log = new MemoryRecordLog();
    private Playground machine;
    private MemoryClusterStore store;
    private ContentFeed feed;
    private NodeConfig config;
    private ControllerRuntime runtime;

    @BeforeEach
    void startsANode() {
        machine = new Playground(
                HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.MOUNT_IDENTITY, HostFeature.ATOMIC_BIND);
        store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(7))));
        Node node = store.create(Kinds.NODE, Node.of("n1")).orThrow();
        config =
                NodeConfig.standalone(new NodeRef("n1", node.metadata().uid()), "boot-1", machine.directory("kubelet"));
        start();
    }

    private void start() {
        feed = new ContentFeed(store);
        NodeSignals signals = new NodeSignals();
        PluginRegistry plugins = HostVolumes.with(PluginRegistry.EMPTY, feed, TokenSource.NONE);
        NodeCallHandler calls =
                new NodeCallHandler(config.node(), config.root(), plugins, log, machine.host, Secrets.NONE);
        runtime = new ControllerRuntime(
                        store,
                        VolumeManager.controllers(config, plugins, log.replay(), signals, Adoption.Result.NOTHING),
                        RuntimeOptions.defaults().withName("node").withCalls(calls))
                .start();
        feed.onChange(podUid -> {
            Future<?> unused = runtime.ask(caches -> {
                signals.content().changed(podUid);
                return podUid;
            });
        });
    }

    private void stop() {
        runtime.close();
        feed.close();
    }

    @AfterEach
    void cleans() throws Exception {
        if (machine != null) {
            stop();
            store.close();
            machine.close();
        }
    }

    private void settle() throws Exception {
        runtime.whenQuiescent().get(240, TimeUnit.SECONDS);
    }

    /** Waits until it is so: the feed hears of changes on threads of its own, which the runtime does not know of. */
    private void settleUntil(BooleanSupplier wanted) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(240);
        settle();
        while (!wanted.getAsBoolean() && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(10);
            settle();
        }
    }

    private void settleUntilShown(Path file, String text) throws Exception {
        settleUntil(() -> {
            try {
                return Files.readString(file).equals(text);
            } catch (IOException e) {
                return false;
            }
        });
        assertThat(file).hasContent(text);
    }

    private static PodVolume volume(String name, String type, Map<String, ?> source) {
        return new PodVolume(name, Optional.of(new VolumeSource(type, Document.of(source))));
    }

    private static VolumeMount mount(String name, String subPath) {
        return new VolumeMount(name, "/" + name + "/" + subPath, false, subPath, "", Optional.empty());
    }

    private static Pod pod() {
        List<PodVolume> volumes = List.of(
                volume("scratch", "emptyDir", Map.of()),
                volume("config", "configMap", Map.of("name", "config")),
                volume(
                        "all",
                        "projected",
                        Map.of(
                                "sources",
                                List.of(
                                        Map.of("secret", Map.of("name", "secret")),
                                        Map.of(
                                                "downwardAPI",
                                                Map.of(
                                                        "items",
                                                        List.of(Map.of(
                                                                "path",
                                                                "labels",
                                                                "fieldRef",
                                                                Map.of("fieldPath", "metadata.labels")))))))));
        Container main = new Container(
                "main",
                "registry.example.com/app:1",
                List.of(
                        mount("scratch", ""),
                        mount("config", ""),
                        mount("all", ""),
                        mount("config", "key"),
                        mount("scratch", "logs/main")),
                List.of());
        Pod pod = Pod.of(
                "ns",
                "web",
                PodSpec.EMPTY
                        .withNodeName("n1")
                        .withVolumes(volumes)
                        .withContainers(List.of(main))
                        .withSecurityContext(Optional.of(PodSecurityContext.EMPTY.withFsGroup(Optional.of(4711L)))));
        return pod.withMetadata(pod.metadata().withLabels(Map.of("app", "one")));
    }

    private void createObjects() {
        store.create(
                        Kinds.CONFIG_MAP,
                        new ConfigMap(
                                ObjectMeta.named("ns", "config"), Map.of("key", "one"), Map.of(), Optional.empty()))
                .orThrow();
        store.create(
                        Kinds.SECRET,
                        new Secret(
                                ObjectMeta.named("ns", "secret"),
                                "Opaque",
                                Map.of("password", new HiddenText("aHVzaA==")),
                                Optional.empty()))
                .orThrow();
    }

    private void changeConfig(String text) {
        ConfigMap now = store.get(Kinds.CONFIG_MAP, CONFIG).orThrow();
        store.update(Kinds.CONFIG_MAP, new Change<>(now, now.withData(Map.of("key", text))))
                .orThrow();
    }

    private Path directory() {
        return config.root().resolve("pods").resolve(uid);
    }

    private String uid = "";

    private void runPod() throws Exception {
        uid = store.create(Kinds.POD, pod()).orThrow().metadata().uid();
        settle();
    }

    private Optional<PodPhase> phase() {
        return store.get(Kinds.POD, POD).value().map(found -> found.status().phase());
    }

    private void deletePodAndSeeNothingLeft() throws Exception {
        store.delete(Kinds.POD, POD, DeleteOptions.DEFAULT).orThrow();
        settle();
        assertThat(phase()).isEmpty();
        assertThat(config.root().resolve("pods")).isEmptyDirectory();
        assertThat(machine.mountsBelow(machine.base)).isEmpty();
        assertThat(RecordLog.standing(log.replay())).isEmpty();
        assertThat(feed.size()).isZero();
    }

    @Test
    void aPodRunsWithVolumesOfTheHostAndLeavesNothing() throws Exception {
        createObjects();
        runPod();
        assertThat(phase()).contains(PodPhase.RUNNING);
        Path volumes = directory().resolve("volumes");
        assertThat(volumes.resolve("kubernetes.io~configmap/config/key")).hasContent("one");
        assertThat(volumes.resolve("kubernetes.io~projected/all/password")).hasContent("hush");
        assertThat(volumes.resolve("kubernetes.io~projected/all/labels")).hasContent("app=\"one\"");
        assertThat(modeAndGroup(volumes.resolve("kubernetes.io~empty-dir/scratch")))
                .isEqualTo("2777 4711");
        assertThat(directory().resolve("volume-subpaths/config/main/3")).hasContent("one");
        assertThat(modeAndGroup(directory().resolve("volume-subpaths/scratch/main/4")))
                .isEqualTo("2777 4711");
        assertThat(log.replay().toString()).doesNotContain("hush").doesNotContain("aHVzaA");
        deletePodAndSeeNothingLeft();
    }

    @Test
    void e6_changesAreShownWithoutPollingButNotToWhoSeesASubPath() throws Exception {
        createObjects();
        runPod();
        changeConfig("two");
        Path volumes = directory().resolve("volumes");
        settleUntilShown(volumes.resolve("kubernetes.io~configmap/config/key"), "two");
        assertThat(directory().resolve("volume-subpaths/config/main/3")).hasContent("one");
        Pod now = store.get(Kinds.POD, POD).orThrow();
        store.update(
                        Kinds.POD,
                        new Change<>(now, now.withMetadata(now.metadata().withLabels(Map.of("app", "two")))))
                .orThrow();
        settle();
        assertThat(volumes.resolve("kubernetes.io~projected/all/labels")).hasContent("app=\"two\"");
        deletePodAndSeeNothingLeft();
    }

    @Test
    void whatContainersMayUseIsShownAndBoundsMemory() throws Exception {
        ResourceRequirements first = ResourceRequirements.EMPTY.withLimits(Map.of("memory", Quantity.parse("8Mi")));
        Map<String, ?> file = Map.of(
                "path", "memory", "resourceFieldRef", Map.of("containerName", "main", "resource", "limits.memory"));
        Container main = new Container(
                        "main", "registry.example.com/app:1", List.of(mount("ram", ""), mount("info", "")), List.of())
                .withResources(Optional.of(first));
        PodSpec spec = pod().spec()
                .withVolumes(List.of(
                        volume("ram", "emptyDir", Map.of("medium", "Memory", "sizeLimit", "1Gi")),
                        volume("info", "downwardAPI", Map.of("items", List.of(file)))))
                .withContainers(List.of(main));
        uid = store.create(Kinds.POD, pod().withSpec(spec)).orThrow().metadata().uid();
        settle();
        Path ram = directory().resolve("volumes/kubernetes.io~empty-dir/ram");
        assertThat(machine.mountsAt(ram))
                .singleElement()
                .satisfies(mount -> assertThat(mount.superOptions()).contains("size=8192k"));
        Path info = directory().resolve("volumes/kubernetes.io~downward-api/info/memory");
        assertThat(info).hasContent("8388608");
        deletePodAndSeeNothingLeft();
    }

    @Test
    void aLimitThatTheNodeDoesNotTellIsWaitedFor() throws Exception {
        Map<String, ?> file = Map.of(
                "path", "memory", "resourceFieldRef", Map.of("containerName", "main", "resource", "limits.memory"));
        Container main = new Container("main", "image", List.of(mount("info", "")), List.of());
        PodSpec spec = pod().spec()
                .withVolumes(List.of(volume("info", "downwardAPI", Map.of("items", List.of(file)))))
                .withContainers(List.of(main));
        uid = store.create(Kinds.POD, pod().withSpec(spec)).orThrow().metadata().uid();
        settle();
        assertThat(phase()).contains(PodPhase.PENDING);
        assertThat(directory().resolve("volumes/kubernetes.io~downward-api/info/memory"))
                .doesNotExist();
        Node node = store.get(Kinds.NODE, ObjectKey.cluster("n1")).orThrow();
        store.updateStatus(
                        Kinds.NODE,
                        new Change<>(
                                node,
                                node.withStatus(
                                        node.status().withAllocatable(Map.of("memory", Quantity.parse("1Gi"))))))
                .orThrow();
        feed.changed(uid);
        settle();
        assertThat(directory().resolve("volumes/kubernetes.io~downward-api/info/memory"))
                .hasContent("1073741824");
        deletePodAndSeeNothingLeft();
    }

    @Test
    void whatAPodWaitsForWakesItWhenItAppears() throws Exception {
        runPod();
        assertThat(phase()).contains(PodPhase.PENDING);
        createObjects();
        settleUntil(() -> phase().equals(Optional.of(PodPhase.RUNNING)));
        assertThat(phase()).contains(PodPhase.RUNNING);
        deletePodAndSeeNothingLeft();
    }

    @Test
    void aNewProcessShowsWhatChangedWhileNoneRan() throws Exception {
        createObjects();
        runPod();
        stop();
        changeConfig("meanwhile");
        start();
        settle();
        Path file = directory().resolve("volumes/kubernetes.io~configmap/config/key");
        assertThat(file).hasContent("meanwhile");
        changeConfig("later");
        settleUntilShown(file, "later");
        deletePodAndSeeNothingLeft();
    }

    @Test
    void aDeletedObjectLeavesWhatIsShown() throws Exception {
        createObjects();
        runPod();
        store.delete(Kinds.CONFIG_MAP, CONFIG, DeleteOptions.DEFAULT).orThrow();
        settle();
        assertThat(directory().resolve("volumes/kubernetes.io~configmap/config/key"))
                .hasContent("one");
        deletePodAndSeeNothingLeft();
    }
}
