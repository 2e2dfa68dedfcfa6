// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.EventSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes news for people into the store as core/v1 Events. The same news once more makes no further object: its count grows. Events
 * are an aid for people, so a failure to write one is logged and nothing else. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StoreEventSink implements EventSink {
    private static final Logger LOG = LoggerFactory.getLogger(StoreEventSink.class);
    private static final int REMEMBERED = 4096;
    private static final int NAME_LIMIT = 253;

    private final ClusterStore store;
    private final TimeSource time;
    private final Map<News, Event> written = new LinkedHashMap<>(16, 0.75f, true);
    private long lastSuffix;

    /**
     * Makes a sink that has written nothing yet.
     *
     * @param store where the events go; never closed by the sink
     * @param time tells when things happened
     */
    public StoreEventSink(ClusterStore store, TimeSource time) {
        this.store = store;
        this.time = time;
    }

    /** One write at a time, so that the same news from two threads is counted and not written twice. */
    @Override
    public synchronized void announce(Announcement announcement) {
        try {
            News news = News.of(announcement);
            Instant now = time.now().wall();
            Event last = written.get(news);
            StoreResult<Event> result = last == null ? create(announcement, now) : countUp(last, now);
            if (result.failure().filter(f -> f == Failure.NOT_FOUND).isPresent()) {
                result = create(announcement, now); // events expire, and a namespace may have been made again
            }
            result.match(event -> remember(news, event), failed -> {
                LOG.debug("no event about {}: {} {}", announcement.object(), failed.reason(), failed.message());
                written.remove(news); // what the store has now is not known
                return failed;
            });
        } catch (RuntimeException e) {
            LOG.debug("no event about {}", announcement.object(), e);
        }
    }

    private Event remember(News news, Event event) {
        written.put(news, event);
        if (written.size() > REMEMBERED) {
            written.remove(written.keySet().iterator().next()); // the one that was not repeated for longest
        }
        return event;
    }

    private StoreResult<Event> countUp(Event last, Instant now) {
        StoreResult<Event> result = update(last, now);
        if (result.failure().filter(f -> f == Failure.CONFLICT).isEmpty()) {
            return result;
        }
        StoreResult<Event> current = store.get(Kinds.EVENT, ObjectKey.of(last));
        return current.match(event -> update(event, now), failed -> current);
    }

    private StoreResult<Event> update(Event last, Instant now) {
        return store.update(
                Kinds.EVENT, new Change<>(last, last.withCount(last.count() + 1).withLastTimestamp(Optional.of(now))));
    }

    private StoreResult<Event> create(Announcement announcement, Instant now) {
        ObjectKey object = announcement.object();
        String namespace = object.namespace().isEmpty() ? "default" : object.namespace();
        ObjectMeta metadata = ObjectMeta.EMPTY.withNamespace(namespace).withName(name(object.name(), suffix(now)));
        ObjectReference about = ObjectReference.EMPTY
                .withKind(announcement.kind().name())
                .withApiVersion(announcement.kind().apiVersion())
                .withNamespace(object.namespace())
                .withName(object.name())
                .withUid(announcement.uid());
        return store.create(
                Kinds.EVENT,
                new Event(
                        metadata,
                        about,
                        announcement.reason(),
                        announcement.message(),
                        announcement.type(),
                        1,
                        Optional.of(now),
                        Optional.of(now),
                        EventSource.EMPTY.withComponent(announcement.component()),
                        announcement.component(),
                        "",
                        ""));
    }

    /** Nanoseconds, as Kubernetes' own recorders have it; two at one time differ all the same. */
    private String suffix(Instant now) {
        long nanos = Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L) + now.getNano();
        lastSuffix = Math.max(lastSuffix + 1, nanos);
        return Long.toHexString(lastSuffix);
    }

    private static String name(String object, String suffix) {
        int room = NAME_LIMIT - suffix.length() - 1;
        String prefix =
                object.length() <= room ? object : object.substring(0, room).replaceAll("[-.]+$", "");
        return prefix + "." + suffix;
    }

    /** What makes two announcements the same news. */
    private record News(
            String uid, ObjectKey object, String kind, String type, String reason, String message, String component) {
        static News of(Announcement announcement) {
            return new News(
                    announcement.uid(),
                    announcement.object(),
                    announcement.kind().name(),
                    announcement.type(),
                    announcement.reason(),
                    announcement.message(),
                    announcement.component());
        }
    }
}
