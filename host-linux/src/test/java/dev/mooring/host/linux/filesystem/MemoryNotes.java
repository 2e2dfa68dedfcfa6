// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Notes as the annotations of a PersistentVolume are, with everything that was ever written. */
final class MemoryNotes implements VolumeNotes {
    final Map<String, String> values = new ConcurrentHashMap<>();
    final List<String> history = new ArrayList<>();

    @Override
    public Outcome<Optional<String>> find(String key) {
        return Outcome.done(Optional.ofNullable(values.get(key)));
    }

    @Override
    public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
        Optional<String> there = Optional.ofNullable(values.get(key));
        if (!there.equals(Optional.of(value))) {
            if (!there.equals(expected)) {
                return Outcome.refused(Refusal.INCOMPATIBLE, "another note: " + there);
            }
            values.put(key, value);
            history.add(value);
        }
        return Outcome.done();
    }
}
