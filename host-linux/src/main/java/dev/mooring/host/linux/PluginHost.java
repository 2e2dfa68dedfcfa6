// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.file.LinuxPinnedPath;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.DirectoryQuotas;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.Sysfs;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The services of this machine as a plugin has them: whatever it asks for, no place that Mooring keeps is shown, emptied or changed. */
final class PluginHost implements HostServices {
    private final LinuxHost host;
    private final Kernel kernel;
    private final PlaceGuard guard;
    private final HostFiles files;

    PluginHost(LinuxHost host, Kernel kernel, PlaceGuard guard, HostFiles files) {
        this.host = host;
        this.kernel = kernel;
        this.guard = guard;
        this.files = files;
    }

    private <T> Outcome<T> ask(
            PinnedPath path, Function<Descriptor, Outcome<Nothing>> question, Supplier<Outcome<T>> action) {
        Optional<Descriptor> held = LinuxPinnedPath.descriptorOf(path);
        return held.isEmpty()
                ? LinuxPinnedPath.foreign()
                : question.apply(held.get()).then(allowed -> action.get());
    }

    /** What is mounted over a place hides it, and what is unmounted leaves a directory that is removed or put aside. */
    private <T> Outcome<T> askOfTarget(Path target, Supplier<Outcome<T>> action) {
        return Guarded.<Nothing>look(() -> {
                    try (MountPoint point = MountPoint.of(kernel, target)) {
                        return guard.entry(point.parent(), point.name());
                    } catch (KernelException notThere) {
                        return Outcome.done(); // the action says what is wrong with it
                    }
                })
                .then(allowed -> action.get());
    }

    private <T> Outcome<T> askOfFile(Path file, Supplier<Outcome<T>> action) {
        return Guarded.<Nothing>look(() -> {
                    try (Descriptor held = kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(file), Kernel.O_PATH, 0)) {
                        return guard.use(held);
                    } catch (KernelException notThere) {
                        return Outcome.done(); // the action says what is wrong with it
                    }
                })
                .then(allowed -> action.get());
    }

    @Override
    public HostCapabilities capabilities() {
        return host.capabilities();
    }

    @Override
    public ProcessRunner processes() {
        return host.processes();
    }

    @Override
    public Mounts mounts() {
        return new PluginMounts();
    }

    @Override
    public HostFiles files() {
        return files;
    }

    @Override
    public BlockDevices blockDevices() {
        return new PluginDevices();
    }

    @Override
    public FileSystems fileSystems() {
        return new PluginFileSystems();
    }

    @Override
    public DirectoryQuotas quotas() {
        return new PluginQuotas();
    }

    @Override
    public Sysfs sysfs() {
        return host.sysfs();
    }

    @Override
    public Outcome<Path> stateDirectory(PluginName plugin) {
        return host.stateDirectory(plugin);
    }

    @Override
    public HostServices forPlugin(PluginName plugin, List<Path> given) {
        return this; // a plugin gives itself nothing more
    }

    private final class PluginMounts implements Mounts {
        private final Mounts mounts = host.mounts();

        @Override
        public Outcome<MountTable> table() {
            return mounts.table();
        }

        @Override
        public Outcome<MountTable> mountedIn(Path path) {
            return mounts.mountedIn(path);
        }

        @Override
        public Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
            return ask(source, guard::use, () -> askOfTarget(target, () -> mounts.bind(source, target, options)));
        }

        @Override
        public Outcome<Nothing> mayShare(PinnedPath path) {
            return ask(path, guard::share, Outcome::done);
        }

        @Override
        public Outcome<MountEntry> entryOf(PinnedPath path) {
            return mounts.entryOf(path);
        }

        @Override
        public Outcome<Nothing> unmount(
                OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
            return askOfTarget(target, () -> mounts.unmount(context, target, expected, force));
        }

        @Override
        public Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request) {
            return askOfTarget(target, () -> mounts.mount(context, target, request));
        }
    }

    private final class PluginFileSystems implements FileSystems {
        private final FileSystems fileSystems = host.fileSystems();

        @Override
        public Outcome<Optional<String>> probe(OperationContext context, BlockDevice device) {
            return fileSystems.probe(context, device);
        }

        @Override
        public Outcome<MountEntry> mount(
                OperationContext context, BlockDevice device, Path target, FileSystemRequest request) {
            return askOfTarget(target, () -> fileSystems.mount(context, device, target, request));
        }

        @Override
        public Outcome<Long> grow(OperationContext context, BlockDevice device, Path mountPoint) {
            return fileSystems.grow(context, device, mountPoint);
        }
    }

    private final class PluginQuotas implements DirectoryQuotas {
        private final DirectoryQuotas quotas = host.quotas();

        @Override
        public Outcome<Long> limit(PinnedPath directory, String key, long bytes) {
            return ask(directory, guard::use, () -> quotas.limit(directory, key, bytes));
        }

        @Override
        public Outcome<Nothing> lift(PinnedPath directory, String key) {
            return ask(directory, guard::use, () -> quotas.lift(directory, key));
        }
    }

    private final class PluginDevices implements BlockDevices {
        private final BlockDevices devices = host.blockDevices();

        @Override
        public Outcome<BlockDevice> find(Path path) {
            return devices.find(path);
        }

        @Override
        public Outcome<BlockDevice> named(String name) {
            return devices.named(name);
        }

        @Override
        public Outcome<List<String>> users(OperationContext context, BlockDevice device) {
            return devices.users(context, device);
        }

        @Override
        public Outcome<Nothing> flush(OperationContext context, BlockDevice device) {
            return devices.flush(context, device);
        }

        @Override
        public Outcome<Boolean> isZero(OperationContext context, BlockDevice device, long offset, long length) {
            return devices.isZero(context, device, offset, length);
        }

        @Override
        public Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean readOnly) {
            return devices.setReadOnly(context, device, readOnly);
        }

        @Override
        public Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device) {
            return devices.rescan(context, device);
        }

        @Override
        public Outcome<Nothing> remove(OperationContext context, BlockDevice device) {
            return devices.remove(context, device);
        }

        @Override
        public Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path) {
            return devices.multipathMap(path);
        }

        @Override
        public Outcome<BlockDevice> attachLoop(OperationContext context, Path file) {
            return askOfFile(file, () -> devices.attachLoop(context, file));
        }

        @Override
        public Outcome<Nothing> detachLoop(OperationContext context, Path file) {
            return devices.detachLoop(context, file);
        }
    }
}
