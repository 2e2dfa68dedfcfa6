// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for what a measured process writes, which goes with its end. */
record WorkDirectory(Path path) implements AutoCloseable {
    /**
     * Makes one.
     *
     * @param prefix how its name begins
     */
    static WorkDirectory create(String prefix) throws IOException {
        return new WorkDirectory(Files.createTempDirectory(prefix));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
