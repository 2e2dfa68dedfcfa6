// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.bodies;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * How much CPU an odd body costs the API server, beside a plain body of the same size: nothing is made ({@code dryRun=All}), so it is
 * reading, decoding and checking. The first ratio is to one key in JSON, the second to one key of the body's own content type. The CPU is that of all threads of the process, the client's among them; the ratio is what counts.
 */
public final class BodyRuns {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 10;
    private static final int WARM = 20;

    private BodyRuns() {}

    /**
     * Prints a line for each body.
     *
     * @param args {@code --once} for a single round without a warm-up, which makes the ratios larger
     */
    public static void main(String[] args) throws IOException {
        boolean once = Arrays.asList(args).contains("--once");
        try (MemoryClusterStore store = new MemoryClusterStore(
                        StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
                ApiServer server = ApiServer.builder(store).plain().start()) {
            System.out.printf(
                    Locale.ROOT,
                    "%-46s %9s %6s %9s %9s %6s %9s%n",
                    "body",
                    "bytes",
                    "answer",
                    "CPU ms",
                    "plain ms",
                    "ratio",
                    "same type");
            for (OddBody odd : OddBody.all()) {
                OddBody plain = OddBody.plain(odd.body().length());
                int answer = send(server, odd);
                double oddMillis = cpu(server, odd, once);
                double plainMillis = cpu(server, plain, once);
                OddBody alike = OddBody.plain(odd.body().length(), odd.type());
                double alikeMillis = alike.type().equals(plain.type()) ? plainMillis : cpu(server, alike, once);
                System.out.printf(
                        Locale.ROOT,
                        "%-46s %9d %6d %9.1f %9.1f %6.2f %9.2f%n",
                        odd.name(),
                        odd.body().length(),
                        answer,
                        oddMillis,
                        plainMillis,
                        oddMillis / plainMillis,
                        oddMillis / alikeMillis);
            }
        }
    }

    /** The least of several rounds: what else the process does makes a round dearer only. */
    private static double cpu(ApiServer server, OddBody body, boolean once) throws IOException {
        for (int i = 0; i < (once ? 0 : WARM); i++) {
            send(server, body);
        }
        long least = Long.MAX_VALUE;
        for (int i = 0; i < (once ? 1 : ROUNDS); i++) {
            Map<Long, Long> before = nanos();
            send(server, body);
            least = Math.min(least, since(before));
        }
        return least / 1e6;
    }

    /** By thread: a compiler's and a collector's are none of them. */
    private static Map<Long, Long> nanos() {
        Map<Long, Long> byThread = new HashMap<>();
        for (long thread : THREADS.getAllThreadIds()) {
            byThread.put(thread, THREADS.getThreadCpuTime(thread));
        }
        return byThread;
    }

    private static long since(Map<Long, Long> before) {
        return nanos().entrySet().stream()
                .mapToLong(thread -> Math.max(0, thread.getValue() - before.getOrDefault(thread.getKey(), 0L)))
                .sum();
    }

    private static int send(ApiServer server, OddBody body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(server.url() + body.path() + "?dryRun=All&fieldValidation=Warn")
                        .toURL()
                        .openConnection();
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", body.type());
        connection.setDoOutput(true);
        byte[] bytes = body.body().getBytes(StandardCharsets.UTF_8);
        connection.setFixedLengthStreamingMode(bytes.length);
        connection.getOutputStream().write(bytes);
        int status = connection.getResponseCode();
        try (var in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            if (in != null) {
                in.readAllBytes();
            }
        }
        return status;
    }
}
