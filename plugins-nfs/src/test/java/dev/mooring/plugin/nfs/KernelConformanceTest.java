// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

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

/** The contract with plugins, against the kernel's own NFS server. */
@Tag("guest")
@Tag("kit")
class KernelConformanceTest implements PluginConformance {
    @Override
    public StoragePlugin plugin(Machine machine) {
        return new NfsPlugin();
    }

    @Override
    public Machine machine() {
        Guest guest = new Guest();
        Path export = guest.exported("kit");
        return new Machine(guest.base, guest.host, () -> {
            guest.close();
            remove(export);
        });
    }

    private static Path export(Machine machine) {
        return Guest.EXPORT.resolve(machine.directory().getFileName() + "-kit");
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("server", Guest.SERVER, "share", Guest.EXPORT.toString(), "mountPermissions", "0777");
    }

    @Override
    public List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_WRITE_MANY);
    }

    /** Each call takes a second or more here. */
    @Override
    public int points() {
        return 3;
    }

    @Override
    public List<VolumeSource> faultySources() {
        return List.of(
                new NfsSource("", "/a", false).toSource(),
                new NfsSource("server", "relative", false).toSource(),
                new NfsSource("server", "/a/../b", false).toSource());
    }

    @Override
    public List<Map<String, String>> faultyParameters() {
        return List.of(Map.of(), Map.of("server", Guest.SERVER, "share", "/srv/nfs", "onDelete", "burn"));
    }

    /** A directory of the export that was there before. */
    @Override
    public List<VolumeSource> foreignSources(Machine machine) {
        Path hand = Guest.directory(export(machine).resolve("by-hand"));
        try {
            Files.writeString(hand.resolve("precious"), "x");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of(new NfsSource(Guest.SERVER, hand.toString(), false).toSource());
    }

    @Override
    public List<String> backendInventory(Machine machine) {
        try (Stream<Path> files = Files.walk(Guest.EXPORT)) {
            return files.map(Path::toString).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path directory) {
        Guest.run("rm", "-rf", directory.toString());
    }
}
