// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.starts;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.junit.MooringWorld;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;

/** Starts API servers, then test worlds, in this JVM, each when the one before has ended. */
public final class Starts {
    private static final int MANY = 100;
    private static final int FEW = 5;
    private static final int NODES = 3;

    private Starts() {}

    /**
     * Prints four lines. The median of those that are not the first counts.
     *
     * @param args {@code --once} for a few starts only
     */
    public static void main(String[] args) throws IOException {
        int further = Arrays.asList(args).contains("--once") ? FEW : MANY;
        print("first", "API server by TLS", server());
        print("further", "API server by TLS", median(Starts::server, further));
        print("first", "test world of three nodes", world());
        print("further", "test world of three nodes", median(Starts::world, further));
    }

    private static void print(String which, String what, long nanos) {
        System.out.printf(Locale.ROOT, "%-8s %7.1f ms  %s%n", which, nanos / 1e6, what);
    }

    private interface Start {
        /** How long it took, in nanoseconds. */
        long nanos() throws IOException;
    }

    private static long median(Start start, int times) throws IOException {
        long[] all = new long[times];
        for (int i = 0; i < times; i++) {
            all[i] = start.nanos();
        }
        Arrays.sort(all);
        return all[times / 2];
    }

    private static long server() throws IOException {
        long begin = System.nanoTime();
        try (MemoryClusterStore store = new MemoryClusterStore(StoreOptions.of(
                        Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
                ApiServer server = ApiServer.builder(store).start()) {
            return ended(begin, server.url());
        }
    }

    private static long world() {
        long begin = System.nanoTime();
        try (MooringWorld world = MooringWorld.builder().nodes(NODES).start()) {
            return ended(begin, world.url());
        }
    }

    private static long ended(long begin, String url) {
        long took = System.nanoTime() - begin;
        if (url.isEmpty()) {
            throw new IllegalStateException("nothing listens");
        }
        return took;
    }
}
