// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Grows a mounted file system to its device (semantics/plugins §1.6). What a tool says is not what counts: the size is looked at before and
 * after.
 */
public final class Growing {
    /** The last piece of a device may be too small for the file system's own tables. */
    private static final long LARGEST_REST = 128L << 20;

    /** The largest block: less than one of it is of no use to any file system. */
    private static final long LARGEST_BLOCK = 64L << 10;

    private static final long REST_SHARE = 16;

    private final ProcessRunner processes;
    private final BlockDevices devices;
    private final Supplier<Outcome<MountTable>> table;
    private final SizeReader sizes;

    /** Tells how large a file system is, not how much of it can be used. */
    @FunctionalInterface
    public interface SizeReader {
        /** In bytes. */
        Outcome<Long> size(OperationContext context, BlockDevice device, MountEntry mounted);
    }

    public Growing(
            ProcessRunner processes, BlockDevices devices, Supplier<Outcome<MountTable>> table, SizeReader sizes) {
        this.processes = processes;
        this.devices = devices;
        this.table = table;
        this.sizes = sizes;
    }

    Outcome<Long> grow(OperationContext context, BlockDevice device, Path mountPoint) {
        return devices.named(device.name())
                .then(now -> mounted(now, mountPoint)
                        .then(entry ->
                                sizes.size(context, now, entry).then(before -> grow(context, now, entry, before))));
    }

    private Outcome<MountEntry> mounted(BlockDevice device, Path mountPoint) {
        return table.get()
                .then(now -> now.top(mountPoint)
                        .filter(top -> top.device().equals(device.number())
                                || top.source().equals(device.path().toString()))
                        .map(Outcome::done)
                        .orElseGet(() -> Outcome.refused(
                                Refusal.NOT_FOUND, device.path() + " is not mounted at " + mountPoint)));
    }

    private Outcome<Long> grow(OperationContext context, BlockDevice device, MountEntry entry, long before) {
        if (device.sizeBytes() < before) {
            return Outcome.refused(
                    Refusal.CORRUPT,
                    device.path() + " has " + device.sizeBytes() + " bytes, its file system " + before
                            + ": the device has shrunk");
        }
        if (device.readOnly() || entry.readOnly()) {
            return fills(device, before, LARGEST_REST)
                    ? Outcome.done(before)
                    : Outcome.refused(Refusal.INCOMPATIBLE, entry + " is read-only and cannot grow");
        }
        return FileSystemTools.grow(entry.fsType(), device.path(), entry.mountPoint())
                .then(command -> processes.run(context, command))
                .then(result -> result.ending() == Ending.STILL_RUNNING
                        ? Outcome.uncertain("the growing of " + entry + " has not ended yet")
                        : sizes.size(context, device, entry).then(after -> judge(device, result, before, after)));
    }

    /** What is left over may be what a tool that failed has not grown into: then only a file system that is whole is done. */
    static Outcome<Long> judge(BlockDevice device, CommandResult result, long before, long after) {
        boolean done = result.succeeded()
                ? after > before || fills(device, after, LARGEST_REST)
                : fills(device, after, LARGEST_BLOCK);
        if (done) {
            return Outcome.done(after);
        }
        String why = "the file system on " + device.path() + " still has " + after + " bytes of " + device.sizeBytes();
        return Outcome.uncertain(
                result.succeeded()
                        ? why
                        : why + ": the tool ended with " + result.exitCode() + ": " + result.complaint());
    }

    private static boolean fills(BlockDevice device, long size, long rest) {
        return device.sizeBytes() - size <= Math.min(rest, device.sizeBytes() / REST_SHARE);
    }
}
