// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Defects;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.EventBuilder;
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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes announcements into the store as core/v1 Events, as many and as few of them as Kubernetes' recorders do: the same news once
 * more makes no further object, its count grows; ten similar messages share one; and who repeats himself too often is not heard (the
 * rules of client-go's {@code EventCorrelator}).
 *
 * <p>Events are an aid for people: a failure to write one is logged and nothing else, and is not tried again but once after a conflict.
 * One is written at a time. While a thread does so, other threads leave their announcements to it and return at once; a thousand may wait,
 * what comes then is dropped. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StoreEventSink implements EventSink {
    private static final Logger LOG = LoggerFactory.getLogger(StoreEventSink.class);
    private static final int WAITING = 1_000;
    private static final int NAME_LIMIT = 253;

    private final ClusterStore store;
    private final TimeSource time;
    private final Queue<Announcement> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unwritten = new AtomicInteger();

    // By the one thread that writes at a time; handed over by the counter.
    private final EventCorrelator correlator = new EventCorrelator();
    private final Map<Object, Written> written = new EventCorrelator.Recent<>(EventCorrelator.REMEMBERED);
    private long lastSuffix;

    /**
     * Makes a sink that has written nothing yet.
     *
     * @param store where the events go; never closed by the sink
     * @param time says when things happened
     */
    public StoreEventSink(ClusterStore store, TimeSource time) {
        this.store = store;
        this.time = time;
    }

    /** An Event as it was last written, and how often it was announced, which is more often if some were not written. */
    private record Written(Optional<Event> event, long count) {
        static final Written NEVER = new Written(Optional.empty(), 0);
    }

    @Override
    public void announce(Announcement announcement) {
        if (unwritten.get() > WAITING) {
            LOG.debug("too many events wait; none about {}", announcement.object());
            return;
        }
        waiting.add(announcement);
        if (unwritten.getAndIncrement() > 0) {
            return; // the writing thread takes it along
        }
        do {
            write(Objects.requireNonNull(waiting.poll()));
        } while (unwritten.decrementAndGet() > 0);
    }

    private void write(Announcement announcement) {
        try {
            Time now = time.now();
            EventCorrelator.Correlated news = correlator.correlate(announcement, now);
            Written before = written.getOrDefault(news.identity(), Written.NEVER);
            Written counted = new Written(before.event(), before.count() + 1);
            written.put(news.identity(), counted);
            if (correlator.mayWrite(announcement, now)) {
                write(announcement, news, counted, now.wall());
            }
        } catch (Throwable defect) { // else what waits behind it would never be written
            Defects.throwTheMachines(defect);
            LOG.debug("no event about {}", announcement.object(), defect);
        }
    }

    private void write(Announcement announcement, EventCorrelator.Correlated news, Written counted, Instant now) {
        StoreResult<Event> result = counted.event()
                .map(last -> countUp(last, news.message(), counted.count(), now))
                .orElseGet(() -> create(announcement, news.message(), counted.count(), now));
        if (counted.event().isPresent()
                && result.failure().filter(f -> f == Failure.NOT_FOUND).isPresent()) {
            // Events expire; the announcements continue, as those of client-go's recorder do.
            result =
                    store.create(Kinds.EVENT, told(asNew(counted.event().get()), news.message(), counted.count(), now));
        }
        boolean succeeded = result.match(
                event -> {
                    // The next message is written over this one whatever it is, so it need not be kept.
                    written.put(news.identity(), new Written(Optional.of(event.withMessage("")), event.count()));
                    return true;
                },
                failed -> {
                    LOG.debug("no event about {}: {} {}", announcement.object(), failed.reason(), failed.message());
                    return false;
                });
        if (!succeeded) {
            written.remove(news.identity()); // what the store has now is not known
        }
    }

    private StoreResult<Event> countUp(Event last, String message, long count, Instant now) {
        StoreResult<Event> result = update(last, message, count, now);
        if (result.failure().filter(f -> f == Failure.CONFLICT).isEmpty()) {
            return result;
        }
        return store.get(Kinds.EVENT, ObjectKey.of(last))
                .then(event -> update(event, message, Math.max(count, event.count() + 1), now));
    }

    private StoreResult<Event> update(Event last, String message, long count, Instant now) {
        return store.update(Kinds.EVENT, new Change<>(last, told(last, message, count, now)));
    }

    private static Event told(Event last, String message, long count, Instant now) {
        return last.withCount(count).withMessage(message).withLastTimestamp(Optional.of(now));
    }

    private static Event asNew(Event last) {
        return last.withMetadata(ObjectMeta.EMPTY
                .withNamespace(last.metadata().namespace())
                .withName(last.metadata().name()));
    }

    private StoreResult<Event> create(Announcement announcement, String message, long count, Instant now) {
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
                EventBuilder.builder()
                        .metadata(metadata)
                        .involvedObject(about)
                        .reason(announcement.reason())
                        .message(message)
                        .type(announcement.type())
                        .count(count)
                        .firstTimestamp(now)
                        .lastTimestamp(now)
                        .source(EventSource.EMPTY.withComponent(announcement.component()))
                        .reportingComponent(announcement.component())
                        .reportingInstance("")
                        .action("")
                        .build());
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
}
