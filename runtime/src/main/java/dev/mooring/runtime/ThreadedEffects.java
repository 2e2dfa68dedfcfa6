// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Defects;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.EffectSink;
import dev.mooring.runtime.control.SteadyClock;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The production interpreter of effects: requests and calls run on executors, answers go back to the decider. */
final class ThreadedEffects implements EffectSink {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadedEffects.class);

    private final ClusterStore store;
    private final CallHandler calls;
    private final EventSink events;
    private final TimeSource time;
    private final LoopThread decider;
    private final Executor storeExecutor;
    private final LiveSearches searches;
    private final Bulkheads bulkheads;
    private final Executor cancelExecutor; // what a plugin does to end a call may hang as well as the call
    private final CallLimits limits;
    private final AtomicLong leadingEpoch = new AtomicLong();
    private final AtomicInteger announcing = new AtomicInteger();
    private final Set<RunningCall> running = new LinkedHashSet<>(); // confined to the decider
    private final Map<Long, Dispatch> open = new ConcurrentSkipListMap<>(); // begun and not ended, answered or not
    private @Nullable ControlLoop loop;

    ThreadedEffects(
            ClusterStore store,
            RuntimeOptions options,
            LoopThread decider,
            Executor storeExecutor,
            Executor callExecutor,
            Executor cancelExecutor) {
        this.store = store;
        this.calls = options.calls();
        this.events = options.events();
        this.time = options.time();
        this.decider = decider;
        this.storeExecutor = storeExecutor;
        this.searches = new LiveSearches(store, storeExecutor);
        this.bulkheads = new Bulkheads(callExecutor);
        this.cancelExecutor = cancelExecutor;
        this.limits = options.limits();
    }

    void attach(ControlLoop controlLoop) {
        loop = controlLoop;
    }

    /** From now on only effects of this epoch are started; 0 for none. */
    void leading(long epoch) {
        leadingEpoch.set(epoch);
    }

    /** Asks every running call to end early; on the decider's thread. */
    void cancelAll() {
        List.copyOf(running).forEach(call -> call.cancel(cancelExecutor));
    }

    @Override
    public void accept(Dispatch dispatch) {
        Effect effect = dispatch.effect();
        if (effect instanceof Effect.Announce announce) {
            announcing.incrementAndGet();
            if (!executed(() -> announce(announce.announcement()))) {
                announcing.decrementAndGet();
            }
        } else if (effect instanceof Effect.Perform perform) {
            perform(dispatch, perform);
        } else if (effect instanceof Effect.FindLive<?> search) {
            open.put(dispatch.id(), dispatch);
            searches.search(
                    search,
                    () -> mayStart(dispatch),
                    result -> complete(dispatch, new EffectResult.Stored(effect, result)));
        } else {
            open.put(dispatch.id(), dispatch);
            boolean taken = executed(() -> {
                StoreResult<?> result = mayStart(dispatch)
                        ? StoreRequests.guarded(store, effect)
                        : StoreResult.failed(Failure.UNAVAILABLE, "no longer leading");
                complete(dispatch, new EffectResult.Stored(effect, result));
            });
            if (!taken) {
                complete(
                        dispatch,
                        new EffectResult.Stored(
                                effect, StoreResult.failed(Failure.UNAVAILABLE, "the executor takes nothing")));
            }
        }
    }

    private boolean executed(Runnable work) {
        try {
            storeExecutor.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.error("the executor for requests to the store takes nothing any more", e);
            return false;
        }
    }

    private void announce(Announcement announcement) {
        try {
            events.announce(announcement);
        } catch (Throwable defect) {
            Defects.throwTheMachines(defect);
            LOG.error("an event sink threw", defect);
        } finally {
            announcing.decrementAndGet();
            decider.post(() -> {}); // waiters for quiescence look again
        }
    }

    /** Whether announcements are still on their way, or calls that outlived their time limits still run; from any thread. */
    boolean isBusy() {
        return announcing.get() > 0 || !open.isEmpty();
    }

    /** What was begun and has not ended, in the order in which it was begun; from any thread. */
    List<Dispatch> open() {
        return List.copyOf(open.values());
    }

    private void perform(Dispatch dispatch, Effect.Perform perform) {
        RunningCall call = new RunningCall(
                dispatch,
                new SteadyClock(time),
                perform.timeLimit(),
                notice -> decider.post(() -> reported(dispatch, notice)));
        running.add(call);
        open.put(dispatch.id(), dispatch);
        call.onTimeLimit(decider.after(perform.timeLimit(), () -> timeIsUp(call, perform)));
        call.onGivenUp(bulkheads.execute(
                guardedPlaces(perform.call()), () -> carryOut(call, perform), () -> refuse(call, perform)));
    }

    private void reported(Dispatch dispatch, Notice notice) {
        if (attached().reported(dispatch, notice)) {
            LOG.atLevel(notice.warning() ? Level.WARN : Level.INFO).log("{}: {}", dispatch.key(), notice);
        }
    }

    /** If a plugin fails to name the pool of a call, the pool is the whole plugin: a call that never begins is worse. */
    private List<Bulkheads.Place> guardedPlaces(Call call) {
        try {
            return places(call);
        } catch (Throwable defect) {
            Defects.throwTheMachines(defect);
            LOG.error("the bulkhead of {} of {} failed", call.operation(), call.plugin(), TextlessTrace.of(defect));
            return List.of(new Bulkheads.Place("plugin " + call.plugin(), limits.perPlugin()));
        }
    }

    private List<Bulkheads.Place> places(Call call) {
        List<Bulkheads.Place> places = new ArrayList<>();
        places.add(new Bulkheads.Place("back-end " + calls.bulkhead(call), limits.perBackend()));
        calls.nodeShare(call).ifPresent(node -> places.add(new Bulkheads.Place("node " + node, limits.perNode())));
        calls.pluginShare(call)
                .ifPresent(plugin -> places.add(new Bulkheads.Place("plugin " + plugin, limits.perPlugin())));
        return places;
    }

    private void carryOut(RunningCall call, Effect.Perform perform) {
        if (!call.start()) {
            return;
        }
        Outcome<?> outcome = mayStart(call.dispatch()) ? guarded(call, perform) : Outcome.deferred("no longer leading");
        end(call, new EffectResult.Performed(perform, outcome));
    }

    private void refuse(RunningCall call, Effect.Perform perform) {
        if (call.start()) {
            end(call, new EffectResult.Performed(perform, Outcome.deferred("the executor takes nothing any more")));
        }
    }

    private void end(RunningCall call, EffectResult result) {
        boolean inTime = call.answer();
        decider.post(() -> {
            running.remove(call);
            call.withdrawTimeLimit();
            open.remove(call.dispatch().id());
            if (inTime) {
                attached().completed(call.dispatch(), result, true);
            } else {
                attached().ended(call.dispatch());
            }
        });
    }

    private Outcome<?> guarded(RunningCall call, Effect.Perform perform) {
        try {
            Outcome<?> outcome = calls.perform(perform.call(), call);
            return outcome == null
                    ? Outcome.uncertain("plugin " + perform.call().plugin() + " answered null")
                    : outcome;
        } catch (Throwable defect) {
            // A LinkageError of the plugin too, or what is the machine's: thrown on (Defects.throwTheMachines) it would
            // end this thread alone, and without an answer the target of the call would stay busy for ever.
            // Its texts are left out: they may quote a secret that the plugin was given.
            LOG.error(
                    "{} of {} threw: a defect of the plugin",
                    perform.operation(),
                    perform.call().plugin(),
                    TextlessTrace.of(defect));
            return Outcome.uncertain("plugin " + perform.call().plugin() + " failed: "
                    + defect.getClass().getName());
        }
    }

    private void timeIsUp(RunningCall call, Effect.Perform perform) {
        if (!call.answer()) {
            return;
        }
        boolean started = call.hasStarted();
        call.cancel(cancelExecutor);
        Outcome<?> outcome = started
                ? Outcome.uncertain(perform.operation() + " did not end within " + perform.timeLimit())
                : Outcome.deferred("other calls to the same back-end have not ended");
        if (!started) {
            call.leaveQueue();
            running.remove(call);
            open.remove(call.dispatch().id());
        }
        attached().completed(call.dispatch(), new EffectResult.Performed(perform, outcome), !started);
    }

    private void complete(Dispatch dispatch, EffectResult result) {
        decider.post(() -> {
            open.remove(dispatch.id());
            attached().completed(dispatch, result, true);
        });
    }

    private boolean mayStart(Dispatch dispatch) {
        return dispatch.epoch() == leadingEpoch.get();
    }

    private ControlLoop attached() {
        return Objects.requireNonNull(loop);
    }
}
