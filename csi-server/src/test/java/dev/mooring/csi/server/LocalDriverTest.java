// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** The plugin for local volumes as a driver of directories and disks that exist. */
@Tag("long")
class LocalDriverTest extends DriverSuite {
    @Override
    DriverSubject subject() {
        return new Directories();
    }

    private static VolumeSource local(Path path) {
        return new VolumeSource("local", Document.of(Map.of("path", path.toString())));
    }

    private static class Directories implements DriverSubject {
        @Override
        public String plugin() {
            return "kubernetes.io/local-volume";
        }

        @Override
        public void start(Path directory) {}

        @Override
        public VolumeSource existing(Path directory, int number) {
            try {
                return local(Files.createDirectories(directory.resolve("disks/" + number)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The same for loop devices. */
    @Tag("guest")
    static class OfDisks extends DriverSuite {
        private final Disks disks = new Disks();

        @Override
        DriverSubject subject() {
            return disks;
        }
    }

    private static final class Disks extends Directories {
        private final Map<Integer, String> devices = new HashMap<>();

        @Override
        public void start(Path directory) {
            GuestServices.need();
            GuestServices.tool("modprobe", "loop");
        }

        @Override
        public VolumeSource existing(Path directory, int number) {
            return local(Path.of(devices.computeIfAbsent(number, each -> {
                String image = directory.resolve("image" + each).toString();
                GuestServices.tool("truncate", "-s", "64M", image);
                return GuestServices.tool("losetup", "-f", "--show", image);
            })));
        }

        @Override
        public Optional<VolumeSource> existingDevice(Path directory, int number) {
            return Optional.of(existing(directory, number));
        }

        @Override
        public void end() {
            devices.values().forEach(device -> GuestServices.tool("losetup", "-d", device));
        }
    }
}
