// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.CallLimits;
import dev.mooring.runtime.StoreRequests;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.SteadyClock;
import dev.mooring.runtime.control.Subscription;
import dev.mooring.runtime.control.UncancelledTicket;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.ClusterStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;

/** One run of a process, from its start to its death: a loop, its watches, and the effects that it has asked for. */
final class ProcessRun {
    /** Stands for the answer of a call that hangs. The loop does not get it. */
    private static final Outcome<?> NOT_YET = Outcome.deferred("hangs");

    private final ProcessSpec spec;
    private final VirtualClock clock;
    private final WorldObserver observer;
    private final ControlLoop loop;
    private final SimulatedTenure tenure;
    private final ClusterStore fencedStore;
    private final Map<Subscription<?>, Feed<?>> feeds = new LinkedHashMap<>();
    private final List<Dispatch> pending = new ArrayList<>();
    private final List<Running> hanging = new ArrayList<>();
    private final List<Running> waiting = new ArrayList<>();

    /**
     * Which of the first lists are old.
     *
     * @param kind the kind's name; empty for all
     * @param changes how many changes they do not show yet
     */
    record Stale(String kind, int changes) {
        static final Stale NOTHING = new Stale("", 0);

        private boolean concerns(Feed<?> feed) {
            return changes > 0 && (kind.isEmpty() || feed.kind().name().equals(kind));
        }
    }

    /**
     * Starts.
     *
     * @param stale which of its first lists are old
     */
    ProcessRun(
            ProcessSpec spec,
            long epoch,
            VirtualClock clock,
            WorldObserver observer,
            LoopListener listener,
            Stale stale) {
        this.spec = spec;
        this.clock = clock;
        this.observer = observer;
        this.tenure = new SimulatedTenure(epoch, clock);
        this.fencedStore = spec.fences().store(spec.store(), tenure);
        List<Controller> controllers = spec.controllers().get();
        loop = new ControlLoop(controllers, clock, new SteadyJitter(), listener, this::accept);
        loop.lead(epoch);
        loop.subscribe(new Subscriber(stale));
        for (Subscription<?> first : List.copyOf(feeds.keySet())) {
            // what is listed before may have ended it
            Optional.ofNullable(feeds.get(first)).ifPresent(feed -> begin(feed, stale));
        }
    }

    /** What is needed later than the first lists is listed as soon as its watch events are delivered. */
    private final class Subscriber implements Subscription.Listener {
        private final Stale stale;

        Subscriber(Stale stale) {
            this.stale = stale;
        }

        @Override
        public void begin(Subscription<?> subscription) {
            Feed<?> feed = feed(spec.store(), subscription);
            boolean isFirst = !loop.caches().synced(loop.caches().kinds());
            feed.listLater(isFirst && stale.concerns(feed) ? stale.changes() : 0);
            feeds.put(subscription, feed);
        }

        @Override
        public void end(Subscription<?> subscription) {
            Optional.ofNullable(feeds.remove(subscription)).ifPresent(Feed::close);
        }
    }

    private static void begin(Feed<?> feed, Stale stale) {
        if (stale.concerns(feed)) {
            feed.listAsOf(stale.changes());
            feed.hold();
        } else {
            feed.list();
        }
    }

    /**
     * Another instance decides from now on; what was on its way to the store still arrives there. The creations of attachments arrive
     * before the other one lists any: between the last request and a take-over lie seconds, and no precondition guards a slot of which
     * the successor does not know.
     */
    void retire() {
        loop.standDown();
        feeds.values().forEach(Feed::close);
        abandonCalls();
        waiting.clear();
        pending.removeIf(dispatch -> !(dispatch.effect() instanceof Effect.Write));
        for (int i = pending.size() - 1; i >= 0; i--) {
            if (pending.get(i).effect() instanceof Effect.Create<?> create
                    && create.kind().equals(Kinds.VOLUME_ATTACHMENT)) {
                arrive(i);
            }
        }
    }

    /** Whether its watches show what there is. */
    boolean follows() {
        return feeds.values().stream().noneMatch(Feed::isHeld);
    }

    /** The watches of a kind; of all kinds for an empty name. */
    void disturb(String kind, Consumer<Feed<?>> disturbance) {
        feeds.values().stream()
                .filter(feed -> kind.isEmpty() || feed.kind().name().equals(kind))
                .forEach(disturbance);
    }

    private <T extends KubernetesObject> Feed<T> feed(ClusterStore store, Subscription<T> subscription) {
        return new Feed<>(
                store, subscription, () -> observer.onStaleNews(spec.name()), () -> observer.onLostNews(spec.name()));
    }

    private void accept(Dispatch dispatch) {
        if (dispatch.effect() instanceof Effect.Announce announce) {
            observer.onEvent(spec.name(), announce.announcement());
        } else {
            pending.add(dispatch);
        }
    }

    /** Ends: nothing that was asked for is done any more, and nothing is heard. */
    void end() {
        feeds.values().forEach(Feed::close);
        abandonCalls();
        waiting.clear();
        pending.clear();
    }

    /** What hangs has ended before another takes over. */
    void abandonCalls() {
        hanging.forEach(call -> spec.calls().gaveUp(call.effect.call(), true));
        hanging.clear();
    }

    SimulatedTenure tenure() {
        return tenure;
    }

    /** Delivers everything that the watches have shown, in order within a kind; answers how much it was. */
    int deliver(Random random) {
        int delivered = 0;
        List<Feed<?>> withNews = withNews();
        while (!withNews.isEmpty()) {
            withNews.get(random.nextInt(withNews.size())).deliver();
            delivered++;
            withNews = withNews();
        }
        return delivered;
    }

    private List<Feed<?>> withNews() {
        List<Feed<?>> found = new ArrayList<>();
        for (Feed<?> feed : feeds.values()) {
            if (feed.hasNews()) {
                found.add(feed);
            }
        }
        return found;
    }

    /** Decides the first of the ready keys; answers whether there was one. */
    boolean decide() {
        return loop.decideNext();
    }

    int pending() {
        return pending.size();
    }

    List<String> describePending() {
        return pending.stream()
                .map(dispatch -> spec.name() + " " + dispatch.controller() + " " + dispatch.key() + " "
                        + dispatch.effect().operation() + " " + dispatch.attempt())
                .toList();
    }

    /** Carries out one of the pending effects. A {@link ProcessDeath} on the way is the caller's to handle. */
    void carryOut(int index) {
        carryOut(index, fencedStore);
    }

    /** Lets one of the pending effects arrive that was sent when its process still led. */
    void arrive(int index) {
        carryOut(index, spec.store());
    }

    private void carryOut(int index, ClusterStore store) {
        Dispatch dispatch = pending.remove(index);
        if (dispatch.effect() instanceof Effect.Perform perform) {
            call(dispatch, perform);
        } else {
            EffectResult result =
                    new EffectResult.Stored(dispatch.effect(), StoreRequests.carryOut(store, dispatch.effect()));
            loop.completed(dispatch, result, true);
        }
    }

    private void call(Dispatch dispatch, Effect.Perform perform) {
        Running call = new Running(
                dispatch, perform, clock.nanos() + perform.timeLimit().toNanos());
        // the least of the limits, which is the one that a node has for each back-end
        if (hanging.stream().filter(call::sharesBulkhead).count() < CallLimits.DEFAULT.perNode()) {
            start(call);
        } else {
            waiting.add(call);
        }
    }

    private void start(Running call) {
        CallAnswer answer = answer(call);
        observer.onCall(spec.name(), call.effect.call(), answer);
        answer.outcome().ifPresentOrElse(outcome -> complete(call, outcome), () -> hanging.add(call));
        if (answer.twice()) {
            answer.outcome().ifPresent(outcome -> complete(call, outcome));
        }
    }

    private void complete(Running call, Outcome<?> outcome) {
        loop.completed(call.dispatch, new EffectResult.Performed(call.effect, outcome), true);
    }

    private CallAnswer answer(Running call) {
        CallTicket ticket = new UncancelledTicket( // a simulated call ends at once or hangs
                new SteadyClock(clock),
                clock.instant().plusNanos(call.deadlineNanos - clock.nanos()),
                call.dispatch.attempt(),
                call.dispatch.idempotencyKey(),
                notice -> loop.reported(call.dispatch, notice));
        try {
            return performed(call.effect.call(), ticket);
        } catch (ProcessDeath death) {
            throw death;
        } catch (RuntimeException defect) {
            return CallAnswer.of(Outcome.uncertain("the plugin failed: " + defect));
        }
    }

    private CallAnswer performed(Call call, CallTicket ticket) {
        List<CallAnswer> made = new ArrayList<>(1);
        CallHandler through = (asked, caller) -> {
            CallAnswer answer = spec.calls().perform(asked, caller);
            made.add(answer);
            return answer.outcome().orElse(NOT_YET);
        };
        Outcome<?> answer = spec.fences().calls(through, tenure).perform(call, ticket);
        return made.isEmpty() ? CallAnswer.of(answer) : made.get(0);
    }

    /** When something of this process is due next. */
    OptionalLong nextDueNanos() {
        long next = loop.nextTimerNanos().orElse(Long.MAX_VALUE);
        for (Running call : hanging) {
            next = Math.min(next, call.deadlineNanos);
        }
        for (Running call : waiting) {
            next = Math.min(next, call.deadlineNanos);
        }
        return next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
    }

    /** Lets everything happen whose time has come; answers whether anything had. */
    boolean fireDue() {
        boolean fired = loop.nextTimerNanos().orElse(Long.MAX_VALUE) <= clock.nanos();
        loop.fireTimers();
        for (Running call : due(waiting)) {
            waiting.remove(call);
            complete(call, Outcome.deferred("other calls to the same back-end have not ended"));
            fired = true;
        }
        for (Running call : due(hanging)) {
            hanging.remove(call);
            spec.calls().gaveUp(call.effect.call(), false);
            complete(
                    call,
                    Outcome.uncertain(call.effect.operation() + " did not end within " + call.effect.timeLimit()));
            waiting.stream().filter(call::sharesBulkhead).findFirst().ifPresent(this::startWaiting);
            fired = true;
        }
        return fired;
    }

    private void startWaiting(Running call) {
        waiting.remove(call);
        start(call);
    }

    private List<Running> due(List<Running> calls) {
        return calls.stream()
                .filter(call -> call.deadlineNanos <= clock.nanos())
                .toList();
    }

    ControlLoop loop() {
        return loop;
    }

    /** A call that hangs, or waits until others of its bulkhead have ended. Compared by identity. */
    private static final class Running {
        final Dispatch dispatch;
        final Effect.Perform effect;
        final long deadlineNanos;

        Running(Dispatch dispatch, Effect.Perform effect, long deadlineNanos) {
            this.dispatch = dispatch;
            this.effect = effect;
            this.deadlineNanos = deadlineNanos;
        }

        boolean sharesBulkhead(Running other) {
            return effect.call().bulkhead().equals(other.effect.call().bulkhead());
        }
    }
}
