// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What became of the tries to register one driver. Tries that fail for a passing reason are repeated after 500 ms and then twice as long each
 * time, up to ten seconds; what a person has to mend is tried again every two minutes, or at once when the socket is another one. Not
 * thread-safe: confined to the registry.
 */
final class Attempts {
    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration MENDING = Duration.ofMinutes(2);

    private final String identity;
    private final InstantSource clock;
    private Optional<Driver> driver = Optional.empty();
    private Optional<Instant> next;
    private Duration wait = FIRST;
    private boolean running;
    private String told = "";

    /**
     * No try yet; the first one is due.
     *
     * @param identity distinguishes the socket from one that takes its place
     */
    Attempts(String identity, InstantSource clock) {
        this.identity = identity;
        this.clock = clock;
        this.next = Optional.of(clock.instant());
    }

    /** Whether these are about a socket, and not about one that was there before. */
    boolean isOf(String other) {
        return identity.equals(other);
    }

    /** The driver that is registered; empty if none is. */
    Optional<Driver> driver() {
        return driver;
    }

    /** When the next try is due; empty if none is, or one runs. */
    Optional<Instant> due() {
        return running ? Optional.empty() : next;
    }

    /** A try begins. */
    void begin() {
        running = true;
    }

    /**
     * A try has ended.
     *
     * @return the events that are due now, and were not written before
     */
    Optional<String> end(Outcome<Driver> outcome) {
        running = false;
        if (outcome.isDone()) {
            driver = outcome.result();
            next = Optional.empty();
            told = "";
            return Optional.empty();
        }
        boolean helpless = outcome.isRefused() || outcome.isInUseElsewhere();
        next = Optional.of(clock.instant().plus(helpless ? MENDING : wait));
        wait = wait.multipliedBy(2).compareTo(LONGEST) < 0 ? wait.multipliedBy(2) : LONGEST;
        boolean news = !outcome.message().equals(told);
        told = outcome.message();
        return news ? Optional.of(told) : Optional.empty();
    }
}
