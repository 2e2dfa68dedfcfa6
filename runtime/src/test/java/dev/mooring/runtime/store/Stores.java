// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.store;

import dev.mooring.storage.model.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;

/** Stores for tests. */
final class Stores {
    static final Instant START = Instant.parse("2000-01-01T00:00:00Z");

    private Stores() {}

    static StoreOptions options() {
        return options(new Hands());
    }

    static StoreOptions options(InstantSource clock) {
        return StoreOptions.of(Kinds.standard(), clock, IdSource.random(new Random(1)));
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
