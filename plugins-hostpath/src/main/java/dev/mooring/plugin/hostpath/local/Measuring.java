// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Statistics.Usage;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import java.nio.file.Path;

/** How large a volume is, and making it as large as its device. */
final class Measuring {
    private final OperationContext context;

    Measuring(OperationContext context) {
        this.context = context;
    }

    Outcome<Usage> usage(Path path) {
        return context.host().files().open(path, LinkRule.FOLLOW).then(pinned -> {
            try (pinned) {
                return pinned.facts()
                        .then(facts -> facts.kind() == FileKind.BLOCK_DEVICE
                                ? device(path)
                                : pinned.space().map(Usage::of));
            }
        });
    }

    /** How much of a raw device is used is unknown. */
    private Outcome<Usage> device(Path path) {
        return context.host()
                .blockDevices()
                .find(path)
                .map(device -> new Usage(device.sizeBytes(), 0, device.sizeBytes(), 0, 0));
    }

    /** A directory has the size that its volume says; a file system grows to its device. */
    Outcome<Quantity> expand(VolumeSpec volume, Path path, Quantity wanted, LocatedVolume located) {
        if (located.device().isEmpty()) {
            return Outcome.done(wanted);
        }
        return context.host()
                .blockDevices()
                .rescan(context, located.device().get())
                .then(device -> {
                    if (Quantity.ofBytes(device.sizeBytes()).compareTo(wanted) < 0) {
                        return Outcome.refused(
                                Refusal.EXHAUSTED,
                                device.path() + " has " + device.sizeBytes() + " bytes, less than " + wanted
                                        + " of volume " + volume.name());
                    }
                    return volume.mode() == VolumeMode.BLOCK ? Outcome.done(size(device)) : grow(device, path);
                });
    }

    private static Quantity size(BlockDevice device) {
        return Quantity.ofBytes(device.sizeBytes());
    }

    private Outcome<Quantity> grow(BlockDevice device, Path path) {
        // a file system is a little smaller than its device, and a volume is as large as what it is on
        return context.host().fileSystems().grow(context, device, path).map(bytes -> size(device));
    }
}
