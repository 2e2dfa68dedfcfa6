// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** The plugin for local volumes after it went through a driver's socket: directories of a machine in memory. */
@Tag("long")
class LocalCircleTest extends CircleSuite {
    private final PluginConformance plain = new Directories();

    @Override
    PluginConformance plain() {
        return plain;
    }

    @Override
    String column() {
        return "local directories";
    }

    static class Directories implements PluginConformance {
        @Override
        public StoragePlugin plugin(Machine machine) {
            return ServedPlugins.named("kubernetes.io/local-volume");
        }

        @Override
        public VolumeSource existing(Machine machine, int number) {
            return directory(machine, "disks/disk-" + number);
        }

        /** A machine in memory has no disks. */
        @Override
        public Optional<VolumeSource> existingDevice(Machine machine, int number) {
            return Optional.empty();
        }

        private static VolumeSource directory(Machine machine, String name) {
            Path path = machine.directory().resolve(name);
            ServedPlugins.directory(machine, path, 0777);
            return new LocalSource(path.toString(), "").toSource();
        }

        @Override
        public List<VolumeSource> faultySources() {
            return List.of(new LocalSource("relative", "").toSource());
        }

        @Override
        public List<VolumeSource> foreignSources(Machine machine) {
            return List.of(directory(machine, "precious"));
        }
    }
}
