// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The one device of a {@link Workbench} as a host shows its devices and mounts. What no file system needs is refused. */
final class Machinery {
    private static final HostServices NONE = HostServices.none();

    private Machinery() {}

    /** The devices. */
    static BlockDevices devices(Workbench bench) {
        return new OneDevice(bench);
    }

    /** The mounts, of which only those at one place are known. */
    static Mounts mounts(Workbench bench, Path target) {
        return new OneMount(bench, target);
    }

    private record OneDevice(Workbench bench) implements BlockDevices {
        @Override
        public Outcome<BlockDevice> find(Path path) {
            return Outcome.done(bench.now());
        }

        @Override
        public Outcome<BlockDevice> named(String name) {
            return Outcome.done(bench.now());
        }

        /** Only the call that is under way has the device: at most one is, for a volume and a node (S10). */
        @Override
        public Outcome<List<String>> users(OperationContext context, BlockDevice device) {
            return Outcome.done(List.of());
        }

        @Override
        public Outcome<Nothing> flush(OperationContext context, BlockDevice device) {
            return Outcome.done();
        }

        @Override
        public Outcome<Boolean> isZero(OperationContext context, BlockDevice device, long offset, long length) {
            return bench.zeros(offset);
        }

        @Override
        public Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean readOnly) {
            return Outcome.done();
        }

        @Override
        public Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device) {
            return Outcome.done(bench.now());
        }

        @Override
        public Outcome<Nothing> remove(OperationContext context, BlockDevice device) {
            return NONE.blockDevices().remove(context, device);
        }

        @Override
        public Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path) {
            return Outcome.done(Optional.empty());
        }

        @Override
        public Outcome<BlockDevice> attachLoop(OperationContext context, Path file) {
            return NONE.blockDevices().attachLoop(context, file);
        }

        @Override
        public Outcome<Nothing> detachLoop(OperationContext context, Path file) {
            return NONE.blockDevices().detachLoop(context, file);
        }
    }

    private record OneMount(Workbench bench, Path place) implements Mounts {
        @Override
        public Outcome<MountTable> table() {
            return Outcome.done(bench.table(place));
        }

        @Override
        public Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request) {
            return bench.mount(target, request);
        }

        @Override
        public Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
            return NONE.mounts().bind(source, target, options);
        }

        @Override
        public Outcome<MountEntry> entryOf(PinnedPath path) {
            return NONE.mounts().entryOf(path);
        }

        @Override
        public Outcome<Nothing> unmount(
                OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
            return NONE.mounts().unmount(context, target, expected, force);
        }
    }
}
