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
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.document.Document;
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
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plugin that answers after its caller gave up, on a node with threads whose clock the test moves: its pod is told, other
 * volumes go on, nothing is begun beside the call, and what it answers is not taken for the answer of the next one.
 */
class LateAnswersTest {
    private static final String SLOW = "slow";

    /** More than any call has, and than any back-off lasts. */
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    private Path temp;

    private final AtomicLong nanos = new AtomicLong();
    private final BlockingQueue<Announcement> news = new LinkedBlockingQueue<>();
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(7))));
    private final RecordLog log = new MemoryRecordLog();
    private final SlowPlugin plugin = new SlowPlugin();
    private ControllerRuntime runtime;
    private int others;

    @BeforeEach
    void starts() throws Exception {
        Optional<LinuxHost> host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                temp.resolve("state"), temp.resolve("orphans"), KeptPlaces.in(temp.resolve("places"))));
        assumeThat(host).as("Linux on x86_64 or aarch64").isPresent();
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.ATOMIC_BIND)) {
            assumeThat(host.get().capabilities().whyMissing(feature))
                    .as("why this process cannot mount")
                    .isEmpty();
        }
        Files.createDirectories(temp.resolve("data"));
        PluginRegistry plugins = new PluginRegistry(List.of(new HostPathPlugin(), plugin));
        Node node = store.create(Kinds.NODE, Node.of("n1")).orThrow();
        NodeConfig config =
                NodeConfig.standalone(new NodeRef("n1", node.metadata().uid()), "boot-1", temp.resolve("kubelet"));
        NodeCallHandler calls =
                new NodeCallHandler(config.node(), config.root(), plugins, log, host.get(), Secrets.NONE);
        runtime = new ControllerRuntime(
                        store,
                        VolumeManager.controllers(config, plugins, log.replay()),
                        RuntimeOptions.defaults()
                                .withName("node")
                                .withTime(this::now)
                                .withEvents(news::add)
                                .withCalls(calls))
                .start();
    }

    @AfterEach
    void ends() {
        plugin.answers(PluginState.NONE, 100);
        if (runtime != null) {
            for (Pod pod : pods()) {
                store.delete(Kinds.POD, ObjectKey.of(pod), DeleteOptions.DEFAULT);
            }
            until(() -> pods().isEmpty());
            runtime.close();
        }
        store.close();
    }

    private List<Pod> pods() {
        return store.list(Kinds.POD, ListOptions.ALL).orThrow().items();
    }

    private Time now() {
        return new Time(Instant.EPOCH.plusNanos(nanos.get()), nanos.get());
    }

    @Test
    void isToldOfWaitedForAndAskedAnew() throws Exception {
        create(SLOW, new VolumeSource(SlowPlugin.TYPE, Document.empty()));
        plugin.called.acquire();
        otherPodRuns();
        assertThat(news).isEmpty();

        nanos.addAndGet(LONG.toNanos());
        otherPodRuns();
        Announcement told = ofSlow();
        assertThat(told.warning()).isTrue();
        assertThat(told.reason()).isEqualTo("FailedMount");
        // The second when the time limit of the call is noticed before the loop looks at what waits.
        assertThat(told.message())
                .matches("(publish of volume .* has not ended yet|publish did not end within PT2M).*");
        nanos.addAndGet(LONG.toNanos());
        otherPodRuns();
        assertThat(plugin.called.availablePermits()).as("calls beside it").isZero();
        assertThat(phase(SLOW)).contains(PodPhase.PENDING);

        plugin.answers(new PluginState(1, "late"), 1);
        plugin.called.acquire();
        assertThat(phase(SLOW)).contains(PodPhase.PENDING);
        plugin.answers(new PluginState(1, "second"), 1);
        until(() -> phase(SLOW).equals(Optional.of(PodPhase.RUNNING)));
        assertThat(ofSlowPod()).singleElement().satisfies(record -> {
            assertThat(record.phase()).isEqualTo(RecordPhase.DONE);
            assertThat(record.state().content()).isEqualTo("second");
        });
        assertThat(plugin.undone).isEmpty();
    }

    @Test
    void isUndoneIfItsPodIsNotWantedAnyMore() throws Exception {
        create(SLOW, new VolumeSource(SlowPlugin.TYPE, Document.empty()));
        plugin.called.acquire();
        nanos.addAndGet(LONG.toNanos());
        otherPodRuns();
        assertThat(ofSlow().warning()).isTrue();

        store.delete(Kinds.POD, ObjectKey.of("default", SLOW), DeleteOptions.DEFAULT)
                .orThrow();
        nanos.addAndGet(LONG.toNanos());
        otherPodRuns();
        assertThat(plugin.undone).as("undone while it is done").isEmpty();
        assertThat(phase(SLOW)).isPresent();

        plugin.answers(new PluginState(1, "late"), 1);
        until(() -> phase(SLOW).isEmpty());
        assertThat(plugin.undone).containsExactly("late");
        assertThat(plugin.called.availablePermits()).as("further calls").isZero();
        assertThat(ofSlowPod()).isEmpty();
    }

    /** The next event of the slow pod; the jump of the clock may fall into a write of another one. */
    private Announcement ofSlow() throws InterruptedException {
        Announcement told = news.poll(240, TimeUnit.SECONDS);
        while (told != null && !told.object().name().equals(SLOW)) {
            told = news.poll(240, TimeUnit.SECONDS);
        }
        assertThat(told).isNotNull();
        return told;
    }

    private List<RecordEntry.Publish> ofSlowPod() {
        return RecordLog.standing(log.replay()).values().stream()
                .filter(RecordEntry.Publish.class::isInstance)
                .map(RecordEntry.Publish.class::cast)
                .filter(record -> record.pod().name().equals(SLOW))
                .toList();
    }

    /** Its news also has the node look at the clock. */
    private void otherPodRuns() {
        String name = "other-" + others++;
        create(name, new HostPathSource(temp.resolve("data").toString(), "Directory").toSource());
        until(() -> phase(name).equals(Optional.of(PodPhase.RUNNING)));
    }

    private static void until(BooleanSupplier holds) {
        while (!holds.getAsBoolean()) {
            assertThat(Thread.interrupted()).as("it lasts too long").isFalse();
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private Optional<PodPhase> phase(String name) {
        return store.get(Kinds.POD, ObjectKey.of("default", name))
                .value()
                .map(pod -> pod.status().phase());
    }

    private void create(String name, VolumeSource source) {
        VolumeMount mount = new VolumeMount("data", "/data", false, "", "", Optional.empty());
        Container container = new Container("main", "registry.example.com/app:1", List.of(mount), List.of());
        PodSpec spec = PodSpec.EMPTY
                .withNodeName("n1")
                .withVolumes(List.of(new PodVolume("data", Optional.of(source))))
                .withContainers(List.of(container));
        store.create(Kinds.POD, Pod.of("default", name, spec)).orThrow();
    }
}
