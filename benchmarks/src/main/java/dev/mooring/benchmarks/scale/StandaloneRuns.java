// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.StoreResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code mooring standalone}, as a process of its own with the options that are shipped: how long it takes until it answers, empty and after
 * it was killed with all objects, and what it holds in memory. A client of this process makes the objects, one after the other. Linux only.
 */
public final class StandaloneRuns {
    private static final int PAIRS = 5_000;
    private static final double MEBI = 1 << 20;
    private static final double NANOS = 1e9;
    private static final long PAUSE_MILLIS = 50;
    private static final long IDLE_MILLIS = 30_000;

    private final List<String> command;
    private final Path data;
    private final Path log;

    /**
     * Measures nothing yet.
     *
     * @param mooring the launcher
     * @param work a directory for what it writes
     */
    StandaloneRuns(Path mooring, Path work) {
        data = work.resolve("data");
        log = work.resolve("standalone.log");
        command = List.of(mooring.toString(), "standalone", "--data-dir", data.toString(), "--port", "0");
    }

    /**
     * Prints a line for each moment.
     *
     * @param args how many pairs, 5,000 unless given; {@code --once} for 500
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path mooring = MeasuredProcess.launcher();
        int pairs =
                Arrays.asList(args).contains("--once") || Arrays.asList(args).contains("--quick")
                        ? PAIRS / 10
                        : args.length == 0 ? PAIRS : Integer.parseInt(args[0]);
        try (WorkDirectory work = WorkDirectory.create("mooring-standalone-")) {
            new StandaloneRuns(mooring, work.path()).run(pairs);
        }
    }

    /** Prints a line for each moment. */
    void run(int pairs) throws IOException, InterruptedException {
        System.out.printf(Locale.ROOT, "%-28s %8s %9s %9s%n", "moment", "after s", "RSS MiB", "most RSS");
        long begin = System.nanoTime();
        try (MeasuredProcess process = new MeasuredProcess(command, log)) {
            awaitAnswer(process);
            print("first answer, empty", begin, process);
            begin = System.nanoTime();
            try (KubernetesStore store = open()) {
                load(store, pairs);
                awaitBound(store, pairs);
            }
            print(String.format(Locale.ROOT, "%,d pairs are bound", pairs), begin, process);
            begin = System.nanoTime();
            Thread.sleep(IDLE_MILLIS);
            print("nothing to do", begin, process);
            process.kill();
        }
        Files.delete(data.resolve("kubeconfig")); // it is written again, with the new port, once the server answers
        begin = System.nanoTime();
        try (MeasuredProcess process = new MeasuredProcess(command, log)) {
            awaitAnswer(process);
            print("first answer after kill -9", begin, process);
            begin = System.nanoTime();
            Thread.sleep(IDLE_MILLIS);
            print("nothing to do", begin, process);
        }
    }

    private KubernetesStore open() {
        return KubernetesStore.open(
                Connection.ofKubeconfig(data.resolve("kubeconfig")),
                KubernetesOptions.DEFAULT.withUserAgent("mooring-benchmark"));
    }

    private void awaitAnswer(MeasuredProcess process) throws IOException, InterruptedException {
        while (!Files.exists(data.resolve("kubeconfig"))) {
            process.checkAlive();
            Thread.sleep(PAUSE_MILLIS);
        }
        try (KubernetesStore store = open()) {
            while (store.list(Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.ALL.withLimit(1))
                    .failure()
                    .isPresent()) {
                process.checkAlive();
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    private static void load(KubernetesStore store, int pairs) {
        for (int i = 0; i < pairs; i++) {
            Map<String, Object> capacity = Map.of("storage", "1Gi");
            List<String> modes = List.of("ReadWriteOnce");
            check(store.create(
                    Kinds.PERSISTENT_VOLUME,
                    Kinds.PERSISTENT_VOLUME.read(Document.of(Map.of(
                            "metadata", Map.of("name", "volume-" + i),
                            "spec",
                                    Map.of(
                                            "capacity", capacity,
                                            "accessModes", modes,
                                            "nfs", Map.of("server", "nfs.example.org", "path", "/export/" + i)))))));
            check(store.create(
                    Kinds.PERSISTENT_VOLUME_CLAIM,
                    Kinds.PERSISTENT_VOLUME_CLAIM.read(Document.of(Map.of(
                            "metadata", Map.of("namespace", "default", "name", "claim-" + i),
                            "spec",
                                    Map.of(
                                            "storageClassName",
                                            "",
                                            "accessModes",
                                            modes,
                                            "resources",
                                            Map.of("requests", capacity)))))));
        }
    }

    private static void check(StoreResult<?> created) {
        if (created.failure().isPresent()) {
            throw new IllegalStateException(
                    "an object cannot be made: " + created.failure().get());
        }
    }

    private static void awaitBound(KubernetesStore store, int pairs) throws InterruptedException {
        while (store.list(Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.ALL).orThrow().items().stream()
                        .filter(StandaloneRuns::isBound)
                        .count()
                < pairs) {
            Thread.sleep(PAUSE_MILLIS * 10);
        }
    }

    private static boolean isBound(PersistentVolumeClaim claim) {
        return claim.status().phase() == ClaimPhase.BOUND;
    }

    private static void print(String moment, long begin, MeasuredProcess process) throws IOException {
        System.out.printf(
                Locale.ROOT,
                "%-28s %8.1f %9.1f %9.1f%n",
                moment,
                (System.nanoTime() - begin) / NANOS,
                process.residentBytes() / MEBI,
                process.mostResidentBytes() / MEBI);
    }
}
