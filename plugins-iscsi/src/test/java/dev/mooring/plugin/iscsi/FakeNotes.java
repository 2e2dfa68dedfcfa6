// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import java.util.Map;
import java.util.Optional;

/** The annotations of a volume's object, at a server that may be away. */
final class FakeNotes implements VolumeNotes {
    private final Map<String, String> annotations;
    private final Server server;

    FakeNotes(Map<String, String> annotations, Server server) {
        this.annotations = annotations;
        this.server = server;
    }

    /** What becomes of every question, and of every change. */
    static final class Server {
        Outcome<Nothing> reads = Outcome.done();
        Outcome<Nothing> writes = Outcome.done();

        void all(Outcome<Nothing> outcome) {
            reads = outcome;
            writes = outcome;
        }
    }

    @Override
    public Outcome<Optional<String>> find(String key) {
        return server.reads.map(nothing -> Optional.ofNullable(annotations.get(key)));
    }

    @Override
    public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
        return server.writes.then(nothing -> {
            Optional<String> there = Optional.ofNullable(annotations.get(key));
            if (!there.equals(expected) && !there.equals(Optional.of(value))) {
                return Outcome.refused(Refusal.INCOMPATIBLE, "the note is " + there);
            }
            annotations.put(key, value);
            return Outcome.done();
        });
    }
}
