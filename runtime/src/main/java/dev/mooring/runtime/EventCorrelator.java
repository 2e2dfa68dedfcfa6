// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.ObjectKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which announcements become one Event, and which are dropped, by the rules of client-go's {@code EventCorrelator}: a repeated one only
 * counts; the tenth message of one reason about one object within ten minutes and those after it share an Event; who says too much
 * about one object is heard 25 times at once and then every five minutes. Remembers a bounded number of each, as client-go does, but of
 * messages their digests only: texts of 1 kB, nine of each, would fill 40 MB. Not thread-safe.
 */
final class EventCorrelator {
    /** How many of each are remembered; those that were not heard of for longest are forgotten. */
    static final int REMEMBERED = 4096;

    static final int SIMILAR_MESSAGES = 10;
    static final Duration SIMILAR_FOR = Duration.ofMinutes(10);
    static final int BURST = 25;
    static final Duration REFILL = Duration.ofMinutes(5);
    private static final String COMBINED = "(combined from similar events): ";

    private final Map<Similar, Messages> similar = new Recent<>(REMEMBERED);
    private final Map<Speaker, Tokens> speakers = new Recent<>(REMEMBERED);

    /**
     * What becomes of an announcement.
     *
     * @param identity equal for announcements that are one Event
     * @param message the Event's message
     */
    record Correlated(Object identity, String message) {}

    /** Finds the Event that an announcement belongs to. */
    Correlated correlate(Announcement news, Time now) {
        Similar group = Similar.of(news);
        Messages messages = similar.get(group);
        if (messages == null || now.monotonicNanos() - messages.lastNanos > SIMILAR_FOR.toNanos()) {
            messages = new Messages();
            similar.put(group, messages);
        }
        messages.lastNanos = now.monotonicNanos();
        long digest = digest(news.message());
        messages.different.add(digest);
        if (messages.different.size() < SIMILAR_MESSAGES) {
            return new Correlated(new Same(group, digest), news.message());
        }
        messages.different.remove(messages.different.iterator().next());
        return new Correlated(group, COMBINED + news.message());
    }

    /** Keeps ten messages apart. No adversary chooses them, so a short hash is enough. */
    private static long digest(String message) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(message.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(sum).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Whether one more Event about that object may be written for who says it now; counts it if so. */
    boolean mayWrite(Announcement news, Time now) {
        Tokens tokens = speakers.computeIfAbsent(Speaker.of(news), speaker -> new Tokens(BURST, now.monotonicNanos()));
        return tokens.take(now.monotonicNanos());
    }

    /** Who speaks about what. */
    private record Speaker(String component, String kind, ObjectKey object, String uid) {
        static Speaker of(Announcement news) {
            return new Speaker(
                    news.component(),
                    news.kind().apiVersion() + "/" + news.kind().name(),
                    news.object(),
                    news.uid());
        }
    }

    /** Announcements that differ in their messages only. */
    private record Similar(Speaker speaker, String type, String reason) {
        static Similar of(Announcement news) {
            return new Similar(Speaker.of(news), news.type(), news.reason());
        }
    }

    /** Equal announcements. */
    private record Same(Similar group, long digest) {}

    private static final class Messages {
        final Set<Long> different = new LinkedHashSet<>(SIMILAR_MESSAGES);
        long lastNanos;
    }

    /** A token bucket, in units of the time that one token takes. */
    private static final class Tokens {
        private long savedNanos;
        private long lastNanos;

        Tokens(int burst, long nowNanos) {
            this.savedNanos = burst * REFILL.toNanos();
            this.lastNanos = nowNanos;
        }

        boolean take(long nowNanos) {
            long full = BURST * REFILL.toNanos();
            long passed = Math.min(full, Math.max(0, nowNanos - lastNanos));
            lastNanos = nowNanos;
            savedNanos = Math.min(full, savedNanos + passed);
            if (savedNanos < REFILL.toNanos()) {
                return false;
            }
            savedNanos -= REFILL.toNanos();
            return true;
        }
    }

    /** A map that forgets what was not used for longest. */
    static final class Recent<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;
        private final int limit;

        Recent(int limit) {
            super(16, 0.75f, true);
            this.limit = limit;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > limit;
        }
    }
}
