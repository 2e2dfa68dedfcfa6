// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Directories of this machine. */
final class HostPathSubject implements DriverSubject {
    @Override
    public String plugin() {
        return "kubernetes.io/host-path";
    }

    @Override
    public void start(Path directory) {
        try {
            Files.createDirectory(directory.resolve("root"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, String> settings(Path directory) {
        return Map.of("root", directory.resolve("root").toString());
    }
}
