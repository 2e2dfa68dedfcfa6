// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An API server and its database, started by {@code e2e/cluster/up} once for a whole run of tests and ended with the process that runs
 * them. That it cannot be started is a failure, never a reason to skip.
 */
public final class RealCluster {
    private static final long PATIENCE_SECONDS = 1_000;
    private static RealCluster shared;

    private final Path scripts;
    private final Path data;
    private final ApiClient admin;

    private RealCluster(Path scripts, Path data) {
        this.scripts = scripts;
        this.data = data;
        run("up", data.toString());
        try {
            this.admin = ApiClient.ofKubeconfig(kubeconfig());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The cluster of this run. */
    public static synchronized RealCluster shared() {
        if (shared == null) {
            shared = another();
        }
        return shared;
    }

    /** One more, for who needs two side by side; also ended with the process. */
    public static RealCluster another() {
        try {
            Path root = Path.of(System.getProperty("mooring.root", ".."));
            Path data = Files.createTempDirectory("mooring-cluster");
            RealCluster cluster = new RealCluster(root.resolve("e2e/cluster").toAbsolutePath(), data);
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::end));
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts kube-controller-manager with the storage controllers only; it ends with the API server. */
    public void startPeer(String... flags) {
        List<String> arguments = new ArrayList<>(List.of(data.toString()));
        arguments.addAll(Arrays.asList(flags));
        run("peer", arguments.toArray(String[]::new));
    }

    /** The administrator's kubeconfig. */
    public Path kubeconfig() {
        return data.resolve("admin.kubeconfig");
    }

    /** The kubeconfig of a user who may do what roles allow. */
    public Path plainKubeconfig() {
        return data.resolve("mooring.kubeconfig");
    }

    /** Another client than the one under test. */
    public ApiClient admin() {
        return admin;
    }

    /** Ends the API server at once, as a crash does. */
    public void kill() {
        run("down", data.toString(), "kube-apiserver");
    }

    /** Starts what does not run. */
    public void up() {
        run("up", data.toString());
    }

    /** The process of the API server. */
    public long pid() {
        try {
            return Long.parseLong(
                    Files.readString(data.resolve("pids/kube-apiserver")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the database forget what lies before now, and the API server, whose cache would remember it, start again. */
    public void forgetHistory() {
        String revision = admin.ok("GET", "/api/v1/nodes?limit=1", "")
                .text("metadata", "resourceVersion")
                .orElseThrow();
        ApiClient etcd = ApiClient.plain("http://127.0.0.1:" + port("etcd_port"));
        etcd.ok("POST", "/v3/kv/compaction", "{\"revision\":\"" + revision + "\",\"physical\":true}");
        kill();
        up();
    }

    /** The port of the API server. */
    public String apiPort() {
        return port("api_port");
    }

    /** The certificate of the authority that the API server's is of. */
    public Path authority() {
        return data.resolve("pki/ca.crt");
    }

    private String port(String name) {
        try {
            return Files.readAllLines(data.resolve("ports")).stream()
                    .filter(line -> line.startsWith(name + "="))
                    .map(line -> line.substring(name.length() + 1))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends all that was started for it; also done when the process ends. */
    public void end() {
        run("down", data.toString());
    }

    private void run(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of(scripts.resolve(script).toString()));
        command.addAll(Arrays.asList(arguments));
        try {
            Path log = data.resolve("script.log");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().put("MOORING_CLUSTER_NOSYNC", "1");
            builder.environment().put("SIGNAL", "KILL");
            Process process = builder.start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " failed: " + Files.readString(log, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
