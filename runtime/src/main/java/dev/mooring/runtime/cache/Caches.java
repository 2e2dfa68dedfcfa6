// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * The caches of one control loop. Kinds have no mutual order: that an object of one kind is absent here says nothing about what an
 * object of another kind refers to; only a live read does. Confined to the decider's thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Caches {
    /** What is kept of every object. */
    public static final FieldSelection IDENTITY =
            FieldSelection.of("metadata.name", "metadata.namespace", "metadata.uid", "metadata.resourceVersion");

    private final Map<Kind<?>, ObjectCache<?>> byKind = new LinkedHashMap<>();

    /**
     * Makes empty caches of whole objects.
     *
     * @param kinds the kinds to cache
     * @param listener called for every change, after the cache shows it
     */
    public Caches(Collection<Kind<?>> kinds, Consumer<ObjectChange<?>> listener) {
        this(kinds, kind -> FieldSelection.ALL, listener);
    }

    /**
     * Makes empty caches.
     *
     * @param kinds the kinds to cache
     * @param kept what is kept of the objects of a kind
     * @param listener called for every change, after the cache shows it
     */
    public Caches(
            Collection<Kind<?>> kinds, Function<Kind<?>, FieldSelection> kept, Consumer<ObjectChange<?>> listener) {
        this(kinds, kept, kind -> Interest.ALL, listener);
    }

    /**
     * Makes empty caches.
     *
     * @param kinds the kinds to cache
     * @param kept what is kept of the objects of a kind
     * @param interest which objects of a kind are followed
     * @param listener called for every change, after the cache shows it
     */
    public Caches(
            Collection<Kind<?>> kinds,
            Function<Kind<?>, FieldSelection> kept,
            Function<Kind<?>, Interest> interest,
            Consumer<ObjectChange<?>> listener) {
        for (Kind<?> kind : kinds) {
            byKind.computeIfAbsent(kind, k -> new ObjectCache<>(k, kept.apply(k), interest.apply(k), listener));
        }
    }

    /**
     * The cache of a kind.
     *
     * @throws IllegalArgumentException if no controller asked for that kind
     */
    @SuppressWarnings("unchecked") // a cache is stored under its own kind
    public <T extends KubernetesObject> ObjectCache<T> of(Kind<T> kind) {
        ObjectCache<?> cache = byKind.get(kind);
        if (cache == null) {
            throw new IllegalArgumentException("no controller watches " + kind);
        }
        return (ObjectCache<T>) cache;
    }

    /** The newest known version of an object. */
    public <T extends KubernetesObject> Optional<T> get(Kind<T> kind, ObjectKey key) {
        return of(kind).get(key);
    }

    /** Whether the absence of an object means something; see {@link ObjectCache#knows}. */
    public boolean knows(Kind<?> kind, ObjectKey key) {
        return of(kind).knows(key);
    }

    /** Whether a kind is cached here. */
    public boolean holds(Kind<?> kind) {
        return byKind.containsKey(kind);
    }

    /** The kinds cached, in a fixed order. */
    public Collection<Kind<?>> kinds() {
        return Collections.unmodifiableCollection(byKind.keySet());
    }

    /** Whether a whole list has been seen of each of the kinds. */
    public boolean synced(Collection<Kind<?>> kinds) {
        return kinds.stream().allMatch(kind -> of(kind).synced());
    }
}
