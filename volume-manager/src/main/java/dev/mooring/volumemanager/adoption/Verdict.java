// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.adoption;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.List;

/**
 * What becomes of a mount without a record.
 *
 * @param entries the records it has to have; what it is itself comes first; empty if it cannot be told
 * @param why for people; empty if there are records
 * @param unnamed whether nothing names it: neither the cluster nor its plugin, and its pod is gone
 */
record Verdict(List<RecordEntry> entries, String why, boolean unnamed) {
    /** Copies the list. */
    Verdict {
        entries = List.copyOf(entries);
    }

    static Verdict of(RecordEntry entry) {
        return new Verdict(List.of(entry), "", false);
    }

    static Verdict none(String why) {
        return new Verdict(List.of(), why, false);
    }

    /** The same where no plugin knows it either; a plugin that cannot tell now may know it later. */
    static Verdict unnamed(Outcome<Recognised> answer) {
        return new Verdict(List.of(), answer.message(), answer.isRefused(Refusal.NOT_FOUND));
    }
}
