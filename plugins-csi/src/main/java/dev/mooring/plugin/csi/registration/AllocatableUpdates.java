// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * When registered drivers are asked again how many volumes the node takes: as often as {@code nodeAllocatableUpdatePeriodSeconds} of their
 * CSIDriver says (semantics/csi §5.3). Not thread-safe: confined to the registry.
 */
final class AllocatableUpdates {
    /** When it is looked again whether a CSIDriver says so that did not. */
    static final Duration UNSAID = Duration.ofMinutes(10);

    private final InstantSource clock;
    private final Map<String, Instant> due = new TreeMap<>();
    /** Drivers that had no room while they were asked: the answer may be older. */
    private final Set<String> fullMeanwhile = new HashSet<>();

    AllocatableUpdates(InstantSource clock) {
        this.clock = clock;
    }

    /** A driver has registered: its CSIDriver is looked at. */
    void registered(String driver) {
        due.put(driver, clock.instant());
    }

    /** A driver has no room for a volume: it is asked at once, or once it has answered. */
    void full(String driver) {
        if (Instant.MAX.equals(due.get(driver))) {
            fullMeanwhile.add(driver);
        } else {
            due.computeIfPresent(driver, (name, before) -> clock.instant());
        }
    }

    /** A driver may have had no room while its attachments were not watched: all are asked. */
    void anyMayBeFull() {
        List.copyOf(due.keySet()).forEach(this::full);
    }

    /** A driver has gone. */
    void left(String driver) {
        due.remove(driver);
        fullMeanwhile.remove(driver);
    }

    /** When the first is due; empty if none will be. */
    Optional<Instant> next() {
        return due.values().stream().min(Instant::compareTo);
    }

    /** Takes out those that are due, until they are {@linkplain #done done}. */
    List<String> take() {
        Instant now = clock.instant();
        List<String> names = due.entrySet().stream()
                .filter(entry -> !entry.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
        // far ahead, so that a driver that leaves meanwhile differs from one that is asked
        names.forEach(name -> due.put(name, Instant.MAX));
        return names;
    }

    /**
     * A driver was asked, or its CSIDriver wants nothing.
     *
     * @param period what the CSIDriver says; empty if it says nothing
     */
    void done(String driver, Optional<Duration> period) {
        Duration rest = fullMeanwhile.remove(driver) ? Duration.ZERO : period.orElse(UNSAID);
        due.computeIfPresent(driver, (name, before) -> clock.instant().plus(rest));
    }
}
