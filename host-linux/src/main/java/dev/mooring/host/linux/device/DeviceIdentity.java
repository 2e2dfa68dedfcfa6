// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.Sysfs;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * What tells a device from an earlier one of its number: the kernel counts the disks that it has shown since the boot (since Linux 5.15). A
 * disk that was taken away and is there again is another device: the kernel has forgotten what was set. On an older kernel, what
 * identifies the disk, if anything does.
 */
public final class DeviceIdentity implements Function<BlockDevice, String> {
    private static final String SEQUENCE = "diskseq";

    private final Sysfs sysfs;

    public DeviceIdentity(Sysfs sysfs) {
        this.sysfs = sysfs;
    }

    @Override
    public String apply(BlockDevice device) {
        return sysfs.resolve(SysfsDevices.directory(device.name()))
                .result()
                .flatMap(Function.identity())
                .flatMap(this::sequence)
                .map(number -> SEQUENCE + " " + number)
                .orElseGet(() -> ofDisk(device));
    }

    /** Without asking the kernel. */
    public static String ofDisk(BlockDevice device) {
        return device.wwid().orElse("");
    }

    private Optional<String> sequence(Path directory) {
        Optional<String> own = text(directory.resolve(SEQUENCE));
        // a partition has that of its disk
        return own.isPresent() ? own : text(directory.resolveSibling(SEQUENCE));
    }

    private Optional<String> text(Path file) {
        Outcome<Optional<String>> text = sysfs.read(file);
        return text.result().flatMap(Function.identity()).map(String::strip);
    }
}
