// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.record;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The node's memory that outlives its process and its boot (semantics/attach-and-mount §7.3). One writer process; thread-safe within
 * it. An implementation may drop entries that a later one of the same key has replaced, and, with it, entries in phase {@link
 * RecordPhase#GONE}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface RecordLog {
    /**
     * Appends an entry and waits until it would survive a loss of power.
     *
     * @param entry the entry, never null
     * @return {@link Outcome.Done} if it is durable; {@link Outcome.Refused} or {@link Outcome.Deferred} if it surely was not written;
     *     {@link Outcome.Uncertain} if a replay may or may not show it. Appending the entry again is always allowed.
     */
    Outcome<Nothing> append(RecordEntry entry);

    /**
     * Reads the log; meant for the start of a process.
     *
     * @return the entries in the order in which they were appended, never null; unmodifiable
     * @throws java.io.UncheckedIOException if the log cannot be read or is damaged: then no controller may act on this node, since what is
     *     mounted is not known
     */
    List<RecordEntry> replay();

    /**
     * What stands after all these entries: of each key the latest one, unless that says {@link RecordPhase#GONE}.
     *
     * @param entries entries in the order in which they were appended
     * @return the entries by key, in the order in which the keys first appeared; mutable and the caller's own
     */
    static Map<String, RecordEntry> standing(Collection<? extends RecordEntry> entries) {
        Map<String, RecordEntry> standing = new LinkedHashMap<>();
        for (RecordEntry entry : entries) {
            if (entry.phase() == RecordPhase.GONE) {
                standing.remove(entry.key());
            } else {
                standing.put(entry.key(), entry);
            }
        }
        return standing;
    }
}
