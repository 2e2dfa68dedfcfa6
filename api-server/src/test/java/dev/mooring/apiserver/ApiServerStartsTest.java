// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many servers, one after the other, in one JVM. */
class ApiServerStartsTest {
    private static final int TIMES = 60;

    /** Prints how long a start takes when others came before it. */
    @Test
    void nothingOfAServerIsLeftHoweverManyThereWere() throws Exception {
        long unused = start(); // which loads the classes
        long openBefore = openFiles();
        long threadsBefore = threads();
        long further = 0;
        for (int i = 0; i < TIMES; i++) {
            further += start();
        }
        System.out.printf(
                "in-process API server by TLS: %d ms for a start that is not the first of its JVM%n",
                further / TIMES / 1_000_000);
        assertThat(threads()).isLessThanOrEqualTo(threadsBefore);
        assertThat(openFiles()).isLessThan(openBefore + TIMES / 2);
    }

    /** How long it takes until it listens, in nanoseconds. */
    private static long start() throws IOException {
        long begin = System.nanoTime();
        try (MemoryClusterStore store = new MemoryClusterStore(StoreOptions.of(
                        Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
                ApiServer server = ApiServer.builder(store).start()) {
            assertThat(server.port()).isPositive();
            return System.nanoTime() - begin;
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each ->
                        each.getName().startsWith("api") || each.getName().contains("store"))
                .count();
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }
}
