// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.EntryFiles;
import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.PinnedPath;
import java.util.Optional;

/**
 * What was made on a share, kept on the share itself: one file per volume, and one per place that names the volumes there. Every change
 * is durable before it is relied on; what cannot be read is never taken for nothing.
 */
final class ShareLedger {
    private static final int LIMIT = 65_536;
    private static final EntryFiles.Format<NfsLedgerEntry> VOLUME =
            new EntryFiles.Format<>(NfsLedgerEntry::write, NfsLedgerEntry::read, LIMIT);
    private static final EntryFiles.Format<PlaceEntry> PLACE =
            new EntryFiles.Format<>(PlaceEntry::write, PlaceEntry::read, LIMIT);

    private final EntryFiles<NfsLedgerEntry> volumes;
    private final EntryFiles<PlaceEntry> places;

    ShareLedger(PinnedPath volumes, PinnedPath places) {
        this.volumes = new EntryFiles<>(volumes, VOLUME);
        this.places = new EntryFiles<>(places, PLACE);
    }

    Outcome<Optional<NfsLedgerEntry>> find(String volume) {
        return volumes.find(file(volume), volume);
    }

    Outcome<Nothing> put(String volume, NfsLedgerEntry entry) {
        return volumes.put(file(volume), entry);
    }

    Outcome<Nothing> remove(String volume) {
        return volumes.remove(file(volume));
    }

    /** What is known of a place; empty if it is not of our making. */
    Outcome<Optional<PlaceEntry>> place(String path) {
        return places.find(Sha256.hex(path), path)
                .then(found -> found.filter(entry -> !entry.path().equals(path)).isPresent()
                        ? Outcome.refused(Refusal.CORRUPT, "the ledger mixes up " + path)
                        : Outcome.done(found));
    }

    Outcome<Nothing> putPlace(PlaceEntry entry) {
        return places.put(Sha256.hex(entry.path()), entry);
    }

    Outcome<Nothing> removePlace(String path) {
        return places.remove(Sha256.hex(path));
    }

    /** Takes a volume away from a place; the place is forgotten with its last volume. */
    Outcome<Nothing> leave(String path, String volume) {
        return place(path).then(found -> {
            if (found.isEmpty() || !found.get().owners().contains(volume)) {
                return Outcome.done();
            }
            PlaceEntry rest = found.get().without(volume);
            return rest.isVolume() ? putPlace(rest) : removePlace(path);
        });
    }

    private static String file(String volume) {
        return volume + ".json";
    }
}
