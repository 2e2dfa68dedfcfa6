// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this process has seen of servers lately (semantics/plugins §2.4). Only saves waiting: without an entry the server is asked.
 * Thread-safe.
 */
final class Servers {
    /** A server that starts answers with refusals before it has registered everything. */
    private static final Duration STARTING = Duration.ofMinutes(2);

    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final Map<String, Instant> unsupportedSince = new ConcurrentHashMap<>();
    private final Map<String, Instant> silentSince = new ConcurrentHashMap<>();
    private final Map<String, Instant> askedSince = new ConcurrentHashMap<>();

    /** Notes that a server does not speak what is wanted; answers whether it may only be starting. */
    boolean maybeStarting(String server, Instant now) {
        Instant first = unsupportedSince.computeIfAbsent(server, name -> now);
        return now.isBefore(first.plus(STARTING));
    }

    /** Notes that a server answered. */
    void answered(String server) {
        unsupportedSince.remove(server);
        silentSince.remove(server);
        askedSince.remove(server);
    }

    /** Notes that a server is asked something; answers since when it owes an answer. */
    Instant asked(String server, Instant now) {
        return askedSince.computeIfAbsent(server, name -> now);
    }

    /** Notes that a server did not answer in time. */
    void silent(String server, Instant now) {
        silentSince.put(server, now);
    }

    /** Whether a server was silent so lately that it is not asked again. */
    boolean isSilent(String server, Instant now) {
        return Optional.ofNullable(silentSince.get(server))
                .filter(since -> now.isBefore(since.plus(SILENCE)))
                .isPresent();
    }
}
