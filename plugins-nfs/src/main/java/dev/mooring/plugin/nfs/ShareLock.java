// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.CallLocks;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.util.function.Supplier;

/**
 * Lets one call at a time change the ledger of a share: two volumes that come and go in one directory would otherwise take it away from
 * each other. Only one process makes volumes at a time, the leader.
 *
 * @param locks the locks of all shares
 * @param context the call
 * @param share which share
 */
record ShareLock(CallLocks locks, OperationContext context, Export share) {
    /** Does something while no other call changes the share's ledger; deferred if the turn does not come in time. */
    <T> Outcome<T> hold(Supplier<Outcome<T>> action) {
        return locks.hold(context, share.source(), "other volumes of " + share + " are being made or deleted", action);
    }
}
