// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who has shown the token, for how long. */
class SessionsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final TimeSource time = () -> new Time(Instant.EPOCH, nanos.get());
    private final Sessions sessions = new Sessions(new SecureRandom(), time);

    @Test
    void endWithTheirTime() {
        String id = sessions.open();
        nanos.addAndGet(Sessions.LIFETIME.toNanos() - 1);
        assertThat(sessions.isOpen(id)).isTrue();
        nanos.addAndGet(1);
        assertThat(sessions.isOpen(id)).isFalse();
    }

    @Test
    void endWhenClosedAndHarmNoOther() {
        String one = sessions.open();
        String other = sessions.open();
        sessions.close(one);
        assertThat(sessions.isOpen(one)).isFalse();
        assertThat(sessions.isOpen(other)).isTrue();
        assertThat(sessions.isOpen("")).isFalse();
    }

    @Test
    void areNeverTooMany() {
        String first = sessions.open();
        String second = sessions.open();
        for (int i = 0; i < 99; i++) {
            sessions.open();
        }
        assertThat(sessions.isOpen(first)).isFalse();
        assertThat(sessions.isOpen(second)).isTrue();
    }
}
