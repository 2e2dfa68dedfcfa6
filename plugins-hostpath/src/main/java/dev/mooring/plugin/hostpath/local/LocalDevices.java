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
final class LocalDevices {
    private static final long EDGE = 2L << 20;
    private static final long BLOCK = 4096;
    /** 8193 KiB, 32 MiB and 128 MiB: where ext keeps the first copy of its superblock for blocks of 1, 2 and 4 KiB. */
    private static final List<Long> COPIES = List.of(8193L << 10, 32L << 20, 128L << 20);

    /** How much is looked at, or zeroed, for one copy. */
    static final long COPY = 2 * BLOCK;

    private LocalDevices() {}

    /** Done if the device is not in use; else IN_USE, with what uses it. */
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

    /** Where on a device ext may have a copy of its superblock (semantics/plugins §1.5); multiples of the block size. */
    static List<Long> superblockCopies(BlockDevice device) {
        return COPIES.stream()
                .filter(at -> at + BLOCK <= device.sizeBytes())
                .map(at -> at / BLOCK * BLOCK)
                .toList();
    }

    /**
     * Whether the first and the last part of a device and the copies of a superblock are zeros and nothing is recognised on it: the rule by
     * which it could be formatted. What is between may hold data that would not be found.
     */
    static Outcome<Boolean> looksBlank(OperationContext context, BlockDevice device) {
        long end = Math.max(0, device.sizeBytes() - EDGE) / BLOCK * BLOCK;
        Outcome<Boolean> blank = context.host()
                .fileSystems()
                .probe(context, device)
                .then(type -> type.isPresent()
                        ? Outcome.done(false)
                        : context.host().blockDevices().isZero(context, device, 0, EDGE))
                .then(zero -> zero
                        ? context.host().blockDevices().isZero(context, device, end, EDGE + BLOCK)
                        : Outcome.done(false));
        for (long at : superblockCopies(device)) {
            blank = blank.then(before ->
                    before ? context.host().blockDevices().isZero(context, device, at, COPY) : Outcome.done(false));
        }
        return blank;
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
