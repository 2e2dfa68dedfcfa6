// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.Interception;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.runtime.StoreRequests;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A binder and a scheduler on a real store, on one thread and with time that only moves when told. Chance decides what comes next: a
 * watch event, a decision, or the end of any effect under way. The process can be made to die before or after any write.
 */
final class SchedulingWorld {
    private static final int TOO_MUCH = 200_000;

    /** What happens to a write. */
    enum Fate {
        GOES_THROUGH,
        CONFLICT,
        UNAVAILABLE,
        ANSWER_LOST,
        DIES_BEFORE,
        DIES_AFTER
    }

    final MemoryClusterStore store;
    final List<Announcement> news = new ArrayList<>();
    final List<WriteRecord> writes = new ArrayList<>();
    final LoopCounters counters = new LoopCounters();
    private final NoDefect noDefect = new NoDefect(counters, new ArrayList<>());
    IntFunction<Fate> fate = write -> Fate.GOES_THROUGH;
    Runnable afterWrite = () -> {};
    int deaths;

    private final Supplier<Controller> scheduler;
    private final ClusterStore ours;
    private final Random random;
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private final Deque<Dispatch> effects = new ArrayDeque<>();
    private final List<Watch> watches = new ArrayList<>();
    private Fate current = Fate.GOES_THROUGH;
    private long nanos;
    private int generation;
    private int attempts;
    private ControlLoop loop;

    SchedulingWorld(long seed, Supplier<Controller> scheduler) {
        this.scheduler = scheduler;
        random = new Random(seed);
        store = new MemoryClusterStore(StoreOptions.of(Kinds.standard(), this::wall, IdSource.random(new Random(seed)))
                .withInterceptor(request -> request.client().equals("controllers") ? fault() : Interception.PROCEED)
                .withWrites(write -> {
                    if (write.client().equals("controllers")) {
                        writes.add(write);
                    }
                }));
        ours = store.as("controllers");
        loop = new ControlLoop(List.of(), this::now, random, counters, effects::add);
        restart();
    }

    private Interception fault() {
        return switch (current) {
            case CONFLICT -> Interception.refuse(StoreResult.Failure.CONFLICT, "planted");
            case UNAVAILABLE -> Interception.refuse(StoreResult.Failure.UNAVAILABLE, "planted");
            case ANSWER_LOST -> Interception.loseAnswer("planted");
            case GOES_THROUGH, DIES_BEFORE, DIES_AFTER -> Interception.PROCEED;
        };
    }

    private Instant wall() {
        return Instant.parse("2000-01-01T00:00:00Z").plusNanos(nanos);
    }

    private Time now() {
        return new Time(wall(), nanos);
    }

    void restart() {
        generation++;
        watches.forEach(Watch::close);
        watches.clear();
        inbox.clear();
        effects.clear();
        List<Controller> controllers =
                new ArrayList<>(new Binder(BinderOptions.DEFAULT, PluginRegistry.EMPTY).controllers());
        controllers.add(scheduler.get());
        loop = new ControlLoop(controllers, this::now, random, noDefect, effects::add);
        loop.lead(1);
        loop.caches().kinds().forEach(this::list);
    }

    private <T extends KubernetesObject> void list(Kind<T> kind) {
        ObjectList<T> listed = ours.list(kind, ListOptions.ALL).orThrow();
        inbox.add(() -> loop.listed(kind, listed.items(), listed.revision()));
        watches.add(ours.watch(kind, ListOptions.ALL, listed.revision(), new Feed<>(kind, generation)));
    }

    Caches caches() {
        return loop.caches();
    }

    // ---- the course of events ----

    boolean step() {
        int choices = (inbox.isEmpty() ? 0 : 1) + (loop.hasReadyKeys() ? 1 : 0) + effects.size();
        if (choices == 0) {
            return false;
        }
        int choice = random.nextInt(choices);
        if (choice < effects.size()) {
            Dispatch dispatch = effects.stream().skip(choice).findFirst().orElseThrow();
            effects.remove(dispatch);
            carryOut(dispatch);
        } else if (choice == effects.size() && !inbox.isEmpty()) {
            inbox.remove().run();
        } else {
            loop.decideNext();
        }
        noDefect.require();
        return true;
    }

    SchedulingWorld settle() {
        for (int i = 0; i < TOO_MUCH; i++) {
            if (!step()) {
                return this;
            }
        }
        throw new AssertionError(
                "no rest; the last writes: " + writes.subList(Math.max(0, writes.size() - 5), writes.size()));
    }

    SchedulingWorld advance(Duration duration) {
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

    /** Whether a controller remembers anything of a key. */
    boolean isRemembered(String controller, Key key) {
        return loop.state(controller, key).isPresent();
    }

    boolean hasTimer() {
        return loop.nextTimerNanos().isPresent();
    }

    private void carryOut(Dispatch dispatch) {
        Effect effect = dispatch.effect();
        if (effect instanceof Effect.Announce announce) {
            news.add(announce.announcement());
            return;
        }
        if (!(effect instanceof Effect.Write)) {
            loop.completed(dispatch, new EffectResult.Stored(effect, StoreRequests.carryOut(ours, effect)), true);
            return;
        }
        current = fate.apply(++attempts);
        Fate mine = current;
        if (mine == Fate.DIES_BEFORE) {
            die();
            return;
        }
        StoreResult<?> result = StoreRequests.carryOut(ours, effect);
        current = Fate.GOES_THROUGH;
        afterWrite.run();
        if (mine == Fate.DIES_AFTER) {
            die();
        } else {
            loop.completed(dispatch, new EffectResult.Stored(effect, result), true);
        }
    }

    private void die() {
        deaths++;
        current = Fate.GOES_THROUGH;
        restart();
    }

    // ---- what others do ----

    SchedulingWorld create(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            for (Kind<?> kind : Kinds.standard().all()) {
                if (kind.type().isInstance(object)) {
                    create(kind, object);
                }
            }
        }
        return this;
    }

    private <T extends KubernetesObject> void create(Kind<T> kind, KubernetesObject object) {
        store.create(kind, kind.type().cast(object instanceof Pod pod ? runnable(pod) : object))
                .orThrow();
    }

    private static Pod runnable(Pod pod) {
        ObjectMeta metadata = pod.metadata().withUid("");
        Container main = new Container("main", "registry.example.com/app:1", List.of(), List.of());
        return pod.withMetadata(metadata).withSpec(pod.spec().withContainers(List.of(main)));
    }

    SchedulingWorld deletePod(String name) {
        DeleteOptions atOnce =
                new DeleteOptions("", Optional.empty(), Optional.of(0L), DeleteOptions.Propagation.BACKGROUND);
        store.delete(Kinds.POD, ObjectKey.of("default", name), atOnce).orThrow();
        return this;
    }

    SchedulingWorld editPod(String name, UnaryOperator<Pod> edit) {
        Pod before = store.get(Kinds.POD, ObjectKey.of("default", name)).orThrow();
        store.update(Kinds.POD, new Change<>(before, edit.apply(before))).orThrow();
        return this;
    }

    SchedulingWorld editClaim(String name, UnaryOperator<PersistentVolumeClaim> edit) {
        PersistentVolumeClaim before = claim(name);
        store.update(Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(before, edit.apply(before)))
                .orThrow();
        return this;
    }

    SchedulingWorld editVolume(String name, UnaryOperator<PersistentVolume> edit) {
        PersistentVolume before =
                store.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name)).orThrow();
        store.update(Kinds.PERSISTENT_VOLUME, new Change<>(before, edit.apply(before)))
                .orThrow();
        return this;
    }

    // ---- looking ----

    Pod pod(String name) {
        return store.get(Kinds.POD, ObjectKey.of("default", name)).orThrow();
    }

    String nodeOf(String pod) {
        return pod(pod).spec().nodeName();
    }

    PersistentVolumeClaim claim(String name) {
        return store.get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", name))
                .orThrow();
    }

    PersistentVolume volume(String name) {
        return store.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name)).orThrow();
    }

    <T extends KubernetesObject> List<T> all(Kind<T> kind) {
        return store.list(kind, ListOptions.ALL).orThrow().items();
    }

    /** What a pod's people were told by the scheduler. */
    List<String> toldOf(String pod) {
        return news.stream()
                .filter(n -> n.kind() == Kinds.POD && n.object().name().equals(pod))
                .map(n -> n.reason() + ": " + n.message())
                .toList();
    }

    private final class Feed<T extends KubernetesObject> implements WatchListener<T> {
        private final Kind<T> kind;
        private final int born;

        Feed(Kind<T> kind, int born) {
            this.kind = kind;
            this.born = born;
        }

        @Override
        public void onEvent(WatchEvent<T> event) {
            inbox.add(() -> {
                if (born == generation) {
                    loop.caches().of(kind).heard(event);
                }
            });
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

    /** Lets no defect of a controller pass: the loop would only hold up the key, and goes on though a listener throws. */
    private record NoDefect(LoopListener counters, List<AssertionError> defects) implements LoopListener {
        @Override
        public void onDecision(String controller, Key key, Decision decision) {
            counters.onDecision(controller, key, decision);
        }

        @Override
        public void onDefect(String controller, Key key, RuntimeException defect) {
            defects.add(new AssertionError(controller + " failed at " + key, defect));
        }

        void require() {
            if (!defects.isEmpty()) {
                throw defects.get(0);
            }
        }
    }
}
