// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.csi.server.GuestServices;
import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** The plugin for local volumes after it went through a driver's socket: disks of a real kernel, with a file system and raw. */
@Tag("guest")
@Tag("kit")
class LocalDiskCircleTest extends LocalCircleTest {
    private final PluginConformance disks = new Loops();

    @Override
    PluginConformance plain() {
        return disks;
    }

    @Override
    String column() {
        return "local disks";
    }

    private static final class Loops extends Directories {
        private final Map<Path, String> devices = new HashMap<>();

        @Override
        public Machine machine() {
            GuestServices.need();
            GuestServices.tool("modprobe", "loop");
            return GuestMachines.machine(() -> {
                devices.values().forEach(device -> GuestServices.tool("losetup", "-d", device));
                devices.clear();
            });
        }

        /** To check and mount a file system takes a while. */
        @Override
        public boolean sharesMachine() {
            return true;
        }

        @Override
        public int points() {
            return 1;
        }

        @Override
        public Quantity size() {
            return Quantity.parse("32Mi");
        }

        @Override
        public VolumeSource existing(Machine machine, int number) {
            return disk(machine, "disk-" + number);
        }

        @Override
        public Optional<VolumeSource> existingDevice(Machine machine, int number) {
            return Optional.of(disk(machine, "raw-" + number));
        }

        private VolumeSource disk(Machine machine, String name) {
            Path image = machine.directory().resolve("images").resolve(name + ".img");
            String device = devices.computeIfAbsent(image, each -> {
                GuestServices.tool(
                        "mkdir", "-p", machine.directory().resolve("images").toString());
                GuestServices.tool("truncate", "-s", Long.toString(size().longValue()), each.toString());
                return GuestServices.tool("losetup", "-f", "--show", each.toString());
            });
            return new LocalSource(device, "").toSource();
        }

        @Override
        public void grow(Machine machine, VolumeSource source, Quantity size) {
            String device = source.attributes().text("path").orElseThrow();
            devices.forEach((image, there) -> {
                if (there.equals(device)) {
                    GuestServices.tool("truncate", "-s", ">" + size.longValue(), image.toString());
                    GuestServices.tool("losetup", "-c", device);
                }
            });
        }

        /** Directories are the other test's. */
        @Override
        public List<VolumeSource> foreignSources(Machine machine) {
            return List.of();
        }
    }
}
