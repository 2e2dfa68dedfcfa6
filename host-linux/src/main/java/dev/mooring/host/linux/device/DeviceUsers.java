// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.host.linux.kernel.KernelText;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Sysfs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What uses a device, as far as the kernel's files show. What they do not show, such as mounts in other namespaces, shows when the device
 * is opened exclusively, which the caller tries in addition.
 */
final class DeviceUsers {
    private static final Path SWAPS = Path.of("/proc/swaps");

    private final SysfsDevices devices;
    private final LoopDevices loops;
    private final Sysfs sysfs;
    private final Supplier<Outcome<MountTable>> table;
    private final Function<Path, Optional<String>> numberOf;

    /**
     * @param numberOf the number of the block device behind a path; empty for anything else
     */
    DeviceUsers(
            SysfsDevices devices,
            LoopDevices loops,
            Sysfs sysfs,
            Supplier<Outcome<MountTable>> table,
            Function<Path, Optional<String>> numberOf) {
        this.devices = devices;
        this.loops = loops;
        this.sysfs = sysfs;
        this.table = table;
        this.numberOf = numberOf;
    }

    /** One line per user. */
    Outcome<List<String>> of(BlockDevice device) {
        return devices.withPartitions(device.name()).then(names -> {
            List<String> users = new ArrayList<>();
            for (String name : names) {
                Outcome<List<String>> found = devices.named(name).then(this::usersOfOne);
                if (!found.isDone()) {
                    return found;
                }
                found.result().ifPresent(users::addAll);
            }
            return Outcome.done(List.copyOf(users));
        });
    }

    private Outcome<List<String>> usersOfOne(BlockDevice device) {
        return mounts(device)
                .then(mounts -> holders(device)
                        .then(holders -> loopsOf(device)
                                .then(loopsOf -> swap(device).map(swap -> {
                                    List<String> all = new ArrayList<>(mounts);
                                    all.addAll(holders);
                                    all.addAll(loopsOf);
                                    all.addAll(swap);
                                    return List.copyOf(all);
                                }))));
    }

    /** A file system over several devices has a number of its own: its source tells. */
    private Outcome<List<String>> mounts(BlockDevice device) {
        return table.get()
                .map(now -> now.entries().stream()
                        .filter(entry -> entry.device().equals(device.number())
                                || (entry.source().startsWith("/dev/")
                                        && isSame(KernelText.path(entry.source()), device)))
                        .map(entry -> "mounted on " + entry.mountPoint())
                        .toList());
    }

    private Outcome<List<String>> holders(BlockDevice device) {
        return sysfs.list(SysfsDevices.directory(device.name()).resolve("holders"))
                .map(names -> names.stream()
                        .map(holder -> device.name() + " is held by " + holder)
                        .toList());
    }

    private Outcome<List<String>> loopsOf(BlockDevice device) {
        return loops.all()
                .map(all -> all.stream()
                        .filter(loop -> isSame(loop.file(), device))
                        .map(loop -> loop.name() + " shows " + device.name())
                        .toList());
    }

    private Outcome<List<String>> swap(BlockDevice device) {
        return sysfs.read(SWAPS)
                .map(text -> text.stream()
                        .flatMap(lines -> KernelText.lines(lines).stream())
                        .map(line -> KernelText.decoded(KernelText.unescape(line.split("[ \t]", 2)[0])))
                        .filter(file -> file.startsWith("/dev/") && isSame(KernelText.path(file), device))
                        .map(file -> "swap on " + file)
                        .toList());
    }

    private boolean isSame(Path file, BlockDevice device) {
        return file.equals(device.path()) || numberOf.apply(file).equals(Optional.of(device.number()));
    }
}
