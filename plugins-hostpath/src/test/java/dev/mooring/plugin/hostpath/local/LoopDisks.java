// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.testkit.host.Machine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The loop devices of machines of this kernel, each a blank disk until a test uses it. They go with their machine. */
final class LoopDisks {
    private final Map<Path, Path> devices = new HashMap<>();

    /** A machine of this kernel; skips the test, with the reason, where a feature is missing. */
    Machine machine() {
        HostCapabilities here = host(Path.of("/nowhere")).capabilities();
        List.of(HostFeature.ROOT, HostFeature.ATOMIC_BIND, HostFeature.RESOLVE_RULES)
                .forEach(feature -> assumeTrue(
                        here.has(feature),
                        () -> feature + ": " + here.whyMissing(feature).orElse("")));
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "needs loop devices");
        Machine real = Machine.inTemporaryDirectory(LoopDisks::host);
        return new Machine(real.directory(), real.host(), () -> {
            letGo(real);
            real.close();
        });
    }

    private static LinuxHost host(Path directory) {
        return LinuxHost.ofThisMachine(new LinuxHostLayout(
                        directory.resolve("state"),
                        directory.resolve("orphans"),
                        KeptPlaces.in(directory.resolve("places"))))
                .orElseThrow();
    }

    /** The disk of that name; the same one each time. */
    VolumeSource disk(Machine machine, String name, long bytes) {
        Path device = devices.computeIfAbsent(image(machine, name), image -> {
            resize(image, bytes);
            return Path.of(HostPathNode.tool("losetup", "-f", "--show", image.toString())
                    .strip());
        });
        return new LocalSource(device.toString(), "").toSource();
    }

    /** Makes a disk larger, as its administrator does. */
    void grow(VolumeSource source, long bytes) {
        Path device = LocalSources.path(source);
        devices.forEach((image, there) -> {
            if (there.equals(device)) {
                resize(image, bytes);
                HostPathNode.tool("losetup", "-c", device.toString());
            }
        });
    }

    private static Path image(Machine machine, String name) {
        return machine.directory().resolve("images").resolve(name + ".img");
    }

    private static void resize(Path image, long bytes) {
        try {
            Files.createDirectories(image.getParent());
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(Math.max(bytes, file.length()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A test that failed may have left mounts. */
    private void letGo(Machine machine) {
        List<MountEntry> mounts =
                HostPathNode.value(machine.host().mounts().table()).below(machine.directory());
        for (int i = mounts.size() - 1; i >= 0; i--) {
            HostPathNode.tool("umount", mounts.get(i).mountPoint().toString());
        }
        devices.entrySet().removeIf(entry -> {
            boolean ours = entry.getKey().startsWith(machine.directory());
            if (ours) {
                HostPathNode.tool("losetup", "-d", entry.getValue().toString());
            }
            return ours;
        });
    }
}
