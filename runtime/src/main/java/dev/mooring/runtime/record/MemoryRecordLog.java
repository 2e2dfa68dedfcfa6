// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.record;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** A log that lives as long as its object: for tests and simulations, where the object survives what is crashed. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MemoryRecordLog implements RecordLog {
    private final List<RecordEntry> entries = new ArrayList<>();

    /** Makes an empty log. */
    public MemoryRecordLog() {}

    @Override
    public synchronized Outcome<Nothing> append(RecordEntry entry) {
        entries.add(entry);
        return Outcome.done();
    }

    @Override
    public synchronized List<RecordEntry> replay() {
        return List.copyOf(entries);
    }
}
