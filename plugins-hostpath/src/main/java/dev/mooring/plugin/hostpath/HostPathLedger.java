// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.EntryFiles;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.PinnedPath;
import java.util.Optional;

/** One file per volume in a directory that only root can write. Every change is durable before it is relied on. */
final class HostPathLedger {
    private static final EntryFiles.Format<HostPathLedgerEntry> FORMAT =
            new EntryFiles.Format<>(HostPathLedgerEntry::write, HostPathLedgerEntry::read, 4096);

    private final EntryFiles<HostPathLedgerEntry> entries;

    HostPathLedger(PinnedPath records) {
        this.entries = new EntryFiles<>(records, FORMAT);
    }

    /** The entry of a volume; empty if there is none; CORRUPT if it cannot be read, which is never taken for none. */
    Outcome<Optional<HostPathLedgerEntry>> find(String volume) {
        return entries.find(file(volume), volume);
    }

    Outcome<Nothing> put(String volume, HostPathLedgerEntry entry) {
        return entries.put(file(volume), entry);
    }

    Outcome<Nothing> remove(String volume) {
        return entries.remove(file(volume));
    }

    private static String file(String volume) {
        return volume + ".json";
    }
}
