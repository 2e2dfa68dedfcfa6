// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.Interception;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.WriteInterceptor;
import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.runtime.StoreRequests;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import dev.mooring.storage.store.WriteRequest;
import dev.mooring.storage.store.WriteVerb;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The binder on a real store, on one thread and with time that only moves when told: news first, then decisions, then one effect. The
 * binder's process can be made to die before or after a write.
 */
final class Cluster extends BinderClusterUsers<Cluster> {
    /** So many steps without rest are taken for steps without end; under mutants fewer, since many of them do not end. */
    private static final int TOO_MUCH = Integer.getInteger("mooring.cluster.steps", 5_000_000);

    final MemoryClusterStore store;
    final List<WriteRecord> writes = new ArrayList<>();
    final Map<Revision, String> writers = new HashMap<>();
    final List<Announcement> news = new ArrayList<>();
    final List<Call> calls = new ArrayList<>();
    final PluginRegistry plugins;
    final BinderOptions options;
    final LoopCounters counters = new LoopCounters();
    private final BinderWitness witness = new BinderWitness();
    Function<Call, Outcome<?>> backend = call -> Outcome.done();
    Predicate<Integer> diesBefore = write -> false;
    Predicate<Integer> diesAfter = write -> false;
    Predicate<Integer> diesBeforeCall = call -> false;
    Predicate<Integer> diesAfterCall = call -> false;
    Function<Integer, Interception> fault = write -> Interception.PROCEED;
    Predicate<WriteRequest> refused = request -> false;
    StoreResult.Failure refusal = StoreResult.Failure.UNAVAILABLE;
    Predicate<Effect> forbidden = read -> false;
    UnaryOperator<Effect> mutation = effect -> effect;
    Runnable afterEachStep = () -> {};
    Consumer<Effect> afterRead = read -> {};
    Binder binder;

    private final ClusterStore ours;
    private final Random random;
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private final Deque<Dispatch> effects = new ArrayDeque<>();
    private final List<Runnable> oldNews = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    int unreadable;
    private long nanos;
    int attempts;
    private int generation;
    int deaths;
    private @Nullable Random order;
    private boolean slowWatch;
    private ControlLoop loop;

    Cluster() {
        this(BinderOptions.DEFAULT, PluginRegistry.EMPTY, 1);
    }

    Cluster(BinderOptions options, PluginRegistry plugins, long seed) {
        this.options = options;
        this.plugins = plugins;
        this.random = new Random(seed);
        store = new MemoryClusterStore(StoreOptions.of(Kinds.standard(), this::wall, IdSource.random(new Random(seed)))
                .withInterceptor(interceptor())
                .withWrites(write -> {
                    write.revision().ifPresent(revision -> writers.put(revision, write.client()));
                    if (write.client().equals("controllers")) {
                        writes.add(write);
                    }
                }));
        ours = store.as("controllers");
        binder = new Binder(options, plugins);
        loop = new ControlLoop(List.of(), this::now, random, counters, effects::add);
        restart();
    }

    @Override
    MemoryClusterStore store() {
        return store;
    }

    @Override
    Cluster self() {
        return this;
    }

    private WriteInterceptor interceptor() {
        return request -> {
            if (!request.client().equals("controllers")) {
                return Interception.PROCEED;
            }
            return refused.test(request) ? Interception.refuse(refusal, "planted") : fault.apply(attempts);
        };
    }

    private Instant wall() {
        return Instant.parse("2000-01-01T00:00:00Z").plusNanos(nanos);
    }

    private Time now() {
        return new Time(wall(), nanos);
    }

    /** Counts the writes to come from 1. */
    Cluster countingFromOne() {
        attempts = 0;
        return this;
    }

    /** The process dies, and another one starts with nothing in memory. */
    void restart() {
        generation++;
        watches.forEach(Watch::close);
        watches.clear();
        inbox.clear();
        effects.clear();
        binder = new Binder(options, plugins);
        loop = new ControlLoop(
                binder.controllers(), this::now, random, LoopListener.all(counters, witness), effects::add);
        loop.lead(1);
        loop.caches().kinds().forEach(this::list);
    }

    private <T extends KubernetesObject> void list(Kind<T> kind) {
        ObjectList<T> listed = ours.list(kind, ListOptions.ALL).orThrow();
        inbox.add(() -> loop.listed(kind, listed.items(), listed.revision()));
        watches.add(ours.watch(kind, ListOptions.ALL, listed.revision(), new Feed<>(kind, generation)));
    }

    /** From now on chance decides what comes next: a watch event, a decision, or the end of any effect under way. */
    Cluster shuffled(long seed) {
        order = new Random(seed);
        return this;
    }

    private boolean shuffledStep(Random chance) {
        int choices = (inbox.isEmpty() ? 0 : 1) + (loop.hasReadyKeys() ? 1 : 0) + effects.size();
        if (choices == 0) {
            return false;
        }
        int choice = chance.nextInt(choices);
        if (slowWatch && choices > 1 && choice == effects.size() && !inbox.isEmpty() && chance.nextInt(8) != 0) {
            choice = chance.nextInt(choices);
        }
        if (choice < effects.size()) {
            Dispatch dispatch = effects.stream().skip(choice).findFirst().orElseThrow();
            effects.remove(dispatch);
            carryOut(dispatch);
        } else if (choice == effects.size() && !inbox.isEmpty()) {
            inbox.remove().run();
        } else {
            loop.decideNext();
        }
        witness.requireNoDefect();
        afterEachStep.run();
        return true;
    }

    /** From now on watch events come late: own writes and live reads are known long before. */
    Cluster withSlowWatch() {
        slowWatch = true;
        return this;
    }

    /** Some news that were already told are told again. */
    Cluster repeatOldNews(Random chance) {
        for (int i = 0; i < 5 && !oldNews.isEmpty(); i++) {
            inbox.add(oldNews.get(chance.nextInt(oldNews.size())));
        }
        return this;
    }

    /** A list that does not show the claims it should; the watch goes on as if nothing had happened. */
    Cluster relistWithoutClaims() {
        return relistWithoutAny(Kinds.PERSISTENT_VOLUME_CLAIM);
    }

    /** The same of any kind. */
    <T extends KubernetesObject> Cluster relistWithoutAny(Kind<T> kind) {
        Revision revision = ours.list(kind, ListOptions.ALL).orThrow().revision();
        inbox.add(() -> loop.listed(kind, List.of(), revision));
        return this;
    }

    /** A list that shows all claims. */
    Cluster relist() {
        ObjectList<PersistentVolumeClaim> listed =
                ours.list(Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.ALL).orThrow();
        inbox.add(() -> loop.listed(Kinds.PERSISTENT_VOLUME_CLAIM, listed.items(), listed.revision()));
        return this;
    }

    /** What the binder remembers of a claim. */
    Optional<ClaimState> stateOf(PersistentVolumeClaim claim) {
        return loop.state(BinderController.NAME, new Key(BinderController.CLAIM, ObjectKey.of(claim)))
                .map(ClaimState.class::cast);
    }

    /** Works for a few steps and stops in the middle of whatever is going on. */
    Cluster stepAFew(int steps) {
        Random chance = order == null ? random : order;
        for (int i = 0; i < steps && shuffledStep(chance); i++) {
            // the step is the work
        }
        return this;
    }

    /** Works until there is nothing left to do now. */
    Cluster settle() {
        for (int i = 0; i < TOO_MUCH; i++) {
            witness.requireNoDefect();
            if (order != null) {
                if (!shuffledStep(order)) {
                    return this;
                }
            } else if (!inbox.isEmpty()) {
                inbox.poll().run();
                afterEachStep.run();
            } else if (!loop.decideNext()) {
                Dispatch dispatch = effects.poll();
                if (dispatch == null) {
                    return this;
                }
                carryOut(dispatch);
                afterEachStep.run();
            }
        }
        throw new AssertionError(
                "no rest; the last writes: " + writes.subList(Math.max(0, writes.size() - 5), writes.size()));
    }

    /** Proves that nothing is left to do: a new process writes nothing, now or much later (I5). */
    void assertAtRest() {
        writes.clear();
        restart();
        advance(Duration.ofHours(1));
        assertThat(writes).as("I5").isEmpty();
    }

    /** Lets time pass; whatever is due on the way happens at its time. */
    Cluster advance(Duration duration) {
        long end = nanos + duration.toNanos();
        settle();
        for (int fired = 0; fired < TOO_MUCH; fired++) {
            OptionalLong timer = loop.nextTimerNanos();
            if (timer.isEmpty() || timer.getAsLong() > end) {
                nanos = end;
                return this;
            }
            nanos = Math.max(nanos, timer.getAsLong());
            loop.fireTimers();
            settle();
        }
        throw new AssertionError("timers without end within " + duration);
    }

    private void carryOut(Dispatch dispatch) {
        Effect effect = dispatch.effect();
        if (effect instanceof Effect.Announce announce) {
            news.add(announce.announcement());
        } else if (effect instanceof Effect.Perform perform) {
            int number = calls.size() + 1;
            if (diesBeforeCall.test(number)) {
                diesBeforeCall = call -> false;
                deaths++;
                restart();
                return;
            }
            calls.add(perform.call());
            Outcome<?> outcome = backend.apply(perform.call());
            if (diesAfterCall.test(number)) {
                deaths++;
                restart();
            } else {
                loop.completed(dispatch, new EffectResult.Performed(perform, outcome), true);
            }
        } else if (effect instanceof Effect.Write) {
            write(dispatch);
        } else if (unreadable > 0) {
            unreadable--;
            StoreResult<?> failed = StoreResult.failed(StoreResult.Failure.UNAVAILABLE, "planted");
            loop.completed(dispatch, new EffectResult.Stored(effect, failed), true);
        } else if (forbidden.test(effect)) {
            StoreResult<?> failed = StoreResult.failed(StoreResult.Failure.FORBIDDEN, "planted");
            loop.completed(dispatch, new EffectResult.Stored(effect, failed), true);
        } else {
            StoreResult<?> answer = StoreRequests.carryOut(ours, effect);
            afterRead.accept(effect);
            loop.completed(dispatch, new EffectResult.Stored(effect, answer), true);
        }
    }

    private void write(Dispatch dispatch) {
        int number = ++attempts;
        if (diesBefore.test(number)) {
            deaths++;
            restart();
            return;
        }
        StoreResult<?> result = StoreRequests.carryOut(ours, mutation.apply(dispatch.effect()));
        if (diesAfter.test(number)) {
            deaths++;
            restart();
        } else {
            loop.completed(dispatch, new EffectResult.Stored(dispatch.effect(), result), true);
        }
    }

    /** The binder writes what it should not. */
    void writeAsBinder(Effect effect) {
        StoreRequests.carryOut(ours, effect).orThrow();
    }

    // ---- looking ----

    List<String> reasons() {
        return news.stream().map(Announcement::reason).toList();
    }

    long told(String reason) {
        return news.stream().filter(n -> n.reason().equals(reason)).count();
    }

    /** What was written with success, in order: kinds, objects, and sub-resources. */
    String writesInOrder() {
        return writes.stream()
                .filter(write -> write.outcome().isEmpty())
                .map(write -> (write.kind().equals("PersistentVolume") ? "pv" : "pvc")
                        + " "
                        + write.name()
                        + (write.subresource().isEmpty() ? "" : "/" + write.subresource())
                        + (write.verb() == WriteVerb.DELETE ? " deleted" : ""))
                .collect(Collectors.joining(", "));
    }

    /** The operations of the calls so far. */
    List<String> operations() {
        return calls.stream().map(Call::operation).toList();
    }

    boolean hasTimer() {
        return loop.nextTimerNanos().isPresent();
    }

    Optional<String> preview(PersistentVolumeClaim claim) {
        return binder.preview(claim, loop.caches());
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
            inbox.add(news);
            oldNews.add(news);
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
