// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import dev.mooring.junit.client.ClientLibrary;
import dev.mooring.junit.client.InjectedClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/** What a test, or a class for all its tests, was given; closed after it. Thread-safe. */
final class TestScope {
    private final MooringWorld world;
    private final Map<ClientLibrary, Object> clients = new EnumMap<>(ClientLibrary.class);
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();

    TestScope(MooringWorld world) {
        this.world = world;
    }

    MooringWorld world() {
        return world;
    }

    /** The client of a library; the same one whenever it is asked for. */
    synchronized Object client(ClientLibrary library, Class<?> type) {
        return clients.computeIfAbsent(library, each -> {
            InjectedClient made = each.connect(type, world.kubeconfig());
            closing.push(made.closing());
            return made.value();
        });
    }

    /** A file with the kubeconfig, for its owner alone. */
    synchronized Path kubeconfigFile() {
        try {
            Path file = Files.createTempFile("kubeconfig", ".yaml");
            closing.push(() -> Files.deleteIfExists(file));
            return Files.writeString(file, world.kubeconfig());
        } catch (IOException e) {
            throw new UncheckedIOException("the kubeconfig cannot be written: " + e.getMessage(), e);
        }
    }

    /** Lets go of everything, the latest first; answers with what could not be let go of. */
    synchronized void close() throws Exception {
        Exception first = null;
        for (AutoCloseable each : closing) {
            try {
                each.close();
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        closing.clear();
        clients.clear();
        if (first != null) {
            throw first;
        }
    }
}
