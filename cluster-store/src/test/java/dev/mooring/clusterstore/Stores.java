// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Stores for tests, what is put into them, and how they refuse it. */
final class Stores {
    static final Instant START = Instant.parse("2000-01-01T00:00:00Z");

    private Stores() {}

    static StoreOptions options() {
        return options(new Hands());
    }

    static StoreOptions options(InstantSource clock) {
        return StoreOptions.of(Kinds.standard(), clock, IdSource.random(new Random(1)));
    }

    /** A volume {@code a} as its author writes it. */
    static Document volume() {
        return Document.of(Map.of(
                "metadata", Map.of("name", "a"),
                "spec",
                        Map.of(
                                "capacity", Map.of("storage", "1Gi"),
                                "accessModes", List.of("ReadWriteOnce"),
                                "nfs", Map.of("server", "s", "path", "/p"))));
    }

    static void assertFailed(StoreResult<?> result, Failure failure, String message) {
        assertThat(result.failure()).as("%s", result).contains(failure);
        assertThat(result.<String>match(ok -> "", StoreResult.Failed::message)).contains(message);
    }

    /** A clock that is set by hand. */
    static final class Hands implements InstantSource {
        private volatile Instant now = START;

        @Override
        public Instant instant() {
            return now;
        }

        void advance(Duration duration) {
            now = now.plus(duration);
        }
    }
}
