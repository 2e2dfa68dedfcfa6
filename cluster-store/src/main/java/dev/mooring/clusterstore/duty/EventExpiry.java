// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Deletes Events that were not repeated for a time. All of them are one key, so that there is one timer, at the time of the next one; an
 * Event that is repeated while the timer runs is looked at once without need. A version is named as precondition: an Event that was told
 * again unseen stays.
 */
final class EventExpiry implements Controller {
    private static final Key KEY = new Key("events", ObjectKey.cluster("all"));
    private static final int DELETIONS_AT_ONCE = 100;

    private final Duration lifetime;
    private final TreeSet<Entry> byTime = new TreeSet<>(ORDER);

    EventExpiry(Duration lifetime) {
        this.lifetime = lifetime;
    }

    private record Entry(Instant told, ObjectKey event) {}

    private static final Comparator<Entry> ORDER =
            Comparator.comparing(Entry::told).thenComparing(Entry::event);

    @Override
    public String name() {
        return "event-expiry";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.EVENT);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        ObjectChange<Event> news = change.as(Kinds.EVENT);
        Instant first = byTime.isEmpty() ? Instant.MAX : byTime.first().told();
        news.before().ifPresent(event -> byTime.remove(entry(event)));
        news.after().ifPresent(event -> byTime.add(entry(event)));
        if (byTime.isEmpty() || byTime.first().told().isBefore(first)) {
            mailbox.recheck(KEY);
        }
    }

    private static Entry entry(Event event) {
        Instant told = Stream.of(
                        event.lastTimestamp(),
                        event.firstTimestamp(),
                        event.metadata().creationTimestamp())
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
        return new Entry(told, ObjectKey.of(event));
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        List<Effect> deletions = new ArrayList<>();
        Instant latest = situation.now().wall().minus(lifetime);
        for (Entry entry : byTime) {
            if (entry.told().isAfter(latest)) {
                Decision decision = Decision.act(deletions.toArray(new Effect[0]));
                return decision.wakeAfter(Duration.between(latest, entry.told()));
            }
            if (deletions.size() == DELETIONS_AT_ONCE) {
                break; // their results wake the key
            }
            situation.caches().get(Kinds.EVENT, entry.event()).ifPresent(event -> deletions.add(delete(event)));
        }
        return Decision.act(deletions.toArray(new Effect[0]));
    }

    private static Effect delete(Event event) {
        return new Effect.Delete<>(
                "expire",
                Kinds.EVENT,
                ObjectKey.of(event),
                DeleteOptions.exactly(
                        event.metadata().uid(), Revision.parse(event.metadata().resourceVersion())));
    }
}
