// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How long a login takes. {@code iscsiadm} only asks for it: its end does not end the login, which {@code iscsid} goes on with until
 * it has tried often enough (semantics/plugins §3.2). Pure.
 */
final class Login {
    /** How long one attempt takes. */
    static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** How often it is tried again. */
    static final int REPETITIONS = 2;

    /** How long the tool may take. */
    static final Duration LIMIT = Duration.ofSeconds(150);

    /** From the tool's end on: all attempts, and as much again for what lies between them. */
    static final Duration GOES_ON = TIMEOUT.multipliedBy(2L * (1 + REPETITIONS));

    /** From the tool's start on. */
    static final Duration LONGEST = LIMIT.plus(GOES_ON);

    private Login() {}

    /** The one of two doubts that lasts longer. */
    static Optional<Doubt> later(Optional<Doubt> one, Optional<Doubt> other) {
        return Stream.concat(one.stream(), other.stream()).max(Comparator.comparing(Doubt::until));
    }

    /**
     * Says that a login with an unknown end may still become a session.
     *
     * @param until when it must have ended
     * @param boot the machine's boot, empty if it is not known. After the next boot the login is gone
     */
    record Doubt(Instant until, String boot) {
        private static final String SEPARATOR = "@";

        /** Whether there may still be a session. What lies too far ahead was noted before the clock was set back. */
        boolean mayComeTrue(Instant now, String bootNow) {
            return boot.equals(bootNow) && until.isAfter(now) && !until.isAfter(now.plus(LONGEST));
        }

        String text() {
            return until.getEpochSecond() + SEPARATOR + boot;
        }

        static Doubt parse(String text) {
            int at = text.indexOf(SEPARATOR);
            return new Doubt(Instant.ofEpochSecond(Long.parseLong(text.substring(0, at))), text.substring(at + 1));
        }
    }
}
