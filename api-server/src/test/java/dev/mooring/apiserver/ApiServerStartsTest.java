// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many servers, one after the other, in one JVM. Each is asked something, and is closed while a client watches and another one keeps its
 * connection.
 */
@Tag("long")
class ApiServerStartsTest {
    /** A tenth of what .ci/long starts. */
    private static final int TIMES = Integer.getInteger("mooring.starts", 100);

    private static final int FIRST = 50;

    /** What the JVM may still open for itself: fewer than one file for ten servers. A server that leaves one leaves as many as were started. */
    private static final int MOST_FILES = TIMES / 10;

    /** What caches of the JVM may still take. Of each server and its store there would be much more. */
    private static final long MOST_HEAP = 4_000_000;

    /** Prints how long a start takes when others came before it. */
    @Test
    void nothingOfAServerIsLeftHoweverManyThereWere() throws Exception {
        for (int i = 0; i < FIRST; i++) {
            long unused = start(i); // which loads the classes and fills the caches of the JVM
        }
        long openBefore = openFiles();
        Set<String> threadsBefore = threads();
        long heapBefore = heap();
        long further = 0;
        for (int i = 0; i < TIMES; i++) {
            further += start(i);
        }
        System.out.printf(
                "in-process API server, half of them by TLS: %.1f ms for a start that is not the first of its JVM%n",
                further / (1e6 * TIMES));
        assertThat(threads()).isSubsetOf(threadsBefore); // of those, one of the JDK may have ended since
        assertThat(openFiles()).isLessThanOrEqualTo(openBefore + MOST_FILES);
        assertThat(heap() - heapBefore).as("bytes of %d servers", TIMES).isLessThan(MOST_HEAP);
    }

    /** How long it takes until it listens, in nanoseconds. */
    private static long start(int number) throws IOException {
        long begin = System.nanoTime();
        boolean plain = number % 2 == 0;
        try (MemoryClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())))) {
            ApiServer.Builder described = ApiServer.builder(store);
            ApiServer server = (plain ? described.plain() : described).start();
            long took = System.nanoTime() - begin;
            int port = server.port();
            try (Socket watching = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket idle = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (plain) {
                    assertThat(answer(idle, "/api/v1/nodes")).startsWith("HTTP/1.1 200");
                    assertThat(answer(watching, "/api/v1/nodes?watch=true")).startsWith("HTTP/1.1 200");
                }
                server.close();
            }
            try (ServerSocket again = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(again.isBound()).isTrue();
            }
            return took;
        }
    }

    private static String answer(Socket client, String path) throws IOException {
        client.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return new String(client.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    }

    /** All threads, but for those that the JDK keeps for others. */
    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> !name.startsWith("ForkJoinPool") && !name.startsWith("CompletableFuture"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
