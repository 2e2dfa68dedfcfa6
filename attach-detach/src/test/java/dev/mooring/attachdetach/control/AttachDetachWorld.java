// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.runtime.StoreRequests;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.ClusterStore;
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
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The controller on a real store, on one thread, with time that only moves when told; a back-end whose {@link BackEndTruth} every call and every
 * step is held against; nodes whose agents the test plays. The process can be made to die before or after a write or a call.
 */
final class AttachDetachWorld extends WorldUsers<AttachDetachWorld> {
    final MemoryClusterStore store;
    final List<WriteRecord> writes = new ArrayList<>();
    final List<Announcement> news = new ArrayList<>();
    final List<String> calls = new ArrayList<>();
    final List<String> violations = new ArrayList<>();
    final LoopCounters counters = new LoopCounters();
    private final AttachDetachWitness witness = new AttachDetachWitness();

    /** What the back-end does; it is asked before the truth changes, and only what is done changes the truth. */
    Function<Call, Outcome<?>> backend = call -> Outcome.done(Map.of("devicePath", "/dev/" + call.node()));

    /** Calls whose effect comes about although the answer says otherwise. */
    Predicate<Call> secretlyDone = call -> false;

    Predicate<Integer> diesBeforeWrite = write -> false;
    Predicate<Integer> diesAfterWrite = write -> false;
    Predicate<Integer> diesBeforeCall = call -> false;
    Predicate<Integer> diesAfterCall = call -> false;
    Consumer<Effect> beforeEffect = effect -> {};

    /** Effects that are on their way and do not arrive yet. */
    Predicate<Effect> postponed = effect -> false;

    /** Writes whose answer is lost before they arrive. */
    Predicate<Effect> lost = effect -> false;

    /** Kinds whose changes the process does not hear of yet. */
    Predicate<Kind<?>> unheard = kind -> false;

    int deaths;

    private final AttachDetachOptions options;
    private final PluginRegistry plugins;
    private final ClusterStore ours;
    private final BackEndTruth truth;
    private final Random random = new Random(1);
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private final List<Runnable> heldBack = new ArrayList<>();
    private final List<Dispatch> effects = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private @Nullable Random chance;
    private ControlLoop loop;
    private List<Controller> controllers = List.of();
    private int generation;
    private int attempts;
    private long nanos;

    AttachDetachWorld() {
        this(AttachDetachOptions.DEFAULT, new AttachedDiskPlugin(false, true));
    }

    AttachDetachWorld(AttachDetachOptions options, AttachedDiskPlugin... plugins) {
        this.options = options;
        this.plugins = new PluginRegistry(List.of(plugins));
        store = new MemoryClusterStore(StoreOptions.of(Kinds.standard(), this::wall, IdSource.random(new Random(1)))
                .withWrites(write -> {
                    if (write.client().equals("controllers")) {
                        writes.add(write);
                    }
                }));
        ours = store.as("controllers");
        truth = new BackEndTruth(store, violations);
        loop = new ControlLoop(List.of(), this::now, random, counters, effects::add);
        restart();
    }

    @Override
    MemoryClusterStore store() {
        return store;
    }

    @Override
    AttachDetachWorld self() {
        return this;
    }

    PluginRegistry plugins() {
        return plugins;
    }

    Caches caches() {
        return loop.caches();
    }

    Instant wall() {
        return Instant.parse("2000-01-01T00:00:00Z").plusNanos(nanos);
    }

    private Time now() {
        return new Time(wall(), nanos);
    }

    /** Those of the process that runs now. */
    List<Controller> controllers() {
        return controllers;
    }

    /** From now on chance decides what comes next. */
    AttachDetachWorld shuffled(long seed) {
        chance = new Random(seed);
        return this;
    }

    /** The process dies, and another one starts with nothing in memory. */
    void restart() {
        generation++;
        watches.forEach(Watch::close);
        watches.clear();
        inbox.clear();
        effects.clear();
        controllers = AttachDetach.controllers(options, plugins);
        loop = new ControlLoop(controllers, this::now, random, LoopListener.all(counters, witness), effects::add);
        loop.lead(1);
        loop.caches().kinds().forEach(this::list);
    }

    private <T extends KubernetesObject> void list(Kind<T> kind) {
        ObjectList<T> listed = ours.list(kind, ListOptions.ALL).orThrow();
        inbox.add(() -> loop.listed(kind, listed.items(), listed.revision()));
        watches.add(ours.watch(kind, ListOptions.ALL, listed.revision(), new Feed<>(kind, generation)));
    }

    /** The process is shown a list without any of a kind, though it is as new as all that there is. */
    AttachDetachWorld relistWithoutAny(Kind<?> kind) {
        Revision now = ours.list(kind, ListOptions.ALL).orThrow().revision();
        inbox.add(() -> loop.listed(kind, List.of(), now));
        return settle();
    }

    AttachDetachWorld settle() {
        for (int i = 0; i < 20_000; i++) {
            boolean stepped = step();
            witness.requireNoDefect();
            RecountedAttachments.check(loop, controllers);
            if (!stepped) {
                return this;
            }
            truth.check();
        }
        throw new AssertionError("no rest; " + writes.subList(Math.max(0, writes.size() - 5), writes.size()));
    }

    private boolean step() {
        Random order = chance;
        if (order == null) {
            if (!inbox.isEmpty()) {
                inbox.remove().run();
                return true;
            } else if (loop.decideNext()) {
                return true;
            }
            return carryOut(firstNotPostponed());
        }
        int choices = (inbox.isEmpty() ? 0 : 1) + (loop.hasReadyKeys() ? 1 : 0) + effects.size();
        if (choices == 0) {
            return false;
        }
        int choice = order.nextInt(choices);
        if (choice < effects.size()) {
            return carryOut(choice);
        } else if (choice == effects.size() && !inbox.isEmpty()) {
            inbox.remove().run();
            return true;
        }
        return loop.decideNext();
    }

    private int firstNotPostponed() {
        int index = 0;
        while (index < effects.size() && postponed.test(effects.get(index).effect())) {
            index++;
        }
        return index;
    }

    /** The oldest of what was not heard of is heard of now. */
    AttachDetachWorld hearOne() {
        inbox.add(heldBack.remove(0));
        return settle();
    }

    /** Whatever was held back arrives from now on. */
    AttachDetachWorld arrive() {
        postponed = effect -> false;
        unheard = kind -> false;
        inbox.addAll(heldBack);
        heldBack.clear();
        return settle();
    }

    /** Lets time pass; whatever is due on the way happens at its time. */
    AttachDetachWorld advance(Duration duration) {
        long end = nanos + duration.toNanos();
        settle();
        for (OptionalLong timer = loop.nextTimerNanos();
                timer.isPresent() && timer.getAsLong() <= end;
                timer = loop.nextTimerNanos()) {
            nanos = Math.max(nanos, timer.getAsLong());
            loop.fireTimers();
            settle();
        }
        nanos = end;
        return this;
    }

    int attemptedWrites() {
        return attempts;
    }

    boolean hasTimer() {
        return loop.nextTimerNanos().isPresent();
    }

    private boolean carryOut(int index) {
        if (index >= effects.size()) {
            return false;
        }
        Dispatch dispatch = effects.remove(index);
        Effect effect = dispatch.effect();
        beforeEffect.accept(effect);
        if (effect instanceof Effect.Announce announce) {
            news.add(announce.announcement());
        } else if (effect instanceof Effect.Perform perform) {
            call(dispatch, perform);
        } else if (effect instanceof Effect.Write) {
            int number = ++attempts;
            if (diesBeforeWrite.test(number)) {
                die();
                return true;
            }
            StoreResult<?> result = lost.test(effect)
                    ? StoreResult.failed(StoreResult.Failure.UNKNOWN, "no answer")
                    : StoreRequests.carryOut(ours, effect);
            if (diesAfterWrite.test(number)) {
                die();
            } else {
                loop.completed(dispatch, new EffectResult.Stored(effect, result), true);
            }
        } else {
            loop.completed(dispatch, new EffectResult.Stored(effect, StoreRequests.carryOut(ours, effect)), true);
        }
        return true;
    }

    private void die() {
        deaths++;
        restart();
    }

    private void call(Dispatch dispatch, Effect.Perform perform) {
        int number = calls.size() + 1;
        if (diesBeforeCall.test(number)) {
            diesBeforeCall = call -> false;
            die();
            return;
        }
        Call call = perform.call();
        calls.add(call.operation() + " " + call.volume() + " " + call.node());
        truth.guard(call);
        Outcome<?> outcome = backend.apply(call);
        if (outcome.isDone() || secretlyDone.test(call)) {
            truth.apply(call);
        }
        if (diesAfterCall.test(number)) {
            diesAfterCall = c -> false;
            die();
        } else {
            loop.completed(dispatch, new EffectResult.Performed(perform, outcome), true);
        }
    }

    /** The storage has detached it by itself. */
    AttachDetachWorld lose(String volume, String node) {
        truth.lose(volume, node);
        return this;
    }

    /** The storage has attached it, and no object says so. */
    AttachDetachWorld dangle(String volume, String node) {
        truth.dangle(volume, node);
        return this;
    }

    /** From now on a detachment from this node needs no handshake: there is evidence. */
    AttachDetachWorld excuse(String node) {
        truth.excuse(node);
        return this;
    }

    Set<String> truth(String volume) {
        return truth.of(volume);
    }

    List<String> told(String pod, String reason) {
        return news.stream()
                .filter(n -> n.object().name().equals(pod) && n.reason().equals(reason))
                .map(Announcement::message)
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
            Runnable news = () -> {
                if (born == generation) {
                    loop.caches().of(kind).heard(event);
                }
            };
            if (unheard.test(kind)) {
                heldBack.add(news);
            } else {
                inbox.add(news);
            }
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
