// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.DirectoryQuotas;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.Sysfs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A machine in memory: files, directories, binds and loop devices as on Linux, without a kernel, rights or anything to clean. It has no
 * tools, no other devices, no file systems on devices and no {@code /sys}; for a plugin that needs them, override {@code machine()} and give the kit a real host. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MemoryHost implements HostServices {
    private static final HostServices REST = HostServices.none(
            "the kit's machine in memory has no tools, quotas, file systems on devices or /sys. Override"
                    + " machine() of the conformance test and give it a real host: Machine.inTemporaryDirectory");

    private final Path directory;
    private final MemoryFiles files;
    private final MemoryMounts mounts;
    private final MemoryDevices devices;

    /**
     * An empty machine.
     *
     * @param directory an absolute path, below which the host keeps its state
     */
    public MemoryHost(Path directory) {
        MemoryDisk disk = new MemoryDisk();
        this.directory = directory;
        this.files = new MemoryFiles(disk);
        this.mounts = new MemoryMounts(disk);
        this.devices = new MemoryDevices(disk, directory.resolve("dev"));
    }

    @Override
    public HostCapabilities capabilities() {
        return new HostCapabilities(Map.of());
    }

    /** Has no tools. */
    @Override
    public ProcessRunner processes() {
        return REST.processes();
    }

    @Override
    public Mounts mounts() {
        return mounts;
    }

    @Override
    public HostFiles files() {
        return files;
    }

    /** Has loop devices only. */
    @Override
    public BlockDevices blockDevices() {
        return devices;
    }

    /** The machine loses its power and starts again: mounts and devices are gone, files stay. */
    public void reboot() {
        mounts.forget();
        devices.forget();
    }

    /** The loop devices that exist, one line for each. */
    public List<String> devices() {
        return devices.lines();
    }

    /** Has none on devices. */
    @Override
    public FileSystems fileSystems() {
        return REST.fileSystems();
    }

    /** Counts nothing. */
    @Override
    public DirectoryQuotas quotas() {
        return REST.quotas();
    }

    /** Has no files of a kernel. */
    @Override
    public Sysfs sysfs() {
        return REST.sysfs();
    }

    @Override
    public Outcome<Path> stateDirectory(PluginName plugin) {
        return Outcome.done(directory.resolve("state").resolve(plugin.escaped()));
    }
}
