// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many watches: each is told of every write, once and in order; what they cost is printed. {@code -Dmooring.watches=1,100,1000} and
 * {@code -Dmooring.writes=2000} for figures.
 */
@Tag("long")
class WatchLoadTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String[] WATCHES =
            System.getProperty("mooring.watches", "1,20").split(",", -1);
    private static final int WRITES = Integer.getInteger("mooring.writes", 40);
    private static final int WRITERS = 4;
    private static final int PACED = Integer.getInteger("mooring.paced", 20);
    private static final int PACE_MILLIS = 25;
    private static final long MOST_HEAP_PER_WATCH_KIB = 512;
    private static final int LARGE = 900_000;
    private static final int LARGE_WRITES = 60;
    private static final long MOST_HEAP_KIB = 160L << 10;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @Test
    void everyWatchIsToldOfEveryWrite() throws Exception {
        try (ServerProcess server = ServerProcess.start(data(), directory.resolve("log"), "-XX:TieredStopAtLevel=4")) {
            assertThat(server.isServing()).isTrue();
            ProgramClient client = new ProgramClient(data().resolve("kubeconfig"));
            for (int i = 0; i < WRITERS; i++) {
                assertThat(client.json("POST", MAPS, map(i)).status()).isEqualTo(201);
            }
            write(client, WRITES); // so that the compilers have done their work
            for (String each : WATCHES) {
                measure(server, client, Integer.parseInt(each.strip()));
            }
        }
    }

    private void measure(ServerProcess server, ProgramClient client, int count) throws Exception {
        long heapBefore = server.heapKiB();
        long residentBefore = server.residentKiB();
        String now = client.get(MAPS).text("metadata", "resourceVersion");
        ServerKubeconfig config = ServerKubeconfig.read(data().resolve("kubeconfig"));
        List<LoadWatch> watches = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                watches.add(new LoadWatch(config, MAPS + "?watch=1&resourceVersion=" + now));
            }
            long heap = (server.heapKiB() - heapBefore) / count;
            long resident = (server.residentKiB() - residentBefore) / count;
            long begin = System.nanoTime();
            write(client, WRITES);
            double written = WRITES / seconds(begin);
            for (LoadWatch each : watches) {
                each.await(WRITES);
            }
            double events = (double) WRITES * count / seconds(begin);
            watches.forEach(LoadWatch::forgetTimes);
            for (int i = 0; i < PACED; i++) {
                TimeUnit.MILLISECONDS.sleep(PACE_MILLIS); // the pace is what is wanted
                assertThat(client.json("PUT", MAPS + "/m0", map(0)).status()).isEqualTo(200);
            }
            for (LoadWatch each : watches) {
                each.await(WRITES + PACED);
            }
            long[] times = watches.stream()
                    .flatMapToLong(each -> Arrays.stream(each.times()))
                    .sorted()
                    .toArray();
            System.out.printf(
                    "watches %d: %.0f writes/s, %.0f events/s; at %d writes/s from write to watch p50 %.1f ms, p99 %.1f ms; "
                            + "heap %d KiB and resident %d KiB per watch%n",
                    count,
                    written,
                    events,
                    1_000 / PACE_MILLIS,
                    times[times.length / 2] / 1e6,
                    times[times.length * 99 / 100] / 1e6,
                    heap,
                    resident);
            assertThat(times).hasSize(PACED * count);
            if (count >= 20) { // fewer are lost in what else the heap holds
                assertThat(heap).isLessThan(MOST_HEAP_PER_WATCH_KIB);
            }
        } finally {
            for (LoadWatch each : watches) {
                each.close();
            }
        }
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** All of them, by several clients. */
    private static void write(ProgramClient client, int count) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try {
                    for (int n = number; n < count; n += WRITERS) {
                        client.json("PUT", MAPS + "/m" + number, map(number));
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread each : threads) {
            each.join();
        }
    }

    private static String map(int number) {
        return "{\"metadata\":{\"name\":\"m" + number + "\"},\"data\":{\"at\":\"" + System.nanoTime() + "\"}}";
    }

    @Test
    void clientsThatDoNotReadHoldUpNoOtherClientAndTheirMemoryIsBounded() throws Exception {
        try (ServerProcess server =
                ServerProcess.start(data(), directory.resolve("log"), "-Xmx256m", "-XX:+ExitOnOutOfMemoryError")) {
            assertThat(server.isServing()).isTrue();
            ProgramClient client = new ProgramClient(data().resolve("kubeconfig"));
            ServerKubeconfig config = ServerKubeconfig.read(data().resolve("kubeconfig"));
            client.json("POST", MAPS, map(0));
            List<FuzzConnection> deaf = new ArrayList<>();
            try (LoadWatch reads = new LoadWatch(config, MAPS + "?watch=1&labelSelector=small")) {
                for (int i = 0; i < 3; i++) {
                    FuzzConnection connection = new FuzzConnection(config);
                    connection.write(LoadWatch.request(config, MAPS + "?watch=1"));
                    deaf.add(connection);
                }
                // More than may wait for any client and lie in the buffers of the kernel.
                String large =
                        "{\"metadata\":{\"name\":\"m0\"},\"data\":{\"n\":\"%d\",\"x\":\"" + "x".repeat(LARGE) + "\"}}";
                for (int i = 0; i < LARGE_WRITES; i++) {
                    // Each another one: a watch does not tell of a write that changes nothing.
                    assertThat(client.json("PUT", MAPS + "/m0", large.formatted(i))
                                    .status())
                            .isEqualTo(200);
                }
                client.json(
                        "POST",
                        MAPS,
                        "{\"metadata\":{\"name\":\"small\",\"labels\":{\"small\":\"\"}},\"data\":{\"at\":\""
                                + System.nanoTime() + "\"}}");
                reads.await(1);
                for (FuzzConnection each : deaf) {
                    cutOff(each);
                }
                long heap = server.heapKiB();
                System.out.printf("watches that no client reads: heap after them %d MiB%n", heap >> 10);
                assertThat(heap).isLessThan(MOST_HEAP_KIB);
                assertThat(server.isAlive()).isTrue();
            } finally {
                for (FuzzConnection each : deaf) {
                    each.close();
                }
            }
        }
    }

    /** Who comes back in time reads why; who does not finds that it was hung up on. */
    private static void cutOff(FuzzConnection deaf) throws IOException {
        try {
            String heard = deaf.read(false).text();
            assertThat(heard.substring(Math.max(0, heard.length() - 500)))
                    .contains("\"type\":\"ERROR\"", "\"code\":410");
            assertThat(heard.split("\"type\":\"MODIFIED\"", -1)).hasSizeLessThan(LARGE_WRITES);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            // Hung up on, in the middle of something.
        }
    }

    private Path data() {
        return directory.resolve("data");
    }
}
