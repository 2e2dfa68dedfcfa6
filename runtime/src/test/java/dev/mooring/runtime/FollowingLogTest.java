// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.Kinds;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** How loudly failures to follow objects are told. */
class FollowingLogTest {
    private static final long SECOND = 1_000_000_000L;

    private long nanos;
    private final FollowingLog log = new FollowingLog(() -> new Time(Instant.EPOCH, nanos));

    @Test
    void ofEachKindOneInHalfAMinuteIsAWarning() {
        assertThat(log.level(Kinds.PERSISTENT_VOLUME)).isEqualTo(Level.WARN);
        nanos = 29 * SECOND;
        assertThat(log.level(Kinds.PERSISTENT_VOLUME)).isEqualTo(Level.DEBUG);
        assertThat(log.level(Kinds.PERSISTENT_VOLUME_CLAIM)).isEqualTo(Level.WARN);
        nanos = 30 * SECOND;
        assertThat(log.level(Kinds.PERSISTENT_VOLUME)).isEqualTo(Level.WARN);
    }
}
