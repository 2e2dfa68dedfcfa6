// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.Interception;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.runtime.StoreRequests;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Duties on a real store, on one thread, with time that only moves when told. Without an order, news come before decisions, as they happened. */
final class DutyWorld {
    private static final int TOO_MUCH = 100_000;

    final List<WriteRecord> writes = new ArrayList<>();
    final List<String> announced = new ArrayList<>(); // reasons of events
    final LoopCounters counters = new LoopCounters();
    final List<Kind<?>> held = new ArrayList<>(); // kinds whose news do not come through
    Predicate<Kind<?>> unreadable = kind -> false;
    Interception fault = Interception.PROCEED;
    final MemoryClusterStore store;

    private final ClusterStore ours;
    private final Deque<News> inbox = new ArrayDeque<>();
    private final Deque<Dispatch> effects = new ArrayDeque<>();
    private final ControlLoop loop;
    private final @Nullable Random order;
    private long nanos;

    private record News(Kind<?> kind, Runnable work) {}

    DutyWorld(Controller... duties) {
        this(null, duties);
    }

    DutyWorld(@Nullable Random order, Controller... duties) {
        this.order = order;
        store = new MemoryClusterStore(StoreOptions.of(Kinds.standard(), this::wall, IdSource.random(new Random(1)))
                .withInterceptor(request -> request.client().equals("duties") ? fault : Interception.PROCEED)
                .withWrites(write -> {
                    if (write.client().equals("duties")) {
                        writes.add(write);
                    }
                }));
        ours = store.as("duties");
        loop = new ControlLoop(List.of(duties), () -> new Time(wall(), nanos), new Random(1), counters, effects::add);
        loop.lead(1);
        loop.caches().kinds().forEach(this::list);
    }

    private <T extends KubernetesObject> void list(Kind<T> kind) {
        ObjectList<T> listed = ours.list(kind, ListOptions.ALL).orThrow();
        inbox.add(new News(kind, () -> loop.listed(kind, listed.items(), listed.revision())));
        ours.watch(kind, ListOptions.ALL, listed.revision(), new Feed<>(kind));
    }

    Instant wall() {
        return Instant.parse("2000-01-01T00:00:00Z").plusNanos(nanos);
    }

    /** Works until there is nothing left to do now. */
    DutyWorld settle() {
        for (int i = 0; i < TOO_MUCH; i++) {
            if (!step()) {
                return this;
            }
        }
        throw new AssertionError(
                "no rest; the last writes: " + writes.subList(Math.max(0, writes.size() - 5), writes.size()));
    }

    private boolean step() {
        int choice = order == null ? 0 : order.nextInt(3);
        for (int i = 0; i < 3; i++) {
            boolean done = switch ((choice + i) % 3) {
                case 0 -> takeIn();
                case 1 -> loop.decideNext();
                default -> carryOut();
            };
            if (done) {
                return true;
            }
        }
        return false;
    }

    /** News of one kind come in their order, of different kinds in any. */
    private boolean takeIn() {
        List<Kind<?>> kinds = inbox.stream()
                .<Kind<?>>map(News::kind)
                .distinct()
                .filter(kind -> !held.contains(kind))
                .toList();
        if (kinds.isEmpty()) {
            return false;
        }
        Kind<?> kind = kinds.get(order == null ? 0 : order.nextInt(kinds.size()));
        News news =
                inbox.stream().filter(each -> each.kind() == kind).findFirst().orElseThrow();
        inbox.remove(news);
        news.work().run();
        return true;
    }

    private boolean carryOut() {
        Dispatch dispatch = effects.poll();
        if (dispatch == null) {
            return false;
        }
        if (dispatch.effect() instanceof dev.mooring.runtime.control.Effect.Announce announce) {
            announced.add(announce.announcement().reason());
            return true;
        }
        StoreResult<?> result = isUnreadable(dispatch)
                ? StoreResult.failed(StoreResult.Failure.UNAVAILABLE, "planted")
                : StoreRequests.carryOut(ours, dispatch.effect());
        loop.completed(dispatch, new EffectResult.Stored(dispatch.effect(), result), true);
        return true;
    }

    private boolean isUnreadable(Dispatch dispatch) {
        if (dispatch.effect() instanceof dev.mooring.runtime.control.Effect.Read<?> read) {
            return unreadable.test(read.kind());
        }
        return dispatch.effect() instanceof dev.mooring.runtime.control.Effect.ListLive<?> list
                && unreadable.test(list.kind());
    }

    /** Lets time pass; whatever is due on the way happens at its time. */
    DutyWorld advance(Duration duration) {
        long end = nanos + duration.toNanos();
        settle();
        while (true) {
            OptionalLong timer = loop.nextTimerNanos();
            if (timer.isEmpty() || timer.getAsLong() > end) {
                nanos = end;
                return this;
            }
            nanos = Math.max(nanos, timer.getAsLong());
            loop.fireTimers();
            settle();
        }
    }

    boolean hasTimer() {
        return loop.nextTimerNanos().isPresent();
    }

    // ---- what others do ----

    static Map<String, Object> meta(String namespace, String name) {
        Map<String, Object> meta = new LinkedHashMap<>();
        meta.put("name", name);
        if (!namespace.isEmpty()) {
            meta.put("namespace", namespace);
        }
        return meta;
    }

    Document create(Kind<?> kind, Document object) {
        return store.createDocument(kind, object).orThrow();
    }

    Document config(String namespace, String name, Document... owners) {
        return config(namespace, name, true, owners);
    }

    Document config(String namespace, String name, boolean blocking, Document... owners) {
        Map<String, Object> meta = meta(namespace, name);
        List<Object> references = new ArrayList<>();
        for (Document owner : owners) {
            references.add(reference(owner, blocking));
        }
        meta.put("ownerReferences", references);
        return create(Kinds.CONFIG_MAP, Document.of(Map.of("metadata", meta)));
    }

    static Map<String, Object> reference(Document owner, boolean blocking) {
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("apiVersion", owner.text("apiVersion").orElse("v1"));
        reference.put("kind", owner.text("kind").orElseThrow());
        reference.put("name", owner.text("metadata", "name").orElseThrow());
        reference.put("uid", owner.text("metadata", "uid").orElseThrow());
        reference.put("blockOwnerDeletion", blocking);
        return reference;
    }

    DutyWorld finalizers(Kind<?> kind, ObjectKey key, String... finalizers) {
        store.patchDocument(kind, key, "", Document.empty().with(List.of(finalizers), "metadata", "finalizers"))
                .orThrow();
        return this;
    }

    DutyWorld delete(Kind<?> kind, ObjectKey key) {
        return delete(kind, key, Propagation.BACKGROUND);
    }

    DutyWorld delete(Kind<?> kind, ObjectKey key, Propagation propagation) {
        store.deleteObject(kind, key, new DeleteOptions("", Optional.empty(), Optional.empty(), propagation))
                .orThrow();
        return this;
    }

    Optional<Document> find(Kind<?> kind, ObjectKey key) {
        return store.getDocument(kind, key).value();
    }

    List<String> names(Kind<?> kind) {
        return store.listDocuments(kind).orThrow().items().stream()
                .map(object -> object.text("metadata", "name").orElseThrow())
                .toList();
    }

    private final class Feed<T extends KubernetesObject> implements WatchListener<T> {
        private final Kind<T> kind;

        Feed(Kind<T> kind) {
            this.kind = kind;
        }

        @Override
        public void onEvent(WatchEvent<T> event) {
            inbox.add(new News(kind, () -> loop.caches().of(kind).heard(event)));
        }

        @Override
        public void onBookmark(Revision revision) {
            // nothing happened
        }

        @Override
        public void onEnd(StoreResult.Failure reason, String message) {
            throw new AssertionError("the watch of " + kind + " ended: " + message);
        }
    }
}
