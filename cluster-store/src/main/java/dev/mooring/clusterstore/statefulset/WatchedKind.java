// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.DocumentListener;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind, from a watch and from the answers to our own writes. Watch events wait until they are asked
 * for: everything but that is confined to one thread.
 */
final class WatchedKind implements AutoCloseable {
    private final DocumentStore store;
    private final Kind<?> kind;
    private final Predicate<Document> kept;
    private final Runnable wake;
    private final Map<String, TreeMap<String, Document>> byNamespace = new HashMap<>();
    /** The uids of objects that our own writes have removed, until the watch tells of it. */
    private final Map<ObjectKey, String> removed = new HashMap<>();

    private final ConcurrentLinkedQueue<Runnable> news = new ConcurrentLinkedQueue<>();
    private Consumer<Document> hearer = object -> {};
    private @Nullable Watch watch;
    private long life;
    private boolean follows;

    /**
     * Makes an instance that does not watch yet.
     *
     * @param kept which objects are of interest
     * @param wake called by any thread when an event has come
     */
    WatchedKind(DocumentStore store, Kind<?> kind, Predicate<Document> kept, Runnable wake) {
        this.store = store;
        this.kind = kind;
        this.kept = kept;
        this.wake = wake;
    }

    /** Sets what gets each object that was, or is no more. */
    void tell(Consumer<Document> newHearer) {
        hearer = newHearer;
    }

    /** Whether all that there is is known, and changes are heard of. */
    boolean follows() {
        return follows;
    }

    /** Lists and watches from the beginning, if it does not; answers whether that is so now. */
    boolean follow() {
        if (follows) {
            return true;
        }
        return store.listDocuments(kind)
                .value()
                .map(list -> {
                    Map<String, TreeMap<String, Document>> before = new HashMap<>(byNamespace);
                    byNamespace.clear();
                    removed.clear();
                    list.items().forEach(this::put);
                    before.values().forEach(objects -> objects.values().forEach(hearer));
                    follows = true;
                    life++;
                    watch = store.watchDocuments(kind, ListOptions.ALL, list.revision(), new Listener(life));
                    return true;
                })
                .orElse(false);
    }

    /** Takes in the watch's events; answers whether there were any. */
    boolean takeNews() {
        boolean any = false;
        for (Runnable next = news.poll(); next != null; next = news.poll()) {
            next.run();
            any = true;
        }
        return any;
    }

    /** An object as it is now, unless a later state is known. */
    void put(Document object) {
        if (!kept.test(object) || Fields.uid(object).equals(removed.get(keyOf(object)))) {
            return;
        }
        TreeMap<String, Document> objects =
                byNamespace.computeIfAbsent(Fields.namespace(object), namespace -> new TreeMap<>());
        Document known = objects.get(Fields.name(object));
        if (known == null || !version(known).isAfter(version(object))) {
            objects.put(Fields.name(object), object);
            hearer.accept(object);
        }
    }

    /** A write of our own has removed an object: what the watch still tells of its life before that is out of date. */
    void remove(Document object) {
        if (get(keyOf(object)).isPresent()) {
            removed.put(keyOf(object), Fields.uid(object));
            drop(object);
        }
    }

    private void drop(Document object) {
        TreeMap<String, Document> objects = byNamespace.get(Fields.namespace(object));
        if (objects != null && objects.remove(Fields.name(object)) != null) {
            hearer.accept(object);
        }
    }

    private static ObjectKey keyOf(Document object) {
        return ObjectKey.of(Fields.namespace(object), Fields.name(object));
    }

    private static Revision version(Document object) {
        return Revision.parse(Fields.resourceVersion(object));
    }

    Optional<Document> get(ObjectKey key) {
        return Optional.ofNullable(named(key.namespace()).get(key.name()));
    }

    /** The objects of a namespace whose names begin so; a prefix ends with a dash. */
    Map<String, Document> startingWith(String namespace, String prefix) {
        return named(namespace).subMap(prefix, prefix.substring(0, prefix.length() - 1) + '.');
    }

    /** All objects of a namespace by name, as they are known at each look. */
    Map<String, Document> of(String namespace) {
        return Collections.unmodifiableMap(named(namespace));
    }

    private NavigableMap<String, Document> named(String namespace) {
        return byNamespace.getOrDefault(namespace, new TreeMap<>());
    }

    private void take(WatchEvent.Type type, Document object, Revision revision) {
        if (type != WatchEvent.Type.DELETED) {
            put(object);
            return;
        }
        removed.remove(keyOf(object), Fields.uid(object));
        Optional<Document> known = get(keyOf(object));
        if (known.filter(each -> !version(each).isAfter(revision)).isPresent()) {
            drop(object);
        }
    }

    @Override
    public void close() {
        follows = true; // nothing more is to be begun
        life++;
        if (watch != null) {
            watch.close();
        }
    }

    private final class Listener implements DocumentListener {
        private final long ofLife;

        Listener(long ofLife) {
            this.ofLife = ofLife;
        }

        private void later(Runnable piece) {
            news.add(() -> {
                if (life == ofLife) {
                    piece.run();
                }
            });
            wake.run();
        }

        @Override
        public void onEvent(WatchEvent.Type type, Document object, Revision revision) {
            later(() -> take(type, object, revision));
        }

        @Override
        public void onBookmark(Revision revision) {
            // says nothing of objects
        }

        @Override
        public void onEnd(Failure reason, String message) {
            later(() -> follows = false);
        }
    }
}
