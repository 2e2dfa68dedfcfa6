// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Mailbox;
import java.util.Optional;

/**
 * A controller's own mailbox, kept so that another controller of the same loop can post keys to it. Confined to the
 * decider.
 */
final class SharedMailbox {
    private Optional<Mailbox> mailbox = Optional.empty();

    /** Learns the mailbox; the one of a controller never changes its meaning. */
    void through(Mailbox own) {
        mailbox = Optional.of(own);
    }

    /** Asks for a decision. Before anything was observed there is nothing that it could be about. */
    void recheck(Key key) {
        mailbox.ifPresent(own -> own.recheck(key));
    }

    /** The same, because something that the key depends on has changed. */
    void inputChanged(Key key) {
        mailbox.ifPresent(own -> own.inputChanged(key));
    }
}
