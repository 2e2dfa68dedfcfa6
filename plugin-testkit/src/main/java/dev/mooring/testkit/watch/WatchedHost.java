// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.watch;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
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
import java.util.Optional;

/**
 * A host that is watched.
 *
 * @param watch who watches
 * @param real the host
 */
public record WatchedHost(HostWatch watch, HostServices real) implements HostServices, ProcessRunner, Sysfs {
    @Override
    public HostCapabilities capabilities() {
        return real.capabilities();
    }

    @Override
    public ProcessRunner processes() {
        return this;
    }

    @Override
    public Mounts mounts() {
        return new WatchedMounts(watch, real.mounts());
    }

    @Override
    public HostFiles files() {
        return new WatchedFiles(watch, real.files());
    }

    @Override
    public BlockDevices blockDevices() {
        return new WatchedDevices(watch, real.blockDevices(), real.fileSystems());
    }

    @Override
    public FileSystems fileSystems() {
        return new WatchedDevices(watch, real.blockDevices(), real.fileSystems());
    }

    @Override
    public DirectoryQuotas quotas() {
        return new WatchedQuotas(watch, real.quotas());
    }

    @Override
    public Sysfs sysfs() {
        return this;
    }

    @Override
    public Outcome<Path> stateDirectory(PluginName plugin) {
        return real.stateDirectory(plugin);
    }

    @Override
    public HostServices forPlugin(PluginName plugin, List<Path> given) {
        return new WatchedHost(watch, real.forPlugin(plugin, given));
    }

    @Override
    public Optional<Path> locate(String tool) {
        return real.processes().locate(tool);
    }

    @Override
    public Outcome<CommandResult> run(OperationContext context, Command command) {
        watch.command(command);
        return command.changes().isPresent()
                ? watch.change(
                        "running " + command.tool(), () -> real.processes().run(context, command))
                : watch.look(() -> real.processes().run(context, command));
    }

    @Override
    public Outcome<List<String>> list(Path directory) {
        return watch.look(() -> real.sysfs().list(directory));
    }

    @Override
    public Outcome<Optional<String>> read(Path file) {
        return watch.look(() -> real.sysfs().read(file));
    }

    @Override
    public Outcome<Optional<Path>> resolve(Path path) {
        return watch.look(() -> real.sysfs().resolve(path));
    }

    @Override
    public Outcome<Nothing> write(OperationContext context, Path file, String text) {
        return watch.change("writing to " + file, () -> real.sysfs().write(context, file, text));
    }
}
