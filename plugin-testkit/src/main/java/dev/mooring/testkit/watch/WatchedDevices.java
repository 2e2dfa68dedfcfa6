// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.watch;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Block devices and the file systems on them. */
record WatchedDevices(HostWatch watch, BlockDevices devices, FileSystems fileSystems)
        implements BlockDevices, FileSystems {
    @Override
    public Outcome<BlockDevice> find(Path path) {
        return watch.look(() -> devices.find(path));
    }

    @Override
    public Outcome<BlockDevice> named(String name) {
        return watch.look(() -> devices.named(name));
    }

    @Override
    public Outcome<List<String>> users(OperationContext context, BlockDevice device) {
        return watch.look(() -> devices.users(context, device));
    }

    @Override
    public Outcome<Nothing> flush(OperationContext context, BlockDevice device) {
        return watch.change("flushing " + device.name(), () -> devices.flush(context, device));
    }

    @Override
    public Outcome<Boolean> isZero(OperationContext context, BlockDevice device, long offset, long length) {
        return watch.look(() -> devices.isZero(context, device, offset, length));
    }

    @Override
    public Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean readOnly) {
        return watch.change("protecting " + device.name(), () -> devices.setReadOnly(context, device, readOnly));
    }

    @Override
    public Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device) {
        return watch.change("scanning " + device.name(), () -> devices.rescan(context, device));
    }

    @Override
    public Outcome<Nothing> remove(OperationContext context, BlockDevice device) {
        return watch.change("removing " + device.name(), () -> devices.remove(context, device));
    }

    @Override
    public Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path) {
        return watch.look(() -> devices.multipathMap(path));
    }

    @Override
    public Outcome<BlockDevice> attachLoop(OperationContext context, Path file) {
        return watch.change("a loop device for " + file, () -> devices.attachLoop(context, file));
    }

    @Override
    public Outcome<Nothing> detachLoop(OperationContext context, Path file) {
        return watch.change("letting go the loop device of " + file, () -> devices.detachLoop(context, file));
    }

    @Override
    public Outcome<Optional<String>> probe(OperationContext context, BlockDevice device) {
        return watch.look(() -> fileSystems.probe(context, device));
    }

    @Override
    public Outcome<MountEntry> mount(
            OperationContext context, BlockDevice device, Path target, FileSystemRequest request) {
        watch.mounting(request.readOnly(), "a mount of " + device.path() + " at " + target);
        return watch.change("mounting " + device.name(), () -> fileSystems.mount(context, device, target, request));
    }

    @Override
    public Outcome<Long> grow(OperationContext context, BlockDevice device, Path mountPoint) {
        return watch.change("growing " + device.name(), () -> fileSystems.grow(context, device, mountPoint));
    }
}
