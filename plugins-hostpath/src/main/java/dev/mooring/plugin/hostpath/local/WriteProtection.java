// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import java.util.Optional;

/**
 * Takes back that a device was made read-only for a volume that is only read. Which devices were is noted before it is done, in the node's
 * entry of the disk: it outlives the process and an answer that was lost. One that was read-only before stays so.
 */
final class WriteProtection {
    private final OperationContext context;
    private final DiskLedger ledger;

    WriteProtection(OperationContext context) {
        this.context = context;
        this.ledger = new DiskLedger(context);
    }

    /** To be called before a device is made read-only. */
    Outcome<Nothing> note(LocatedVolume located) {
        boolean writable = located.device().filter(device -> !device.readOnly()).isPresent();
        return writable ? note(located, true) : Outcome.done();
    }

    private Outcome<Nothing> note(LocatedVolume located, boolean made) {
        return ledger.alone(() -> ledger.find(located.identity())
                .then(entry -> entry.filter(before -> before.madeReadOnly() != made)
                        .map(before -> ledger.put(located.identity(), before.readOnly(made)))
                        .orElseGet(Outcome::done)));
    }

    /** Makes a device writable again if it was made read-only here; the device as it is then. IN_USE while that one is in use. */
    Outcome<Optional<BlockDevice>> lift(LocatedVolume located) {
        return ledger.find(located.identity()).then(entry -> {
            boolean made = entry.filter(DiskEntry::madeReadOnly).isPresent();
            if (located.device().isEmpty() || !made) {
                return Outcome.done(located.device());
            }
            BlockDevice device = located.device().get();
            return LocalDevices.unused(context, device)
                    .then(nothing -> context.host().blockDevices().setReadOnly(context, device, false))
                    .then(nothing -> note(located, false))
                    .then(nothing -> context.host().blockDevices().named(device.name()))
                    .map(Optional::of);
        });
    }
}
