// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How long commands take from the start of the launcher, and the memory of those that stay: {@code --version} and {@code explain}, each with
 * every launcher in turn, {@code csi serve} and {@code csi sidecar} with and without the class archive, and {@code standalone}. Linux only.
 */
public final class ProcessRuns {
    private static final int TIMES = 9;
    private static final int PAIRS = 5_000;
    private static final double MEBI = 1 << 20;
    private static final double NANOS = 1e9;
    private static final long IDLE_MILLIS = 30_000;
    private static final String CLAIM = """
            {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data","namespace":"default"},
             "spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"","resources":{"requests":{"storage":"1Gi"}}}}""";

    private final List<Path> launchers;
    private final Path work;
    private final boolean once;

    private ProcessRuns(List<Path> launchers, Path work, boolean once) {
        this.launchers = launchers;
        this.work = work;
        this.once = once;
    }

    /**
     * Prints a line for each figure.
     *
     * @param args launchers or directories of builds, at least one; the first also starts what stays. {@code --once} for few repetitions and pairs
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<Path> launchers = Arrays.stream(args)
                .filter(each -> !each.startsWith("--"))
                .map(each -> MeasuredProcess.launcher(Path.of(each)))
                .toList();
        boolean once = launchers.size() < args.length;
        try (WorkDirectory work = WorkDirectory.create("mooring-processes-")) {
            new ProcessRuns(launchers, work.path(), once).run();
        }
        for (Path launcher : launchers) {
            System.out.println("standalone, " + launcher);
            try (WorkDirectory work = WorkDirectory.create("mooring-standalone-")) {
                new StandaloneRuns(launcher, work.path()).run(once ? PAIRS / 100 : PAIRS);
            }
        }
    }

    private void run() throws IOException, InterruptedException {
        alternately("--version");
        Path data = work.resolve("data");
        List<String> server =
                List.of(launchers.get(0).toString(), "standalone", "--data-dir", data.toString(), "--port", "0");
        try (MeasuredProcess standalone = new MeasuredProcess(server, work.resolve("standalone.log"))) {
            standalone.awaitWords("KUBECONFIG=");
            Path kubeconfig = data.resolve("kubeconfig");
            makeClaim(kubeconfig);
            alternately("explain", "pvc/data", "--kubeconfig", kubeconfig.toString());
            csi(kubeconfig, "with the class archive", Map.of());
            csi(kubeconfig, "without", Map.of("MOORING_JAVA_OPTS", "-Xshare:off"));
        }
    }

    private static void makeClaim(Path kubeconfig) {
        KubernetesOptions options = KubernetesOptions.DEFAULT.withUserAgent("mooring-benchmark");
        try (KubernetesStore store = KubernetesStore.open(Connection.ofKubeconfig(kubeconfig), options)) {
            store.create(
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            Kinds.PERSISTENT_VOLUME_CLAIM.read(
                                    KubernetesJson.standard().read(CLAIM, "a benchmark")))
                    .orThrow();
        }
    }

    private void alternately(String... arguments) throws IOException, InterruptedException {
        int times = once ? 1 : TIMES;
        List<long[]> took = new ArrayList<>();
        launchers.forEach(each -> took.add(new long[times]));
        for (int i = 0; i < times; i++) {
            for (int each = 0; each < launchers.size(); each++) {
                List<String> command =
                        new ArrayList<>(List.of(launchers.get(each).toString()));
                command.addAll(List.of(arguments));
                long begin = System.nanoTime();
                try (MeasuredProcess process = new MeasuredProcess(command, work.resolve("command.log"))) {
                    if (process.end() != 0) {
                        process.checkAlive();
                    }
                }
                took.get(each)[i] = System.nanoTime() - begin;
            }
        }
        for (int each = 0; each < launchers.size(); each++) {
            long[] all = took.get(each);
            Arrays.sort(all);
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %8.3f s  median of %d, fastest %.3f s, %s%n",
                    "mooring " + arguments[0],
                    all[times / 2] / NANOS,
                    times,
                    all[0] / NANOS,
                    launchers.get(each));
        }
    }

    /** A driver of the first launcher, and a side-car beside it, until both are idle. */
    private void csi(Path kubeconfig, String how, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path own = Files.createTempDirectory(work, "csi");
        Path socket = own.resolve("csi.sock");
        String mooring = launchers.get(0).toString();
        long begin = System.nanoTime();
        MeasuredProcess driver = new MeasuredProcess(
                List.of(
                        mooring,
                        "csi",
                        "serve",
                        "--plugin",
                        "kubernetes.io/host-path",
                        "--plugin-setting",
                        "kubernetes.io/host-path:root=" + own.resolve("volumes"),
                        "--endpoint",
                        "unix://" + socket,
                        "--data-dir",
                        own.resolve("records").toString(),
                        "--node-id",
                        "here"),
                environment,
                own.resolve("serve.log"));
        try (driver) {
            driver.awaitWords("listens on");
            double driverSeconds = (System.nanoTime() - begin) / NANOS;
            double driverCpu = driver.cpuSeconds();
            begin = System.nanoTime();
            MeasuredProcess sidecar = new MeasuredProcess(
                    List.of(
                            mooring,
                            "csi",
                            "sidecar",
                            "--csi-address",
                            socket.toString(),
                            "--kubeconfig",
                            kubeconfig.toString(),
                            "--leader-election",
                            "--leader-election-namespace",
                            "kube-system"),
                    environment,
                    own.resolve("sidecar.log"));
            try (sidecar) {
                sidecar.awaitWords("serving driver");
                double sidecarSeconds = (System.nanoTime() - begin) / NANOS;
                double sidecarCpu = sidecar.cpuSeconds();
                Thread.sleep(IDLE_MILLIS);
                print("csi serve", how, driverSeconds, driverCpu, driver);
                print("csi sidecar", how, sidecarSeconds, sidecarCpu, sidecar);
            }
        }
    }

    private static void print(String what, String how, double seconds, double cpu, MeasuredProcess process)
            throws IOException {
        System.out.printf(
                Locale.ROOT,
                "%-28s %8.3f s  %.1f s of processor until it works, %.1f MiB resident after %d s, %s%n",
                "mooring " + what,
                seconds,
                cpu,
                process.residentBytes() / MEBI,
                IDLE_MILLIS / 1_000,
                how);
    }
}
