// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.distribution.EndedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code mooring controller} as processes of their own, from the jars as they are shipped. */
final class ControllerProcesses implements AutoCloseable {
    private final List<Process> started = new ArrayList<>();
    private final Path directory;

    ControllerProcesses(Path directory) {
        this.directory = directory;
    }

    /** Starts one on a machine that is called so; its log is {@code NAME.log}. */
    Process start(String name, Path kubeconfig, String... more) {
        List<String> command = new ArrayList<>(
                List.of("unshare", "--uts", "sh", "-ec", "echo \"$0\" >/proc/sys/kernel/hostname; exec \"$@\"", name));
        command.addAll(launcher());
        command.addAll(List.of("controller", "--kubeconfig", kubeconfig.toString()));
        command.addAll(List.of("--root", directory.resolve(name).toString()));
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        try {
            Process process = builder.start();
            started.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs another command to its end; the answer is its exit status, and in the lines after that what it printed. */
    String run(Path kubeconfig, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(launcher());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().remove("JAVA_TOOL_OPTIONS"); // the JVM would say so first
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + "\n" + said;
    }

    /**
     * Starts one as a pod with a service account: in a mount namespace of its own, where the token and the certificate lie at the path
     * where pods have them.
     *
     * @param credentials a directory with {@code token} and {@code ca.crt}
     */
    Process startAsPod(String name, Path credentials, String port) {
        List<String> command = new ArrayList<>(List.of(
                "unshare",
                "--mount",
                "sh",
                "-ec",
                "mount -t tmpfs none /run; mkdir -p /run/secrets/kubernetes.io; cp -r \"$1\" /run/secrets/kubernetes.io/serviceaccount; shift; exec \"$@\"",
                "pod",
                credentials.toString()));
        command.addAll(launcher());
        command.addAll(List.of("controller", "--root", directory.resolve(name).toString(), "--leader-elect=false"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        builder.environment().remove("KUBECONFIG");
        builder.environment().put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
        builder.environment().put("KUBERNETES_SERVICE_PORT", port);
        try {
            Process process = builder.start();
            started.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a process that only holds a mount namespace of its own. */
    Process namespace() throws IOException {
        Process holder = new ProcessBuilder("unshare", "--mount", "--propagation", "private", "sleep", "infinity").start();
        started.add(holder);
        return holder;
    }

    /** Starts another program in the mounts of a process. */
    Process startIn(Process namespace, String name, List<String> program) throws IOException {
        List<String> command = new ArrayList<>(List.of("nsenter", "-t", Long.toString(namespace.pid()), "-m", "--"));
        command.addAll(program);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile())
                .start();
        started.add(process);
        return process;
    }

    /** Starts a command of Mooring in the mounts of a process. */
    Process startIn(Process namespace, String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(launcher());
        command.addAll(List.of(arguments));
        return startIn(namespace, name, command);
    }

    /** Starts a server with everything in it, on a port that is free; the answer is the kubeconfig that it wrote. */
    Path standalone(String name, Path data) {
        List<String> command = new ArrayList<>(launcher());
        command.addAll(List.of("standalone", "--data-dir", data.toString(), "--port", "0"));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log(name).toFile())
                    .start();
            started.add(process);
            Path kubeconfig = data.resolve("kubeconfig");
            while (!Files.isRegularFile(kubeconfig) || Files.size(kubeconfig) == 0) {
                if (!process.isAlive()) {
                    throw new IllegalStateException("standalone ended: " + said(name));
                }
                ClusterFixture.pause();
            }
            return kubeconfig;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The command may be given, so that classes can be tried without a build of the jars. */
    private List<String> launcher() {
        String given = System.getProperty("mooring.launcher", "");
        if (!given.isEmpty()) {
            return List.of(given);
        }
        Path root = Path.of(System.getProperty("mooring.root", ".."));
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dmooring.places=" + directory.resolve("places").toAbsolutePath(),
                "-p",
                root.resolve("distribution/target/lib").toString(),
                "-m",
                "dev.mooring.distribution/dev.mooring.distribution.Main");
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    String said(String name) {
        try {
            return Files.readString(log(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void signal(Process process, String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Asks it to end, as systemd does; false if it does not within the time. */
    static boolean stop(Process process, long seconds) throws InterruptedException {
        process.destroy();
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        started.forEach(EndedProcess::inOrder);
    }
}
