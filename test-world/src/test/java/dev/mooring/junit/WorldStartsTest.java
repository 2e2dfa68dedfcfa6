// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many worlds, one after the other, in one JVM. */
@Tag("long")
class WorldStartsTest {
    /** A tenth of what .ci/long starts. */
    private static final int TIMES = Integer.getInteger("mooring.starts", 100);

    private static final int FIRST = 20;

    /** What caches of the JVM may still take. Of each world there would be much more. */
    private static final long MOST_HEAP = 4_000_000;

    /** Prints how long a start takes when others came before it. */
    @Test
    void nothingOfAWorldIsLeftHoweverManyThereWere() throws Exception {
        for (int i = 0; i < FIRST; i++) {
            long unused = start();
        }
        long openBefore = openFiles();
        Set<String> threadsBefore = threads();
        long heapBefore = heap();
        long further = 0;
        for (int i = 0; i < TIMES; i++) {
            further += start();
        }
        System.out.printf("a further cluster in a JVM: %.1f ms%n", further / (1e6 * TIMES));
        assertThat(threads()).isSubsetOf(threadsBefore); // of those, one of the JDK may have ended since
        assertThat(openFiles()).isLessThanOrEqualTo(openBefore + 5);
        assertThat(heap() - heapBefore).as("bytes of %d worlds", TIMES).isLessThan(MOST_HEAP);
    }

    /** How long it takes until it can be used, in nanoseconds. */
    private static long start() {
        long begin = System.nanoTime();
        try (MooringWorld world = MooringWorld.builder().nodes(3).start()) {
            long took = System.nanoTime() - begin;
            world.advance(Duration.ofSeconds(20));
            assertThat(world.explainWaiting()).isEmpty();
            assertThat(world.defects()).isEmpty();
            return took;
        }
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
