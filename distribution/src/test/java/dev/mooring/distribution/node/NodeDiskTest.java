// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.distribution.standalone.Standalone;
import dev.mooring.distribution.standalone.StandaloneServers;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod fills the disk on which its volumes and the agent's records lie. */
@Tag("long")
class NodeDiskTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    private Path directory = Path.of("");

    private Path disk() {
        return directory.resolve("disk");
    }

    @AfterEach
    void unmounts() throws Exception {
        run("umount", "--recursive", disk().toString());
    }

    private static int run(String... words) throws IOException, InterruptedException {
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private ClusterStore open() {
        return KubernetesStore.open(
                Connection.ofKubeconfig(directory.resolve("server/kubeconfig")), KubernetesOptions.DEFAULT);
    }

    private static Pod pod(String name) {
        return Kinds.POD.read(
                KubernetesYaml.standard().readAll("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec:
                  nodeName: n1
                  containers: [{name: main, image: none, volumeMounts: [{name: scratch, mountPath: /scratch}]}]
                  volumes: [{name: scratch, emptyDir: {}}]
                """.formatted(name), "pod").get(0));
    }

    private static Optional<Pod> running(ClusterStore store, String name) {
        return new Awaiting(store, PATIENCE)
                .until(
                        Kinds.POD,
                        ObjectKey.of("default", name),
                        name + " runs",
                        seen -> seen.filter(pod -> pod.status().phase() == PodPhase.RUNNING)
                                .isPresent());
    }

    private Path scratch(Pod pod) {
        return disk().resolve("data/kubelet/pods")
                .resolve(pod.metadata().uid())
                .resolve("volumes/kubernetes.io~empty-dir/scratch");
    }

    /** Takes all space, and all names. */
    private static void fill(Path place) throws IOException {
        boolean full = false;
        for (int file = 0; !full; file++) {
            try {
                Files.write(place.resolve("bytes-" + file), new byte[256]);
            } catch (IOException e) {
                full = true;
            }
        }
        for (int file = 0; ; file++) {
            try {
                Files.createFile(place.resolve("name-" + file));
            } catch (IOException e) {
                return;
            }
        }
    }

    @Test
    void aPodThatHasFilledItGoesAndMakesRoomForTheOneThatWaited() throws Exception {
        Files.createDirectory(disk());
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=4m,nr_inodes=2k,mode=0755", "none", disk().toString()))
                .as("mounting")
                .isZero();
        try (Standalone server = Standalone.start(StandaloneServers.options(directory.resolve("server")), List.of());
                ClusterStore store = open()) {
            assertThat(server.sickness()).isEmpty();
            NodeProcess process = new NodeProcess(
                    NodeProcesses.settings(this::open, "n1", disk().resolve("data")),
                    FakeProc.in(Files.createTempDirectory(directory, "proc")).machine(),
                    TimeSource.system());
            CompletableFuture<Boolean> run = NodeProcesses.run(process);
            try {
                process.awaitStart();
                store.create(Kinds.POD, pod("greedy")).orThrow();
                fill(scratch(running(store, "greedy").orElseThrow()));

                store.create(Kinds.POD, pod("late")).orThrow();
                awaitReason(store);
                store.delete(Kinds.POD, ObjectKey.of("default", "greedy"), DeleteOptions.DEFAULT);

                new Awaiting(store, PATIENCE)
                        .until(Kinds.POD, ObjectKey.of("default", "greedy"), "the pod goes", Optional::isEmpty);
                assertThat(running(store, "late")).isPresent();
                store.delete(Kinds.POD, ObjectKey.of("default", "late"), DeleteOptions.DEFAULT);
                new Awaiting(store, PATIENCE)
                        .until(Kinds.POD, ObjectKey.of("default", "late"), "the pod goes", Optional::isEmpty);
            } finally {
                process.stop();
            }
            assertThat(run.join()).isTrue();
        }
    }

    private static void awaitReason(ClusterStore store) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            if (store.list(Kinds.EVENT, ListOptions.ALL).orThrow().items().stream()
                    .map(Event::message)
                    .anyMatch(message -> message.contains("the disk is full"))) {
                return;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no event says why the pod waits");
    }
}
