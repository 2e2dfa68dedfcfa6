// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.HandTime;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The correlation of events")
class EventCorrelatorTest {
    private final HandTime time = new HandTime();
    private final EventCorrelator correlator = new EventCorrelator();

    private static Announcement news(String uid, String reason, String message, boolean warning, String component) {
        return new Announcement(
                Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("ns", "c"), uid, warning, reason, message, component);
    }

    private static Announcement news(String message) {
        return news("u", "R", message, true, "binder");
    }

    private EventCorrelator.Correlated correlate(Announcement news) {
        return correlator.correlate(news, time.now());
    }

    @ParameterizedTest(name = "{0}, {1}, {2}, {3}, {4}: the same {5}")
    @CsvSource({
        "u, R, m, true,  binder,  true",
        "v, R, m, true,  binder,  false",
        "u, S, m, true,  binder,  false",
        "u, R, n, true,  binder,  false",
        "u, R, m, false, binder,  false",
        "u, R, m, true,  another, false",
    })
    @DisplayName("is the same Event if object, reason, message, type and component are the same")
    void identity(String uid, String reason, String message, boolean warning, String component, boolean same) {
        Object first = correlate(news("u", "R", "m", true, "binder")).identity();
        Object second =
                correlate(news(uid, reason, message, warning, component)).identity();
        assertThat(second.equals(first)).isEqualTo(same);
    }

    /** Messages of one reason, each so many seconds after the one before, and how many Events they are. */
    @ParameterizedTest(name = "{0} messages, {1} s apart: {2} events, {3} of them combined")
    @CsvSource({
        "9,   0,   9, 0",
        "10,  0,  10, 1",
        "11,  0,  10, 1",
        "500, 0,  10, 1",
        "500, 60, 10, 1",
        "500, 600, 10, 1",
        "50,  601, 50, 0",
    })
    @DisplayName("combines from the tenth message on that comes within ten minutes of the one before")
    void combination(int messages, int secondsApart, int events, int combined) {
        Set<Object> identities = new HashSet<>();
        Set<Object> combinedOnes = new HashSet<>();
        for (int i = 0; i < messages; i++) {
            EventCorrelator.Correlated correlated = correlate(news("message " + i));
            identities.add(correlated.identity());
            if (correlated.message().equals("(combined from similar events): message " + i)) {
                combinedOnes.add(correlated.identity());
            } else {
                assertThat(correlated.message()).isEqualTo("message " + i);
            }
            time.pass(Duration.ofSeconds(secondsApart));
        }
        assertThat(identities).hasSize(events);
        assertThat(combinedOnes).hasSize(combined);
    }

    @Test
    @DisplayName("keeps no texts")
    void keepsNoTexts() {
        for (int i = 0; i < 9; i++) {
            EventCorrelator.Correlated correlated = correlate(news("a long story " + i));
            assertThat(correlated.identity().toString()).doesNotContain("story");
            assertThat(correlated.identity())
                    .isEqualTo(correlate(news("a long story " + i)).identity());
        }
    }

    @Test
    @DisplayName("never combines what only repeats")
    void repetition() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(correlate(news("message " + i % 9)).message()).isEqualTo("message " + i % 9);
        }
    }

    @Test
    @DisplayName("lets 25 through at once, then one every five minutes, at most 25 saved")
    void spam() {
        assertThat(heard(100)).isEqualTo(25);
        time.pass(Duration.ofMinutes(5).minusNanos(1));
        assertThat(heard(100)).isZero();
        time.pass(Duration.ofNanos(1));
        assertThat(heard(100)).isEqualTo(1);
        time.pass(Duration.ofMinutes(17));
        assertThat(heard(100)).isEqualTo(3);
        time.pass(Duration.ofMinutes(3));
        assertThat(heard(100)).isEqualTo(1);
        time.pass(Duration.ofDays(300));
        assertThat(heard(100)).isEqualTo(25);
    }

    private int heard(int times) {
        return (int) IntStream.range(0, times)
                .filter(i -> correlator.mayWrite(news("message " + i), time.now()))
                .count();
    }

    @Test
    @DisplayName("hears other sources, and news of other objects, while one source spams")
    void others() {
        assertThat(heard(100)).isEqualTo(25);
        for (Announcement other : List.of(news("v", "R", "m", true, "binder"), news("u", "R", "m", true, "another"))) {
            assertThat(correlator.mayWrite(other, time.now())).isTrue();
        }
        assertThat(correlator.mayWrite(news("u", "S", "m", false, "binder"), time.now()))
                .as("another reason is no other speaker")
                .isFalse();
    }

    @Test
    @DisplayName("forgets who was not heard of for longest")
    void bounded() {
        assertThat(heard(100)).isEqualTo(25);
        for (int i = 0; i < EventCorrelator.REMEMBERED; i++) {
            correlator.mayWrite(news("uid " + i, "R", "m", true, "binder"), time.now());
        }
        assertThat(heard(100)).isEqualTo(25);
    }
}
