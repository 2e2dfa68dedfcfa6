// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.distribution.EndedProcess;
import dev.mooring.distribution.operations.ProcessMemory;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code mooring standalone} as a process of its own, from the classes under test. */
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    private ServerProcess(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static ServerProcess start(Path data, Path log, String... javaOptions) throws IOException {
        return run(log, List.of(javaOptions), List.of(), standalone(data));
    }

    static List<String> standalone(Path data) {
        return List.of("standalone", "--data-dir", data.toString(), "--port", "0", "--node", "here");
    }

    /** Another command, with more on the class path. */
    static ServerProcess run(Path log, List<String> javaOptions, List<Path> more, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("-Dmooring.places=" + log.toAbsolutePath().resolveSibling("places"));
        command.addAll(javaOptions);
        command.addAll(program(more));
        command.addAll(arguments);
        return new ServerProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
    }

    /** On the class path, whatever the tests are on: theirs has some modules on the one and some on the other. */
    private static List<String> program(List<Path> more) {
        List<String> everything = new ArrayList<>();
        more.forEach(each -> everything.add(each.toString()));
        everything.add(System.getProperty("jdk.module.path", ""));
        everything.add(System.getProperty("java.class.path"));
        return List.of("-cp", String.join(File.pathSeparator, everything), "dev.mooring.distribution.Main");
    }

    /** Waits until it answers; false if it ended before. */
    boolean isServing() {
        return says("export KUBECONFIG=");
    }

    /** Reads on until it says this; false if it ended before. */
    boolean says(String text) {
        try {
            String line = out.readLine();
            while (line != null && !line.contains(text)) {
                line = out.readLine();
            }
            return line != null;
        } catch (IOException e) {
            return false;
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; returns when nothing of it runs any more. */
    void kill() {
        // Not Process.destroyForcibly: that closes the streams too, and a thread may be reading.
        process.toHandle().destroyForcibly();
        await();
    }

    /** SIGTERM. */
    void stop() {
        process.toHandle().destroy();
        await();
    }

    /** SIGTERM; answers with the exit status, or empty if it still runs after the limit. */
    OptionalInt stop(Duration limit) throws InterruptedException {
        process.toHandle().destroy();
        return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
                ? OptionalInt.of(process.exitValue())
                : OptionalInt.empty();
    }

    private void await() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What the kernel counts as its memory, in KiB. */
    long residentKiB() {
        try {
            return ProcessMemory.of(pid()).resident() / 1024;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What lives after a collection, by the JDK's own tool. */
    long heapKiB() throws IOException {
        jcmd("GC.run");
        Matcher used = Pattern.compile("used ([0-9]+)K").matcher(jcmd("GC.heap_info"));
        long sum = 0;
        for (int i = 0; i < 2 && used.find(); i++) { // young and old; what follows is not the heap
            sum += Long.parseLong(used.group(1));
        }
        if (sum == 0) {
            throw new IOException("jcmd does not say what the heap holds");
        }
        return sum;
    }

    /** What its threads are doing. */
    String threads() throws IOException {
        return jcmd("Thread.print");
    }

    private String jcmd(String command) throws IOException {
        Process tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        "-J-Dsun.tools.attach.attachTimeout=240000", // ten seconds are few on a busy machine
                        Long.toString(pid()),
                        command)
                .redirectErrorStream(true)
                .start();
        try (InputStream in = tool.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        EndedProcess.inOrder(process);
    }
}
