// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Path;
import java.util.List;

/** Questions about devices. */
final class Devices {
    private static final long EDGE = 2L << 20;
    private static final long BLOCK = 4096;

    private Devices() {}

    /** Done if nobody uses the device; else IN_USE, naming who does. */
    static Outcome<Nothing> unused(OperationContext context, BlockDevice device) {
        return context.host()
                .blockDevices()
                .users(context, device)
                .then(users -> users.isEmpty()
                        ? Outcome.done()
                        : Outcome.refused(Refusal.IN_USE, device.path() + " is in use: " + String.join("; ", users)));
    }

    /** Whether a mount shows the file system of a device; file systems with numbers of their own only name it. */
    static boolean shows(OperationContext context, MountEntry entry, BlockDevice device) {
        return entry.device().equals(device.number())
                || (entry.source().startsWith("/dev/")
                        && context.host()
                                .blockDevices()
                                .find(Path.of(entry.source()))
                                .result()
                                .filter(source -> source.number().equals(device.number()))
                                .isPresent());
    }

    /**
     * Whether the first and the last part of a device are zeros and nothing is recognised on it. What is between may hold data that
     * nobody would find.
     */
    static Outcome<Boolean> looksBlank(OperationContext context, BlockDevice device) {
        long end = Math.max(0, device.sizeBytes() - EDGE) / BLOCK * BLOCK;
        return context.host()
                .fileSystems()
                .probe(context, device)
                .then(type -> type.isPresent()
                        ? Outcome.done(false)
                        : context.host().blockDevices().isZero(context, device, 0, EDGE))
                .then(zero -> zero
                        ? context.host().blockDevices().isZero(context, device, end, EDGE + BLOCK)
                        : Outcome.done(false));
    }

    /** The names of the partitions that the kernel knows on a device. */
    static Outcome<List<String>> partitions(OperationContext context, BlockDevice device) {
        return context.host()
                .sysfs()
                .list(Path.of("/sys/class/block", device.name()))
                .map(names -> names.stream()
                        .filter(name -> name.startsWith(device.name()) && !name.equals(device.name()))
                        .toList());
    }
}
