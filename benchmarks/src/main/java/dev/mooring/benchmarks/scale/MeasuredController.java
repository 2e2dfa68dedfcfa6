// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code mooring controller} as it is shipped, and what it counts of itself. Linux only. */
final class MeasuredController implements AutoCloseable {
    private final MeasuredProcess process;
    private final URI metrics;
    private final HttpClient client = HttpClient.newHttpClient();

    /**
     * Starts it.
     *
     * @param mooring the launcher
     * @param work a directory for what it writes
     */
    MeasuredController(Path mooring, Path kubeconfig, Path work) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
        process = new MeasuredProcess(
                List.of(
                        mooring.toString(),
                        "controller",
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "--metrics-bind-address",
                        "127.0.0.1:" + port,
                        "--root",
                        work.resolve("root").toString()),
                work.resolve("controller.log"));
    }

    /** Its process. */
    MeasuredProcess process() {
        return process;
    }

    /** The sum of all values of a metric; 0 if it does not answer yet. */
    long metric(String name) throws IOException, InterruptedException {
        process.checkAlive();
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

    @Override
    public void close() throws IOException {
        process.close();
    }
}
