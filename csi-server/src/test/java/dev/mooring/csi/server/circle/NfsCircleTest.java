// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.csi.server.GuestServices;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** The plugin for NFS after it went through a driver's socket, with the kernel's own server. */
@Tag("guest")
@Tag("kit")
class NfsCircleTest extends CircleSuite {
    private final PluginConformance plain = new Share();

    @Override
    PluginConformance plain() {
        return plain;
    }

    @Override
    String column() {
        return "NFS";
    }

    private static final class Share implements PluginConformance {
        private static final String SERVER = "127.0.0.1";
        private static final Path SHARE = Path.of("/srv/nfs");

        @Override
        public StoragePlugin plugin(Machine machine) {
            return ServedPlugins.named("kubernetes.io/nfs");
        }

        @Override
        public Machine machine() {
            GuestServices.need();
            GuestServices.service("nfs-start", SHARE.toString());
            return GuestMachines.machine(() -> {});
        }

        /** To have the plugin make its directories on the share again and again takes longer than the tests. */
        @Override
        public boolean sharesMachine() {
            return true;
        }

        /** Each call takes a second or more here. */
        @Override
        public int points() {
            return 1;
        }

        @Override
        public Map<String, String> parameters() {
            return Map.of("server", SERVER, "share", SHARE.toString(), "mountPermissions", "0777");
        }

        @Override
        public List<AccessMode> accessModes() {
            return List.of(AccessMode.READ_WRITE_MANY);
        }

        @Override
        public List<VolumeSource> faultySources() {
            return List.of(new NfsSource(SERVER, "relative", false).toSource());
        }

        @Override
        public List<Map<String, String>> faultyParameters() {
            return List.of(Map.of(), Map.of("server", SERVER, "share", SHARE.toString(), "onDelete", "burn"));
        }

        /** A directory of the export that was there before. */
        @Override
        public List<VolumeSource> foreignSources(Machine machine) {
            try {
                Path hand = Files.createDirectories(SHARE.resolve("by-hand"));
                Files.writeString(hand.resolve("precious"), "x");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return List.of(new NfsSource(SERVER, SHARE + "/by-hand", false).toSource());
        }

        @Override
        public List<String> backendInventory(Machine machine) {
            try (Stream<Path> files = Files.walk(SHARE)) {
                return files.map(Path::toString).sorted().toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
