// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The annotations of one volume. */
public final class Notes implements VolumeNotes {
    public final Map<String, String> all = new ConcurrentHashMap<>();

    @Override
    public Outcome<Optional<String>> find(String key) {
        return Outcome.done(Optional.ofNullable(all.get(key)));
    }

    @Override
    public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
        Optional<String> there = Optional.ofNullable(all.get(key));
        if (!there.equals(expected) && !there.equals(Optional.of(value))) {
            return Outcome.refused(Refusal.INCOMPATIBLE, key + " is " + there);
        }
        all.put(key, value);
        return Outcome.done();
    }
}
