// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.WatchEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The newest known version of every object of one kind.
 *
 * <p>Changes arrive in any order: own writes at once, watch events late, a list in between. The rules: an
 * older or equal revision is ignored, and so is one that the watch has already passed; an own deletion leaves a tombstone, so
 * that events from before it do not bring the object back; a list at revision R removes only what was cached at R or before; a
 * same-named object with another uid is a deletion, then an addition. A list of a revision before the last one shown is that of a store
 * that was restored from a backup: the cache begins again. Confined to the decider's thread; objects are immutable.
 *
 * @param <T> the kind's type
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ObjectCache<T extends KubernetesObject> {
    private final Kind<T> kind;
    private final FieldSelection kept;
    private final Consumer<ObjectChange<?>> listener;
    private final Interest interest;
    private final Map<ObjectKey, T> objects = new TreeMap<>();
    /** How far all objects are followed at once; of no use where each is followed on its own. */
    private final Progress whole = new Progress();
    /** How far each object is followed that is followed on its own. */
    private final Map<ObjectKey, Progress> single = new HashMap<>();

    private boolean synced;

    /** How far a list and its watch have come. */
    private static final class Progress {
        final Map<String, Revision> tombstonesByUid = new HashMap<>();
        /** What a live read missed, and the version that was known until then. */
        final Map<String, Revision> absentByUid = new HashMap<>();

        Revision shown = Revision.ZERO;
        boolean listed;

        void bury(String uid, Revision revision) {
            if (revision.isAfter(shown)) {
                tombstonesByUid.merge(uid, revision, (a, b) -> a.isAfter(b) ? a : b);
            }
        }

        /** Tombstones up to the revision have done their duty. */
        void seen(Revision revision) {
            if (revision.isAfter(shown)) {
                shown = revision;
            }
            if (!tombstonesByUid.isEmpty()) {
                tombstonesByUid.values().removeIf(tombstone -> !tombstone.isAfter(revision));
            }
        }
    }

    /**
     * Makes an empty cache of whole objects.
     *
     * @param kind the kind
     * @param listener called for every change, after the cache shows it
     */
    public ObjectCache(Kind<T> kind, Consumer<ObjectChange<?>> listener) {
        this(kind, FieldSelection.ALL, listener);
    }

    /**
     * Makes an empty cache.
     *
     * @param kind the kind
     * @param kept what is kept of an object; the others of its fields read as absent
     * @param listener called for every change, after the cache shows it
     */
    public ObjectCache(Kind<T> kind, FieldSelection kept, Consumer<ObjectChange<?>> listener) {
        this(kind, kept, Interest.ALL, listener);
    }

    /**
     * Makes an empty cache.
     *
     * @param kind the kind
     * @param kept what is kept of an object; the others of its fields read as absent
     * @param interest which objects are followed
     * @param listener called for every change, after the cache shows it
     */
    public ObjectCache(Kind<T> kind, FieldSelection kept, Interest interest, Consumer<ObjectChange<?>> listener) {
        this.kind = kind;
        this.kept = kept;
        this.interest = interest;
        this.listener = listener;
    }

    private Optional<Progress> progress(ObjectKey key) {
        return interest.oneByOne() ? Optional.ofNullable(single.get(key)) : Optional.of(whole);
    }

    /** Which objects are followed. */
    public Interest interest() {
        return interest;
    }

    /**
     * Whether a list has said something about this object, so that its absence means that it was not there then. Always true where objects
     * are not followed one by one: nothing is decided before the whole list has been seen.
     */
    public boolean knows(ObjectKey key) {
        return !interest.oneByOne()
                || progress(key).filter(followed -> followed.listed).isPresent();
    }

    /** Begins to follow one object; nothing is known of it until {@link #replace(ObjectKey, Optional, Revision)}. */
    public void follow(ObjectKey key) {
        single.putIfAbsent(key, new Progress());
    }

    /** Follows an object no longer: what is known of it is forgotten, which says nothing about the object. */
    public void release(ObjectKey key) {
        single.remove(key);
        T known = objects.remove(key);
        if (known != null) {
            tell(key, Optional.of(known), Optional.empty(), Origin.RELEASED);
        }
    }

    /** Says that enough has been seen to decide. */
    public void settle() {
        synced = true;
    }

    /** The kind cached. */
    public Kind<T> kind() {
        return kind;
    }

    /** What is kept of an object. */
    public FieldSelection kept() {
        return kept;
    }

    /** Whether a whole list has been seen; where objects are followed one by one, whether those needed at the start have been. */
    public boolean synced() {
        return synced;
    }

    /** The newest known version of an object. */
    public Optional<T> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    /** All objects in order of namespace, then name; a live view, unmodifiable. */
    public Collection<T> all() {
        return Collections.unmodifiableCollection(objects.values());
    }

    /** How many objects are known. */
    public int size() {
        return objects.size();
    }

    /**
     * Learns a version of an object.
     *
     * @return whether it changed the cache
     */
    public boolean put(T object, Origin origin) {
        // The answer to a write or a read may come in after the watch has shown what happened next, even the object's
        // deletion, which nothing would ever show again.
        Optional<Progress> progress = progress(ObjectKey.of(object));
        boolean passed = progress.filter(followed -> !followed.shown.equals(Revision.ZERO)
                        && !revisionOf(object).isAfter(followed.shown))
                .isPresent();
        return progress.isPresent() && !passed && learn(object, origin, progress.get());
    }

    private boolean learn(T shownObject, Origin origin, Progress progress) {
        T object = kind.keep(shownObject, kept);
        ObjectKey key = ObjectKey.of(object);
        Revision revision = revisionOf(object);
        Revision tombstone = progress.tombstonesByUid.get(object.metadata().uid());
        if (progress.absentByUid.containsKey(object.metadata().uid())
                || (tombstone != null && !revision.isAfter(tombstone))) {
            return false;
        }
        T known = objects.get(key);
        if (known != null && !revision.isAfter(revisionOf(known))) {
            return false;
        }
        // Of an object that the selection has not shown no watch would ever say that it has gone.
        boolean selected = origin == Origin.WATCH || interest.shows().test(shownObject);
        if (known != null && !isVersionOf(known, object)) {
            objects.remove(key);
            tell(key, Optional.of(known), Optional.empty(), origin);
            if (!selected) {
                return true;
            }
            known = null;
        }
        if (!selected) {
            return false;
        }
        objects.put(key, object);
        tell(key, Optional.ofNullable(known), Optional.of(object), origin);
        return true;
    }

    private static boolean isVersionOf(@Nullable KubernetesObject known, KubernetesObject object) {
        return known != null && known.metadata().uid().equals(object.metadata().uid());
    }

    /** Learns what a watch shows, after everything that it showed before: an object as it is now, or that it has gone. */
    public void heard(WatchEvent<T> event) {
        T object = event.object();
        ObjectKey key = ObjectKey.of(object);
        if (event.type() == WatchEvent.Type.DELETED) {
            remove(key, object.metadata().uid(), event.revision(), Origin.WATCH);
        } else {
            put(object, Origin.WATCH);
        }
        progress(key).ifPresent(followed -> followed.seen(event.revision()));
    }

    /**
     * Learns that an object has gone.
     *
     * @param uid the uid of the object that went
     * @param revision the revision of its deletion
     * @return whether it changed the cache
     */
    public boolean remove(ObjectKey key, String uid, Revision revision, Origin origin) {
        progress(key).ifPresent(followed -> {
            if (origin == Origin.WATCH) {
                followed.tombstonesByUid.remove(uid); // nothing older can follow
                followed.absentByUid.remove(uid);
            } else {
                followed.bury(uid, revision);
            }
        });
        T known = objects.get(key);
        if (known == null
                || !known.metadata().uid().equals(uid)
                || revisionOf(known).isAfter(revision)) {
            return false;
        }
        objects.remove(key);
        tell(key, Optional.of(known), Optional.empty(), origin);
        return true;
    }

    /**
     * Learns from a live read that there is no object of this name, whatever version is known now. Only for a read that was begun
     * after the last change came in; otherwise see {@link #absent(ObjectKey, String)}.
     */
    public boolean absent(ObjectKey key) {
        T known = objects.get(key);
        return known != null && absent(key, known.metadata().uid());
    }

    /**
     * Learns from a live read that an object has gone. What was created under its name while the answer was on its way stays.
     *
     * @param uid the uid of the object that was known when the read began
     * @return whether it changed the cache
     */
    public boolean absent(ObjectKey key, String uid) {
        T known = objects.get(key);
        Optional<Progress> progress = progress(key);
        if (known == null || progress.isEmpty()) {
            return false;
        }
        if (!known.metadata().uid().equals(uid)) {
            // It went before its successor came: every version of it is older than that.
            progress.get().bury(uid, revisionOf(known));
            return false;
        }
        // Changes that the watch has yet to show may lie between the known version and the deletion, whose revision
        // not reported: no version of this uid counts any more, until the watch or a list shows that it has gone.
        progress.get().absentByUid.put(uid, revisionOf(known));
        objects.remove(key);
        tell(key, Optional.of(known), Optional.empty(), Origin.READ);
        return true;
    }

    /**
     * Learns a whole list, which was begun after the last event of a watch came in. If its revision lies before that event's, the store
     * has gone back in time: what was known of its future counts for nothing, and the list alone is true.
     */
    public void replace(Collection<T> listed, Revision revision) {
        replace(whole, objects.values(), listed, revision);
        synced = true;
    }

    /**
     * Learns the list of one object that is followed on its own, by the same rules.
     *
     * @param listed the object; absent if the list does not show it
     */
    public void replace(ObjectKey key, Optional<T> listed, Revision revision) {
        progress(key)
                .ifPresent(followed -> replace(
                        followed,
                        Optional.ofNullable(objects.get(key)).stream().toList(),
                        listed.stream().toList(),
                        revision));
    }

    private void replace(Progress progress, Collection<T> before, Collection<T> listed, Revision revision) {
        boolean wentBack = progress.shown.isAfter(revision);
        if (wentBack) {
            progress.tombstonesByUid.clear();
            progress.absentByUid.clear();
            progress.shown = revision;
        }
        progress.listed = true; // before listeners are told, which may ask
        Set<String> uids = new HashSet<>();
        for (T object : listed) {
            uids.add(object.metadata().uid());
        }
        // A list from before an object was created does not show it either.
        progress.absentByUid.entrySet().removeIf(a -> !a.getValue().isAfter(revision) && !uids.contains(a.getKey()));
        List<T> gone = new ArrayList<>();
        for (T known : before) {
            // By uid: a listed object of that name may be one that was deleted since, which replaces no other.
            if (!uids.contains(known.metadata().uid())
                    && (wentBack || !revisionOf(known).isAfter(revision))) {
                gone.add(known);
            }
        }
        for (T object : gone) {
            objects.remove(ObjectKey.of(object));
            tell(ObjectKey.of(object), Optional.of(object), Optional.empty(), Origin.WATCH);
        }
        for (T object : listed) {
            if (wentBack) {
                restore(object);
            } else {
                learn(object, Origin.WATCH, progress);
            }
        }
        progress.seen(revision);
    }

    /** Takes an object of the past for the present one, however new the known version seems. */
    private void restore(T shownObject) {
        T object = kind.keep(shownObject, kept);
        ObjectKey key = ObjectKey.of(object);
        Optional<T> known = Optional.ofNullable(objects.put(key, object));
        if (!known.equals(Optional.of(object))) {
            tell(key, known, Optional.of(object), Origin.WATCH);
        }
    }

    /** Learns that the watch has shown everything up to a revision: tombstones up to it have done their duty. */
    public void seen(Revision revision) {
        whole.seen(revision);
    }

    /** The same for the watch of one object that is followed on its own. */
    public void seen(ObjectKey key, Revision revision) {
        progress(key).ifPresent(followed -> followed.seen(revision));
    }

    /** How many deletions are remembered; for tests. */
    int tombstoneCount() {
        return whole.tombstonesByUid.size() + whole.absentByUid.size();
    }

    /** A copy that does not change, in order of namespace, then name. */
    public Map<ObjectKey, T> snapshot() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(objects));
    }

    private void tell(ObjectKey key, Optional<T> before, Optional<T> after, Origin origin) {
        listener.accept(new ObjectChange<>(kind, key, before, after, origin));
    }

    private static Revision revisionOf(KubernetesObject object) {
        return Revision.parse(object.metadata().resourceVersion());
    }
}
