// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code mooring controller} as it is shipped, and what the machine says of its process. Linux only. */
final class ControllerProcess implements AutoCloseable {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
    private static final int USER_TICKS = 11;
    private static final double TICKS_PER_SECOND = 100;
    private static final long END_SECONDS = 30;

    private final Process process;
    private final URI metrics;
    private final Path log;
    private final HttpClient client = HttpClient.newHttpClient();

    /**
     * Starts it.
     *
     * @param mooring the launcher
     * @param work a directory for what it writes
     */
    ControllerProcess(Path mooring, Path kubeconfig, Path work) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
        log = work.resolve("controller.log");
        process = new ProcessBuilder(
                        mooring.toString(),
                        "controller",
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "--metrics-bind-address",
                        "127.0.0.1:" + port,
                        "--root",
                        work.resolve("root").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** The sum of all values of a metric; 0 if it does not answer yet. */
    long metric(String name) throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new IOException("the controller has ended: " + Files.readString(log));
        }
        String text;
        try {
            text = client.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException notYet) {
            return 0;
        }
        Matcher matcher =
                Pattern.compile("(?m)^" + name + "(?:\\{.*})? (\\S+)$").matcher(text);
        double sum = 0;
        while (matcher.find()) {
            sum += Double.parseDouble(matcher.group(1));
        }
        return (long) sum;
    }

    /** Processor time since its start. */
    double cpuSeconds() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1])) / TICKS_PER_SECOND;
    }

    /** What the machine holds for it in memory now. */
    long residentBytes() throws IOException {
        return status("VmRSS");
    }

    /** The most that the machine has held for it. */
    long mostResidentBytes() throws IOException {
        return status("VmHWM");
    }

    private long status(String name) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith(name + ":")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        throw new IOException("no " + name);
    }

    /** What lives on its heap; makes it collect. */
    long liveBytes() throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process asked = new ProcessBuilder(List.of(jcmd.toString(), Long.toString(process.pid()), "GC.class_histogram"))
                .redirectErrorStream(true)
                .start();
        String text = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher matcher = TOTAL.matcher(text);
        if (!matcher.find()) {
            throw new IOException("jcmd says nothing of the heap: " + text);
        }
        return Long.parseLong(matcher.group(1));
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
