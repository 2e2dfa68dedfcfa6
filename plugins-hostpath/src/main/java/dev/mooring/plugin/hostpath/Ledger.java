// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One file per volume in a directory that only root can write. Every change is durable before it is relied on. */
final class Ledger {
    private static final int MODE = 0600;
    private static final int LIMIT = 4096;

    private final PinnedPath records;

    Ledger(PinnedPath records) {
        this.records = records;
    }

    /** The entry of a volume; empty if there is none; CORRUPT if it cannot be read, which is never taken for none. */
    Outcome<Optional<LedgerEntry>> find(String volume) {
        return records.readFile(file(volume), LIMIT).then(content -> {
            if (content.isEmpty()) {
                return Outcome.done(Optional.empty());
            }
            Optional<LedgerEntry> entry = LedgerEntry.read(new String(content.get(), StandardCharsets.UTF_8));
            return entry.isPresent()
                    ? Outcome.done(entry)
                    : Outcome.refused(Refusal.CORRUPT, "the ledger entry of " + volume + " cannot be read");
        });
    }

    Outcome<Nothing> put(String volume, LedgerEntry entry) {
        return records.writeFile(file(volume), entry.write().getBytes(StandardCharsets.UTF_8), MODE);
    }

    Outcome<Nothing> remove(String volume) {
        return records.removeFile(file(volume));
    }

    private static String file(String volume) {
        return volume + ".json";
    }
}
