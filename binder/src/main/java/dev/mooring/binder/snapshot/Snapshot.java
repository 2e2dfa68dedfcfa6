// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.snapshot;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectCache;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A cluster's objects at one time: a dump, or a copy of a runtime's caches. Kinds that are not in it count as absent, so what depends on
 * them is not told. Unmodifiable once made; safe for use by one thread at a time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Snapshot {
    private final Caches objects;
    private final Instant takenAt;

    private Snapshot(Caches objects, Instant takenAt) {
        this.objects = objects;
        this.takenAt = takenAt;
    }

    /**
     * Of objects that were listed elsewhere; of two with one name the last counts, and kinds that storage does not need are left out.
     *
     * @param takenAt when they were like this
     */
    public static Snapshot of(Collection<? extends KubernetesObject> listed, Instant takenAt) {
        Caches caches = new Caches(Kinds.standard().all(), change -> {});
        for (Kind<?> kind : caches.kinds()) {
            fill(caches, kind, listed);
        }
        return new Snapshot(caches, takenAt);
    }

    private static <T extends KubernetesObject> void fill(
            Caches caches, Kind<T> kind, Collection<? extends KubernetesObject> listed) {
        ObjectCache<T> cache = caches.of(kind);
        for (KubernetesObject object : listed) {
            if (kind.type().isInstance(object)) {
                cache.put(kind.type().cast(object), Origin.WATCH);
            }
        }
        cache.settle();
    }

    /**
     * Of objects that may change after a question has been answered, but not while it is.
     *
     * @param objects all kinds that are asked for; others count as absent
     * @param takenAt when they were like this
     */
    public static Snapshot over(Caches objects, Instant takenAt) {
        return new Snapshot(objects, takenAt);
    }

    /**
     * What a runtime knows, for a snapshot that is made and asked on another thread. To be called on the decider's thread, which is held up
     * for no more than copying references.
     */
    public static List<KubernetesObject> objectsOf(Caches caches) {
        List<KubernetesObject> objects = new ArrayList<>();
        caches.kinds().forEach(kind -> objects.addAll(caches.of(kind).all()));
        return objects;
    }

    /** When the objects were like this. */
    public Instant takenAt() {
        return takenAt;
    }

    /** One object. */
    public <T extends KubernetesObject> Optional<T> get(Kind<T> kind, ObjectKey key) {
        return objects.get(kind, key);
    }

    /** All objects of a kind, in order of their keys. */
    public <T extends KubernetesObject> Collection<T> all(Kind<T> kind) {
        return objects.of(kind).all();
    }

    /** The objects as the caches that deciders read; not to be changed. */
    public Caches caches() {
        return objects;
    }

    /** The first time at which people were told something about an object, as far as events are kept. */
    public Optional<Instant> firstTold(KubernetesObject object, String reason) {
        return eventsAbout(object, reason).stream()
                .map(event -> event.firstTimestamp().or(() -> event.metadata().creationTimestamp()))
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /** The newest message about an object, as far as events are kept. */
    public Optional<String> lastMessage(KubernetesObject object, String reason) {
        return eventsAbout(object, reason).stream()
                .max((one, other) -> last(one).compareTo(last(other)))
                .map(Event::message);
    }

    /**
     * The newest event about an object for one of some reasons, as far as events are kept.
     *
     * @param kind the object's kind
     */
    public Optional<Event> lastEvent(Kind<?> kind, KubernetesObject object, Collection<String> reasons) {
        return reasons.stream()
                .flatMap(reason -> eventsAbout(object, reason).stream())
                .filter(event -> event.involvedObject().kind().isEmpty()
                        || event.involvedObject().kind().equals(kind.name()))
                .max((one, other) -> last(one).compareTo(last(other)));
    }

    private static Instant last(Event event) {
        return event.lastTimestamp()
                .or(event::firstTimestamp)
                .or(() -> event.metadata().creationTimestamp())
                .orElse(Instant.EPOCH);
    }

    private List<Event> eventsAbout(KubernetesObject object, String reason) {
        return all(Kinds.EVENT).stream()
                .filter(event -> event.reason().equals(reason)
                        && event.involvedObject()
                                .name()
                                .equals(object.metadata().name())
                        && event.involvedObject()
                                .namespace()
                                .equals(object.metadata().namespace()))
                .toList();
    }
}
