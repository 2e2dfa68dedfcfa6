// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.testkit.watch.HostWatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The notes on one volume. */
final class KitNotes implements VolumeNotes {
    private final HostWatch watch;
    private final Map<String, String> notes = new TreeMap<>();

    KitNotes(HostWatch watch) {
        this.watch = watch;
    }

    @Override
    public synchronized Outcome<Optional<String>> find(String key) {
        return Outcome.done(Optional.ofNullable(notes.get(key)));
    }

    @Override
    public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
        return watch.change("writing the note " + key, () -> put(key, expected, value));
    }

    private synchronized Outcome<Nothing> put(String key, Optional<String> expected, String value) {
        Optional<String> there = Optional.ofNullable(notes.get(key));
        if (!there.equals(Optional.of(value)) && !there.equals(expected)) {
            return Outcome.refused(Refusal.INCOMPATIBLE, "the note " + key + " is another one");
        }
        notes.put(key, value);
        return Outcome.done();
    }

    synchronized List<String> lines() {
        return notes.entrySet().stream().map(Map.Entry::toString).toList();
    }
}
