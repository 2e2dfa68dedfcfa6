// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** The contract with plugins, for directories on a machine in memory. */
@Tag("long")
class LocalConformanceTest implements PluginConformance {
    @Override
    public StoragePlugin plugin(Machine machine) {
        return new LocalPlugin();
    }

    @Override
    public VolumeSource existing(Machine machine, int number) {
        return directory(machine, "disks/disk-" + number);
    }

    /** A machine in memory has no disks; raw devices are DeviceTest's. */
    @Override
    public Optional<VolumeSource> existingDevice(Machine machine, int number) {
        return Optional.empty();
    }

    static VolumeSource directory(Machine machine, String name) {
        Path path = machine.directory().resolve(name);
        machine.host()
                .files()
                .openOrMake(path, LinkRule.REFUSE, FileKind.DIRECTORY, 0777)
                .result()
                .ifPresent(made -> made.path().close());
        return new LocalSource(path.toString(), "").toSource();
    }

    @Override
    public List<VolumeSource> faultySources() {
        return List.of(new LocalSource("relative", "").toSource(), new LocalSource("/a/../b", "").toSource());
    }

    /** A directory that was never a volume here. */
    @Override
    public List<VolumeSource> foreignSources(Machine machine) {
        directory(machine, "precious/data");
        return List.of(new LocalSource(machine.directory().resolve("precious").toString(), "").toSource());
    }
}
