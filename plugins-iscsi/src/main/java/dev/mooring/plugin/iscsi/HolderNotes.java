// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads and writes what is noted of a volume's reservation. */
final class HolderNotes {
    private static final int TRIES = 3;

    private final IscsiCall call;

    HolderNotes(IscsiCall call) {
        this.call = call;
    }

    Outcome<HolderNote> read() {
        return call.context().notes().find(HolderNote.NAME).map(HolderNotes::parsed);
    }

    private static HolderNote parsed(Optional<String> text) {
        return HolderNote.parse(text.orElse(""));
    }

    /**
     * For the node that comes next, should this one be lost: a hint, which is not worth failing for. But a note that this node has let go
     * would have that one take the key of a volume in use.
     */
    Outcome<Nothing> held(String key, NodeRef node) {
        Outcome<Nothing> written = change(before -> HolderNote.of(key, node));
        if (written.isDone() || written.isRefused(Refusal.UNSUPPORTED)) {
            return Outcome.done();
        }
        String what = "who holds the reservation could not be noted: " + written.message();
        return read().map(note -> note.released().contains(key) ? Outcome.<Nothing>deferred(what) : said(what))
                .recoverRefused(refused -> Outcome.done(said(what)))
                .result()
                .orElseGet(() -> Outcome.deferred(what));
    }

    private Outcome<Nothing> said(String what) {
        call.context().report(Notice.warning("HolderNotNoted", what));
        return Outcome.done();
    }

    /**
     * Keys of this node may be left at the target: the next holder has to know. The volume stays here only while that may still be noted.
     * No other node gets it then either: the node reports that it is gone to the same server.
     */
    Outcome<Nothing> released(List<String> keys, String why) {
        String what = "a registration may remain at the target: " + why;
        Outcome<Nothing> written = change(before -> before.withReleased(keys));
        boolean over = written.isDone() || written.isRefused();
        if (!over) {
            return Outcome.deferred(what + "; and that could not be noted: " + written.message());
        }
        boolean said = written.isDone() || written.isRefused(Refusal.UNSUPPORTED);
        return said(said ? what : what + "; and that could not be noted: " + written.message());
    }

    /** Another writer may come between. */
    private Outcome<Nothing> change(UnaryOperator<HolderNote> change) {
        VolumeNotes notes = call.context().notes();
        Outcome<Nothing> written = Outcome.done();
        for (int i = 0; i < TRIES && (i == 0 || written.isRefused(Refusal.INCOMPATIBLE)); i++) {
            written = notes.find(HolderNote.NAME)
                    .then(there -> notes.write(
                            HolderNote.NAME, there, change.apply(parsed(there)).text()));
        }
        return written;
    }
}
