// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A link that a log may keep. */
class LoginTicketTest {
    private Duration passed = Duration.ZERO;
    private final TimeSource time = () -> new Time(Instant.EPOCH.plus(passed), passed.toNanos());

    private LoginTicket ticket() {
        return new LoginTicket(new SecureRandom(), time);
    }

    @Test
    void isGoodForOneLogin() {
        LoginTicket ticket = ticket();
        assertThat(ticket.redeem("")).isFalse();
        assertThat(ticket.redeem(ticket.text() + "x")).isFalse();
        assertThat(ticket.redeem(ticket.text())).isTrue();
        assertThat(ticket.redeem(ticket.text())).isFalse();
    }

    @Test
    void isGoodForAShortTime() {
        LoginTicket ticket = ticket();
        passed = LoginTicket.LIFETIME;
        assertThat(ticket.redeem(ticket.text())).isFalse();
    }

    @Test
    void isHardToGuess() {
        assertThat(ticket().text()).hasSizeGreaterThan(40).isNotEqualTo(ticket().text());
    }
}
