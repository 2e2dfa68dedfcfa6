// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DeviceCalls;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Sysfs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Block devices by {@code /sys} and system calls. What may wait for a device is bounded: one call for one device is out at a time
 * ({@link BoundedCalls}).
 */
public final class LinuxBlockDevices implements BlockDevices {
    private static final int CHUNK = 1 << 20;

    private final Kernel kernel;
    private final DeviceCalls calls;
    private final BoundedCalls bounded;
    private final Sysfs sysfs;
    private final SysfsDevices known;
    private final LoopDevices loops;
    private final DeviceUsers users;
    private final DeviceOpeners openers;

    public LinuxBlockDevices(Kernel kernel, BoundedCalls bounded, Sysfs sysfs, Supplier<Outcome<MountTable>> table) {
        this.kernel = kernel;
        this.calls = new DeviceCalls(kernel);
        this.bounded = bounded;
        this.sysfs = sysfs;
        this.known = new SysfsDevices(sysfs);
        this.loops = new LoopDevices(calls, sysfs);
        this.users = new DeviceUsers(known, loops, sysfs, table, this::numberOf);
        this.openers =
                new DeviceOpeners(Path.of("/proc"), ProcessHandle.current().pid(), this::numberOf);
    }

    @Override
    public Outcome<BlockDevice> find(Path path) {
        return Guarded.look(() -> {
            // a path only: nothing is opened that would wake a device
            try (Descriptor found = kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(path), Kernel.O_PATH, 0)) {
                FileStatus status = kernel.status(found);
                return status.kind() == FileKind.BLOCK_DEVICE
                        ? known.numbered(status.special())
                        : Outcome.refused(Refusal.INCOMPATIBLE, path + " is no block device but a " + status.kind());
            }
        });
    }

    @Override
    public Outcome<BlockDevice> named(String name) {
        return known.named(name);
    }

    private Optional<String> numberOf(Path path) {
        return find(path).result().map(BlockDevice::number);
    }

    @Override
    public Outcome<List<String>> users(OperationContext context, BlockDevice device) {
        return same(device)
                .then(nothing -> users.of(device))
                .then(found -> exclusively(context, device).map(more -> {
                    List<String> all = new ArrayList<>(found);
                    // adds nothing to what the kernel's files have shown
                    if (found.isEmpty()) {
                        more.ifPresent(all::add);
                    }
                    return List.copyOf(all);
                }));
    }

    /** It is known that the device is open exclusively, but not by what: another namespace's mount, a target, a volume manager. */
    private Outcome<Optional<String>> exclusively(OperationContext context, BlockDevice device) {
        return call(context, device, "the exclusive opening of " + device.path(), () -> {
            try (Descriptor opened = calls.open(Kernel.name(device.path()), Kernel.O_RDONLY | Kernel.O_EXCL)) {
                return opened.number() >= 0 ? Outcome.done(Optional.empty()) : Outcome.uncertain(device.name());
            } catch (KernelException e) {
                return switch (e.errno()) {
                    case Errno.EBUSY ->
                        Outcome.done(Optional.of("a process has " + device.name() + " open exclusively"));
                    // the kernel has given the disk up and lets no process open it: its files have shown what there is
                    case Errno.ENXIO -> Outcome.done(Optional.empty());
                    default -> e.outcomeOfLook();
                };
            }
        });
    }

    @Override
    public Outcome<Nothing> flush(OperationContext context, BlockDevice device) {
        return same(device)
                .then(nothing -> call(context, device, "the flush of " + device.path(), () -> {
                    try (Descriptor opened = calls.open(Kernel.name(device.path()), Kernel.O_RDONLY)) {
                        calls.flush(opened);
                        return Outcome.done();
                    }
                }));
    }

    @Override
    public Outcome<Boolean> isZero(OperationContext context, BlockDevice device, long offset, long length) {
        return same(device)
                .then(nothing -> call(
                        context,
                        device,
                        "the reading of " + device.path(),
                        () -> Guarded.look(() -> {
                            try (Descriptor opened = calls.open(Kernel.name(device.path()), Kernel.O_RDONLY)) {
                                // afterwards the kernel holds nothing, and what is read comes from the medium
                                calls.flush(opened);
                                return Outcome.done(
                                        isZero(opened, offset, Math.min(length, device.sizeBytes() - offset)));
                            }
                        })));
    }

    private boolean isZero(Descriptor opened, long offset, long length) throws KernelException {
        for (long at = 0; at < length; at += CHUNK) {
            int wanted = (int) Math.min(CHUNK, length - at);
            byte[] read = calls.readDirect(opened, offset + at, (wanted + 4095) / 4096 * 4096);
            if (read.length < wanted) {
                throw new KernelException(Errno.EIO, "read of " + wanted + " bytes at " + (offset + at));
            }
            // Each byte is like the one before, and the first is zero: no megabyte of zeros is kept for a call that is
            // rare.
            if (read[0] != 0 || Arrays.mismatch(read, 0, wanted - 1, read, 1, wanted) >= 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean readOnly) {
        return same(device)
                .then(now -> now.readOnly() == readOnly
                        ? Outcome.done()
                        : call(context, device, "the setting of " + device.path() + " read-only", () -> {
                            try (Descriptor opened = calls.open(Kernel.name(device.path()), Kernel.O_RDONLY)) {
                                calls.setReadOnly(opened, readOnly);
                                return Outcome.done();
                            }
                        }));
    }

    @Override
    public Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device) {
        Path file = SysfsDevices.directory(device.name()).resolve("device/rescan");
        return same(device)
                .then(now -> sysfs.resolve(file))
                .then(found -> found.isPresent() ? sysfs.write(context, file, "1") : rescanLoop(context, device))
                .then(nothing -> same(device));
    }

    private Outcome<Nothing> rescanLoop(OperationContext context, BlockDevice device) {
        return loops.all()
                .then(all -> all.stream().noneMatch(loop -> loop.name().equals(device.name()))
                        ? Outcome.done()
                        : call(context, device, "the look at the size of " + device.path(), () -> {
                            loops.rescan(device.name());
                            return Outcome.done();
                        }));
    }

    @Override
    public Outcome<Nothing> remove(OperationContext context, BlockDevice device) {
        Outcome<BlockDevice> now = same(device);
        if (now.isRefused(Refusal.NOT_FOUND)) {
            return Outcome.done();
        }
        Path file = SysfsDevices.directory(device.name()).resolve("device/delete");
        return now.then(there -> sysfs.resolve(file)).then(found -> {
            if (found.isEmpty()) {
                return same(device).isRefused(Refusal.NOT_FOUND)
                        ? Outcome.done()
                        : Outcome.refused(Refusal.UNSUPPORTED, device.name() + " cannot be removed from the kernel");
            }
            Outcome<Nothing> unopened = unopened(device);
            if (!unopened.isDone()) {
                return unopened;
            }
            Outcome<Nothing> written = sysfs.write(context, file, "1");
            return written.isDone() || !same(device).isRefused(Refusal.NOT_FOUND) ? written : Outcome.done();
        });
    }

    /** What a process writes to a disk that is taken away is lost. Where the kernel has given the disk up, nothing more can be lost. */
    private Outcome<Nothing> unopened(BlockDevice device) {
        return sysfs.read(SysfsDevices.directory(device.name()).resolve("device/state"))
                .then(state -> state.filter("running"::equals).isPresent()
                        ? openers.of(device.number())
                        : Outcome.done(List.<String>of()))
                .then(found -> found.isEmpty()
                        ? Outcome.done()
                        : Outcome.refused(
                                Refusal.IN_USE,
                                device.path() + " is not removed from the kernel, since it is open in "
                                        + String.join(", ", found) + ". It is removed when they have closed it"));
    }

    /** Names and numbers are given away again: that it still is the device that the caller has looked at. */
    private Outcome<BlockDevice> same(BlockDevice device) {
        return known.named(device.name()).then(now -> {
            boolean same = now.number().equals(device.number()) && now.wwid().equals(device.wwid());
            return same
                    ? Outcome.done(now)
                    : Outcome.refused(Refusal.NOT_FOUND, device.name() + " is now another device");
        });
    }

    @Override
    public Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path) {
        return known.multipathMap(path.name())
                .then(map -> map.map(name -> known.named(name).map(Optional::of))
                        .orElseGet(() -> Outcome.done(Optional.empty())));
    }

    @Override
    public Outcome<BlockDevice> attachLoop(OperationContext context, Path file) {
        String what = "the loop device of " + file;
        return bounded.call(context, what, what, () -> {
            try {
                return attachLoop(file, Kernel.O_RDWR);
            } catch (KernelException e) {
                if (e.is(Errno.EROFS) || e.is(Errno.EACCES) || e.is(Errno.EPERM)) {
                    return attachLoop(file, Kernel.O_RDONLY);
                }
                throw e;
            }
        });
    }

    private Outcome<BlockDevice> attachLoop(Path file, int access) throws KernelException {
        try (Descriptor opened = calls.open(Kernel.name(file), access)) {
            FileStatus status = kernel.status(opened);
            Outcome<Optional<String>> there = loops.all()
                    .map(all -> all.stream()
                            .filter(loop -> !loop.deleted() && loops.isWhole(loop) && shows(loop, status))
                            .map(LoopDevices.Backing::name)
                            .findFirst());
            return there.then(name -> name.map(Outcome::done)
                            .orElseGet(
                                    () -> Guarded.change(() -> loops.attach(opened, file, access == Kernel.O_RDONLY))))
                    .then(known::named);
        }
    }

    /** What is bound in two places is two files: what is held for one must not be let go with the other. */
    private boolean shows(LoopDevices.Backing loop, FileStatus status) {
        try (Descriptor backing = kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(loop.file()), Kernel.O_PATH, 0)) {
            FileStatus other = kernel.status(backing);
            return status.kind() == FileKind.BLOCK_DEVICE
                    ? other.kind() == FileKind.BLOCK_DEVICE
                            && other.special().equals(status.special())
                            && other.mountId() == status.mountId()
                    : other.sameFileAs(status);
        } catch (KernelException notThere) {
            return false;
        }
    }

    @Override
    public Outcome<Nothing> detachLoop(OperationContext context, Path file) {
        String what = "the loop device of " + file;
        return loops.all()
                .then(all -> bounded.call(context, what, what, () -> {
                    for (LoopDevices.Backing loop : all) {
                        if (loops.isWhole(loop) && isOf(loop, file)) {
                            loops.detach(loop);
                        }
                    }
                    return Outcome.done();
                }));
    }

    /** Also when the file, or a link to it, has gone: the loop device still has its name. */
    private boolean isOf(LoopDevices.Backing loop, Path file) {
        if (loop.file().equals(file)) {
            return true;
        }
        try (Descriptor found = kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(file), Kernel.O_PATH, 0)) {
            return !loop.deleted() && shows(loop, kernel.status(found));
        } catch (KernelException notThere) {
            return false;
        }
    }

    private <T> Outcome<T> call(OperationContext context, BlockDevice device, String what, Guarded.Body<T> body) {
        return bounded.call(context, "device " + device.name(), what, body);
    }
}
