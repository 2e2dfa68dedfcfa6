// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The plugin for hostPath after it went through a driver's socket, on a machine in memory. */
@Tag("long")
class HostPathCircleTest extends CircleSuite {
    @Override
    PluginConformance plain() {
        return new HostPath();
    }

    @Override
    String column() {
        return "hostPath";
    }

    private static final class HostPath implements PluginConformance {
        @Override
        public StoragePlugin plugin(Machine machine) {
            StoragePlugin found = ServedPlugins.named("kubernetes.io/host-path");
            Path root = machine.host()
                    .stateDirectory(found.describe().name())
                    .result()
                    .orElseThrow();
            ServedPlugins.directory(machine, root, 0700);
            return found.configured(Map.of("root", root.toString())).result().orElseThrow();
        }

        @Override
        public List<VolumeSource> faultySources() {
            return List.of(new HostPathSource("relative", "").toSource());
        }

        @Override
        public List<Map<String, String>> faultyParameters() {
            return List.of(Map.of("mode", "9"), Map.of("gid", "many"));
        }

        @Override
        public List<VolumeSource> foreignSources(Machine machine) {
            return List.of(new HostPathSource("/etc", "").toSource());
        }
    }
}
