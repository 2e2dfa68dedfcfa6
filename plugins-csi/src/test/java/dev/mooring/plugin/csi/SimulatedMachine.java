// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDeviceBuilder;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.DirectoryQuotas;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.Sysfs;
import dev.mooring.testkit.host.MemoryHost;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A machine of a simulated world. It has a device beside those of a machine in memory: the file that a driver shows wherever it publishes a
 * raw volume.
 *
 * @param memory the rest
 */
record SimulatedMachine(MemoryHost memory) implements HostServices, BlockDevices {
    /** The driver's device, of whichever volume. */
    static final Path DEVICE = Path.of("/raw");

    private static final String NAME = "raw";

    /** A machine with its device. */
    static SimulatedMachine at(Path root) {
        MemoryHost memory = new MemoryHost(root);
        memory.files()
                .openOrMake(DEVICE, LinkRule.REFUSE, FileKind.FILE, 0600)
                .map(made -> Nothing.NOTHING)
                .orThrow();
        return new SimulatedMachine(memory);
    }

    /** What is not empty of what a driver's volumes need: mounts, but that of the whole, and devices. */
    List<String> left() {
        List<String> mounted = memory.mounts().table().result().orElseThrow().entries().stream()
                .map(entry -> entry.mountPoint().toString())
                .filter(path -> !path.equals("/"))
                .toList();
        return Stream.concat(mounted.stream(), memory.devices().stream()).toList();
    }

    private static BlockDevice device() {
        return BlockDeviceBuilder.builder()
                .name(NAME)
                .path(DEVICE)
                .number("8:0")
                .sizeBytes(0)
                .readOnly(false)
                .build();
    }

    @Override
    public Outcome<BlockDevice> find(Path path) {
        boolean shown = memory.mounts().table().result().orElseThrow().at(path).stream()
                .anyMatch(entry -> entry.root().equals(DEVICE.toString()));
        return shown ? Outcome.done(device()) : memory.blockDevices().find(path);
    }

    @Override
    public Outcome<BlockDevice> named(String name) {
        return name.equals(NAME)
                ? Outcome.done(device())
                : memory.blockDevices().named(name);
    }

    @Override
    public Outcome<List<String>> users(OperationContext context, BlockDevice device) {
        return Outcome.done(List.of());
    }

    @Override
    public Outcome<Nothing> flush(OperationContext context, BlockDevice device) {
        return Outcome.done();
    }

    @Override
    public Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean readOnly) {
        return Outcome.refused(Refusal.UNSUPPORTED, device.name() + " stays as it is");
    }

    @Override
    public Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device) {
        return Outcome.done(device);
    }

    @Override
    public Outcome<Nothing> remove(OperationContext context, BlockDevice device) {
        return memory.blockDevices().remove(context, device);
    }

    @Override
    public Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path) {
        return Outcome.done(Optional.empty());
    }

    @Override
    public Outcome<BlockDevice> attachLoop(OperationContext context, Path file) {
        return memory.blockDevices().attachLoop(context, file);
    }

    @Override
    public Outcome<Nothing> detachLoop(OperationContext context, Path file) {
        return memory.blockDevices().detachLoop(context, file);
    }

    @Override
    public HostCapabilities capabilities() {
        return memory.capabilities();
    }

    @Override
    public ProcessRunner processes() {
        return memory.processes();
    }

    @Override
    public Mounts mounts() {
        return memory.mounts();
    }

    @Override
    public HostFiles files() {
        return memory.files();
    }

    @Override
    public BlockDevices blockDevices() {
        return this;
    }

    @Override
    public FileSystems fileSystems() {
        return memory.fileSystems();
    }

    @Override
    public DirectoryQuotas quotas() {
        return memory.quotas();
    }

    @Override
    public Sysfs sysfs() {
        return memory.sysfs();
    }

    @Override
    public Outcome<Path> stateDirectory(PluginName plugin) {
        return memory.stateDirectory(plugin);
    }
}
