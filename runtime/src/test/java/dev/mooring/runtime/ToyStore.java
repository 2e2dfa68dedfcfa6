// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A store of toys whose watches and failures are in a test's hand: it can be down, lose a watch's history, and throw. It delivers
 * events before it answers a write, knows kinds by their metadata only, and applies no rules.
 */
final class ToyStore implements ClusterStore {
    private final Map<Kind<?>, TreeMap<ObjectKey, KubernetesObject>> objects = new HashMap<>();
    private final List<Past<?>> history = new ArrayList<>();
    private final List<Following<?>> watches = new ArrayList<>();
    private final Function<KubernetesObject, Function<ObjectMeta, KubernetesObject>> copier;
    private long revision;
    private int uids;
    private long forgotten;
    private boolean down;
    private boolean broken;
    private int lists;
    private final List<ListOptions> asked = new ArrayList<>();
    private boolean choosy;
    private Optional<Duration> busy = Optional.empty();

    /** A store whose objects are copied with another metadata by a function. */
    ToyStore(Function<KubernetesObject, Function<ObjectMeta, KubernetesObject>> copier) {
        this.copier = copier;
    }

    synchronized void down(boolean isDown) {
        down = isDown;
    }

    synchronized void broken(boolean isBroken) {
        broken = isBroken;
    }

    /** Its next list is refused, with the wish to be left alone for so long. */
    synchronized void busy(Duration wait) {
        busy = Optional.of(wait);
    }

    synchronized int lists() {
        return lists;
    }

    /** How it was asked for lists. */
    synchronized List<ListOptions> asked() {
        return List.copyOf(asked);
    }

    /** From now on it forbids lists that select nothing. */
    synchronized void allowSelectionsOnly() {
        choosy = true;
    }

    synchronized int openWatches() {
        return watches.size();
    }

    /** Ends every watch; with GONE also forgets the history so far. */
    synchronized void endWatches(Failure reason) {
        if (reason == Failure.GONE) {
            forgotten = revision;
        }
        List<Following<?>> all = List.copyOf(watches);
        watches.clear();
        all.forEach(following -> following.listener.onEnd(reason, "ended by the test"));
    }

    /** From now on every watch is told that the history is gone, whatever it asks for. */
    synchronized void forgetAlways() {
        forgotten = Long.MAX_VALUE;
    }

    /** Is as it was at a revision, as a server whose database was restored from a backup. Its watches break. */
    synchronized void restore(long backup) {
        history.removeIf(past -> past.event.revision().value() > backup);
        revision = backup;
        objects.clear();
        for (Past<?> past : history) {
            KubernetesObject object = past.event.object();
            of(past.kind).remove(ObjectKey.of(object));
            if (past.event.type() != WatchEvent.Type.DELETED) {
                of(past.kind).put(ObjectKey.of(object), object);
            }
        }
        endWatches(Failure.UNAVAILABLE);
    }

    synchronized long revision() {
        return revision;
    }

    /** Tells every watch a revision. */
    synchronized void bookmark(long at) {
        List.copyOf(watches).forEach(following -> following.listener.onBookmark(new Revision(at)));
    }

    private void check() {
        if (broken) {
            throw new IllegalStateException("a defect of the store");
        }
    }

    private Map<ObjectKey, KubernetesObject> of(Kind<?> kind) {
        return objects.computeIfAbsent(kind, k -> new TreeMap<>());
    }

    private static <T> StoreResult<T> unavailable() {
        return StoreResult.failed(Failure.UNAVAILABLE, "down");
    }

    @Override
    public synchronized <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        check();
        if (down) {
            return unavailable();
        }
        KubernetesObject found = of(kind).get(key);
        return found == null
                ? StoreResult.failed(Failure.NOT_FOUND, "no " + key)
                : StoreResult.ok(kind.type().cast(found));
    }

    @Override
    public synchronized <T extends KubernetesObject> StoreResult<ObjectList<T>> list(
            Kind<T> kind, ListOptions options) {
        lists++;
        asked.add(options);
        check();
        if (choosy && options.fields().isEmpty()) {
            return StoreResult.failed(Failure.FORBIDDEN, "not all of them");
        }
        if (busy.isPresent()) {
            StoreResult<ObjectList<T>> refusal = new StoreResult.Failed<>(Failure.THROTTLED, "busy", busy);
            busy = Optional.empty();
            return refusal;
        }
        if (down) {
            return unavailable();
        }
        List<T> all = of(kind).values().stream().map(kind.type()::cast).toList();
        int begin = options.continueToken().isEmpty() ? 0 : Integer.parseInt(options.continueToken());
        int end = options.limit() == 0 ? all.size() : Math.min(all.size(), begin + options.limit());
        String next = end < all.size() ? Integer.toString(end) : "";
        return StoreResult.ok(new ObjectList<>(all.subList(begin, end), new Revision(revision), next));
    }

    @Override
    public synchronized <T extends KubernetesObject> Watch watch(
            Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
        check();
        if (after.value() < forgotten) {
            listener.onEnd(Failure.GONE, "forgotten");
            return () -> {};
        }
        Following<T> following = new Following<>(kind, after, listener);
        for (Past<?> past : history) {
            if (past.event.revision().isAfter(after)) {
                following.show(past.kind, past.event);
            }
        }
        watches.add(following);
        return () -> {
            synchronized (this) {
                watches.remove(following);
            }
        };
    }

    @Override
    public synchronized <T extends KubernetesObject> StoreResult<T> create(Kind<T> kind, T object) {
        check();
        if (down) {
            return unavailable();
        }
        ObjectKey key = ObjectKey.of(object);
        if (of(kind).containsKey(key)) {
            return StoreResult.failed(Failure.ALREADY_EXISTS, "there is " + key);
        }
        return StoreResult.ok(put(kind, WatchEvent.Type.ADDED, object, "uid-" + ++uids));
    }

    private <T extends KubernetesObject> T put(Kind<T> kind, WatchEvent.Type type, T object, String uid) {
        long at = ++revision;
        ObjectMeta metadata = object.metadata().withUid(uid).withResourceVersion(Long.toString(at));
        T stored = kind.type().cast(copier.apply(object).apply(metadata));
        of(kind).put(ObjectKey.of(stored), stored);
        tell(kind, new WatchEvent<>(type, stored, new Revision(at)));
        return stored;
    }

    private <T extends KubernetesObject> void tell(Kind<T> kind, WatchEvent<T> event) {
        history.add(new Past<>(kind, event));
        List.copyOf(watches).forEach(following -> following.show(kind, event));
    }

    @Override
    public synchronized <T extends KubernetesObject> StoreResult<T> update(Kind<T> kind, Change<T> change) {
        check();
        if (down) {
            return unavailable();
        }
        KubernetesObject now = of(kind).get(change.key());
        if (now == null) {
            return StoreResult.failed(Failure.NOT_FOUND, "no " + change.key());
        }
        if (!now.metadata().resourceVersion().equals(change.base().metadata().resourceVersion())) {
            return StoreResult.failed(Failure.CONFLICT, "changed since");
        }
        return StoreResult.ok(put(
                kind, WatchEvent.Type.MODIFIED, change.edited(), now.metadata().uid()));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> updateStatus(Kind<T> kind, Change<T> change) {
        return update(kind, change);
    }

    @Override
    public synchronized <T extends KubernetesObject> StoreResult<Deletion<T>> delete(
            Kind<T> kind, ObjectKey key, DeleteOptions options) {
        Optional<T> last = Optional.ofNullable(of(kind).remove(key)).map(kind.type()::cast);
        if (last.isEmpty()) {
            return StoreResult.failed(Failure.NOT_FOUND, "no " + key);
        }
        Revision at = new Revision(++revision);
        tell(kind, new WatchEvent<>(WatchEvent.Type.DELETED, last.get(), at));
        return StoreResult.ok(new Deletion<>(last.get(), true, at));
    }

    @Override
    public void close() {
        throw new IllegalStateException("only its owner closes a store");
    }

    private record Past<T extends KubernetesObject>(Kind<T> kind, WatchEvent<T> event) {}

    /** Silent about what lies before the revision from which it begins, also if that has not come yet. */
    private record Following<T extends KubernetesObject>(Kind<T> kind, Revision after, WatchListener<T> listener) {
        void show(Kind<?> of, WatchEvent<?> event) {
            if (of == kind && event.revision().isAfter(after)) {
                listener.onEvent(new WatchEvent<>(event.type(), kind.type().cast(event.object()), event.revision()));
            }
        }
    }
}
