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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * {@code mooring standalone}, as a process of its own with the options that are shipped: how long it takes until it answers, empty and after
 * it was killed with all objects, and what it holds in memory. A client of this process makes the objects, one after the other. Linux only.
 */
public final class StandaloneRuns {
    private static final int PAIRS = 5_000;
    private static final double MEBI = 1 << 20;
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;
    private static final long PAUSE_MILLIS = 50;
    private static final long IDLE_MILLIS = 30_000;
    private static final int ROUNDS = 3;
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]*");

    private final List<String> command;
    private final Path data;
    private final Path log;
    private final Map<String, Double> measured = new LinkedHashMap<>();

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
     * Prints a line for each moment. With other builds to compare with, each is measured in turn, several times, and a table of medians ends it.
     *
     * @param args how many pairs, 5,000 unless given; {@code --once} for 500, if no number is given, and one round; launchers of other builds, or their directories
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> given = Arrays.asList(args);
        boolean once = given.contains("--once") || given.contains("--quick");
        int pairs = once ? PAIRS / 10 : PAIRS;
        List<Path> launchers = new ArrayList<>(List.of(MeasuredProcess.launcher()));
        for (String each : given) {
            if (NUMBER.matcher(each).matches()) {
                pairs = Integer.parseInt(each);
            } else if (!each.startsWith("--")) {
                launchers.add(MeasuredProcess.launcher(Path.of(each)));
            }
        }
        BuildComparison comparison =
                new BuildComparison(launchers.stream().map(Path::toString).toList());
        int rounds = once || launchers.size() == 1 ? 1 : ROUNDS;
        for (int round = 0; round < rounds; round++) {
            for (int build = 0; build < launchers.size(); build++) {
                if (launchers.size() > 1) {
                    System.out.println(launchers.get(build));
                }
                try (WorkDirectory work = WorkDirectory.create("mooring-standalone-")) {
                    StandaloneRuns runs = new StandaloneRuns(launchers.get(build), work.path());
                    runs.run(pairs);
                    comparison.add(build, runs.measured);
                }
            }
        }
        if (launchers.size() > 1) {
            System.out.print(comparison.table());
        }
    }

    /** Prints a line for each moment. */
    void run(int pairs) throws IOException, InterruptedException {
        measured.clear();
        System.out.printf(Locale.ROOT, "%-28s %8s %8s %9s %9s%n", "moment", "after s", "CPU s", "RSS MiB", "most RSS");
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
            printAfterPause("30 s later", process);
            process.kill();
        }
        Files.delete(data.resolve("kubeconfig")); // it is written again, with the new port, once the server answers
        begin = System.nanoTime();
        try (MeasuredProcess process = new MeasuredProcess(command, log)) {
            awaitAnswer(process);
            print("first answer after kill -9", begin, process);
            printAfterPause("30 s after that", process);
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

    private void print(String moment, long begin, MeasuredProcess process) throws IOException {
        double seconds = (System.nanoTime() - begin) / NANOS;
        measured.put(moment + ", s", seconds);
        measured.put(moment + ", s of processor", process.cpuSeconds());
        printMemory(moment, seconds, process);
    }

    /** A pause is as long as it is: its length is no figure. */
    private void printAfterPause(String moment, MeasuredProcess process) throws IOException, InterruptedException {
        Thread.sleep(IDLE_MILLIS);
        printMemory(moment, IDLE_MILLIS / MILLIS, process);
    }

    private void printMemory(String moment, double seconds, MeasuredProcess process) throws IOException {
        double resident = process.residentBytes() / MEBI;
        measured.put(moment + ", MiB resident", resident);
        System.out.printf(
                Locale.ROOT,
                "%-28s %8.1f %8.1f %9.1f %9.1f%n",
                moment,
                seconds,
                process.cpuSeconds(),
                resident,
                process.mostResidentBytes() / MEBI);
    }
}
