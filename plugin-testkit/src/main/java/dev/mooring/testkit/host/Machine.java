// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The machine of one test.
 *
 * @param directory an absolute path below which everything happens: the host's state, and the pods' directories
 * @param host what the machine does for plugins
 * @param end what is done with it in the end
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Machine(Path directory, HostServices host, Runnable end) implements AutoCloseable {
    /** A new machine in memory. */
    public static Machine inMemory() {
        Path directory = Path.of("/machine");
        return new Machine(directory, new MemoryHost(directory), () -> {});
    }

    /**
     * A real machine, in a temporary directory that is removed in the end if nothing is mounted in it any more.
     *
     * @param host the services for such a directory, such as host-linux's
     */
    public static Machine inTemporaryDirectory(Function<Path, HostServices> host) {
        try {
            Path directory = Files.createTempDirectory("mooring-testkit").toRealPath();
            HostServices services = host.apply(directory);
            return new Machine(directory, services, () -> remove(directory, services));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path directory, HostServices services) {
        boolean mounted = services.mounts()
                .table()
                .result()
                .filter(table -> table.below(directory).isEmpty())
                .isEmpty();
        if (mounted) {
            throw new IllegalStateException("something is still mounted below " + directory + ": it is left as it is");
        }
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> inner = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : inner) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        end.run();
    }
}
