// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.plugin.Plugins;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.distribution.wiring.LocalCluster;
import dev.mooring.distribution.wiring.LocalParts;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.store.embedded.EmbeddedRecordLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node with a thousand mounted volumes and nothing to do costs nothing: no thread of ours runs, and none reads a file. A mount anywhere
 * on this machine wakes one, so no integration test that runs beside this one may mount ({@code mooring.it.forks}); if something else does,
 * another while is looked at.
 */
@Tag("long")
class IdleNodeIT {
    private static final int PODS = 50;
    private static final int VOLUMES = 20;
    private static final int WINDOW_SECONDS = 15;
    private static final int MOST_WINDOWS = 4;
    private static final List<String> OURS = List.of("node-", "controllers-", "mooring-");

    @TempDir
    Path directory;

    @Test
    void nothingRunsAndNothingIsReadWhileAThousandVolumesAreMounted() throws IOException, InterruptedException {
        assumeThat(ThreadActivity.TASKS)
                .as("threads are looked at through /proc")
                .exists();
        for (String name : List.of("disk", "kubelet", "state")) {
            Files.createDirectory(directory.resolve(name));
        }
        Optional<LinuxHost> host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                directory.resolve("state"), directory.resolve("orphans"), KeptPlaces.in(directory.resolve("places"))));
        assumeThat(host.filter(linux -> linux.capabilities().has(HostFeature.ROOT)))
                .as("this process may mount")
                .isPresent();
        LoopCounters counters = new LoopCounters();
        try (MemoryClusterStore store = new MemoryClusterStore(
                        StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
                MountTableFeed mounts =
                        host.orElseThrow().followMounts().result().orElseThrow();
                EmbeddedRecordLog records = EmbeddedRecordLog.open(directory.resolve("records"));
                LocalCluster cluster = LocalCluster.start(LocalParts.of(
                                store, host.orElseThrow(), Plugins.installed(), "here", directory.resolve("kubelet"))
                        .withRecords(records, "boot")
                        .withListener(counters))) {
            Awaiting awaiting = new Awaiting(store, Duration.ofMinutes(5));
            for (int i = 0; i < PODS; i++) {
                store.createDocument(Kinds.POD, pod("p" + i)).orThrow();
            }
            try {
                for (int i = 0; i < PODS; i++) {
                    awaiting.until(
                            Kinds.POD,
                            ObjectKey.of("default", "p" + i),
                            "p" + i + " runs",
                            seen -> seen.filter(pod -> pod.status().phase() == PodPhase.RUNNING)
                                    .isPresent());
                }
                cluster.awaitQuiescence();
                Path ours = directory.resolve("kubelet").toRealPath();
                assertThat(mounted(mounts, ours)).isEqualTo(PODS * VOLUMES);
                idle(counters, mounts, ours);
            } finally {
                for (int i = 0; i < PODS; i++) {
                    store.delete(Kinds.POD, ObjectKey.of("default", "p" + i), DeleteOptions.DEFAULT);
                }
                for (int i = 0; i < PODS; i++) {
                    awaiting.until(Kinds.POD, ObjectKey.of("default", "p" + i), "p" + i + " goes", Optional::isEmpty);
                }
                cluster.awaitQuiescence();
            }
        }
    }

    /** If another process mounts meanwhile, our threads have to look at that; then another window is tried. */
    private static void idle(LoopCounters counters, MountTableFeed mounts, Path ours)
            throws IOException, InterruptedException {
        for (int window = 1; window <= MOST_WINDOWS; window++) {
            Map<String, String> before = ThreadActivity.settled(OURS);
            long decisions = counters.decisions();
            long timers = counters.timers();
            long version = mounts.version();
            assertThat(before.values())
                    .anyMatch(thread -> thread.startsWith("node-decider"))
                    .anyMatch(thread -> thread.startsWith("mooring-mounts"));
            new CountDownLatch(1).await(WINDOW_SECONDS, TimeUnit.SECONDS); // the passing of time is what is tested
            Map<String, String> after = ThreadActivity.of(OURS);
            assertThat(mounted(mounts, ours)).isEqualTo(PODS * VOLUMES);
            if (mounts.version() == version) {
                // a thread of a pool that found nothing to do for a while ends, and that is not told here
                assertThat(before).containsAllEntriesOf(after);
                assertThat(counters.decisions()).isEqualTo(decisions);
                assertThat(counters.timers()).isEqualTo(timers);
                return;
            }
        }
        throw new AssertionError("something was mounted or unmounted here in each of " + MOST_WINDOWS + " windows");
    }

    private static int mounted(MountTableFeed mounts, Path below) {
        return mounts.table().result().orElseThrow().below(below).size();
    }

    private Document pod(String name) {
        List<Map<String, ?>> volumes = new ArrayList<>();
        List<Map<String, ?>> seen = new ArrayList<>();
        for (int i = 0; i < VOLUMES; i++) {
            volumes.add(Map.of(
                    "name",
                    "v" + i,
                    "hostPath",
                    Map.of("path", directory.resolve("disk").toString(), "type", "Directory")));
            seen.add(Map.of("name", "v" + i, "mountPath", "/v" + i));
        }
        return Document.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Map.of("name", name, "namespace", "default"),
                "spec",
                Map.of(
                        "nodeName",
                        "here",
                        "volumes",
                        volumes,
                        "containers",
                        List.of(Map.of("name", "main", "image", "none", "volumeMounts", seen)))));
    }
}
