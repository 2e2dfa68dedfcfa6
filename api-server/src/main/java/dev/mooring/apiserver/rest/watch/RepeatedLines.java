// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Lines of the log that a client can cause at will. The first is logged at once, and repetitions are counted. The first one that comes a
 * quarter of an hour after the last logged one is logged with the number of those between. Thread-safe.
 */
public final class RepeatedLines {
    private static final Duration PAUSE = Duration.ofMinutes(15);
    /** They name places in the code, so there are few; more than this are not read. */
    private static final int MOST = 50;

    private final InstantSource clock;
    private final Consumer<String> log;
    private final Map<String, Told> told = new HashMap<>();

    /**
     * Starts without any.
     *
     * @param log takes the lines
     */
    public RepeatedLines(InstantSource clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
    }

    private record Told(Instant at, long since) {}

    /** Tells or counts a line. */
    public synchronized void add(String line) {
        Instant now = clock.instant();
        Told last = told.get(line);
        if (last == null) {
            if (told.size() < MOST) {
                told.put(line, new Told(now, 0));
                log.accept(line);
            }
        } else if (Duration.between(last.at(), now).abs().compareTo(PAUSE) < 0) {
            told.put(line, new Told(last.at(), last.since() + 1));
        } else {
            told.put(line, new Told(now, 0));
            log.accept(last.since() == 0 ? line : line + " (and " + last.since() + " times since " + last.at() + ")");
        }
    }
}
