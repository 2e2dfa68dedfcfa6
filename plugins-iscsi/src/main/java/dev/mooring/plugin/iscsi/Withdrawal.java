// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.SgPersist.Reservation;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import java.util.List;

/**
 * Takes a key of this node from a unit, over whatever paths are left. Sessions that ended without us, and paths that do not answer, have
 * registrations that only another registered path can remove: it preempts the node's own key. Targets differ in whether that spares the
 * path itself, so that it is unregistered too, and what counts is whether the key is listed afterwards.
 */
final class Withdrawal {
    private final SgPersist persist;
    private final String key;

    Withdrawal(SgPersist persist, String key) {
        this.persist = persist;
        this.key = key;
    }

    /**
     * Takes it away.
     *
     * @param paths all that there are, and first those that are likely to answer
     * @return done if the key is gone for sure
     */
    Outcome<Nothing> over(List<BlockDevice> paths) {
        return persist.answering(paths).then(answer -> {
            long registered = answer.keys().stream().filter(key::equals).count();
            // who was fenced has nothing left to give up, and must not register for it
            return registered == 0 ? Outcome.done() : over(answer.path(), registered, paths);
        });
    }

    private Outcome<Nothing> over(BlockDevice first, long registered, List<BlockDevice> paths) {
        if (registered > paths.size()) {
            // while the reservation is there: where it is ours, this path takes it and stays registered
            preempt(first);
        }
        boolean failed = false;
        for (BlockDevice path : paths) {
            failed |= !path.equals(first) && !unregistered(path);
        }
        if (failed) {
            preempt(first);
        }
        unregistered(first);
        return gone(first).isDone() ? Outcome.done() : thoroughly(first);
    }

    /** The path itself may never have been registered: its session is new, and the key that of an earlier one. */
    private Outcome<Nothing> thoroughly(BlockDevice path) {
        persist.register(path, key, false);
        preempt(path);
        unregistered(path);
        return gone(path);
    }

    private void preempt(BlockDevice path) {
        persist.preempt(path, key, key, Reservation.REGISTRANTS_ONLY);
    }

    /** Nothing of ours is left then that would have to survive a loss of power. */
    private boolean unregistered(BlockDevice path) {
        Outcome<Nothing> outcome = persist.unregister(path, key, false);
        return outcome.isDone() || outcome.isInUseElsewhere();
    }

    private Outcome<Nothing> gone(BlockDevice path) {
        return persist.keys(path)
                .then(keys -> keys.contains(key)
                        ? Outcome.uncertain("key 0x" + key + " is still registered")
                        : Outcome.done());
    }
}
