// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.spi.Outcome;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * What a runtime may be given instead of its defaults. Immutable; each {@code with…} answers with a changed copy.
 *
 * @param name prefix of the names of the threads that the runtime starts, and its name in logs
 * @param calls carries out calls to plugins and to the host
 * @param events where announcements for people go
 * @param listener hears of the loop's work
 * @param time both clocks
 * @param random the source of jitter
 * @param threads makes the decider's thread, those that carry out what calls want done when they are to end early, and every
 *     other thread unless executors are given
 * @param storeExecutor runs requests to the store, which block; absent for a pool of the runtime's own. A given one is never shut down
 * @param callExecutor runs calls, which block; absent for a pool of the runtime's own. A given one is never shut down
 * @param limits how many calls may be in flight
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RuntimeOptions(
        String name,
        CallHandler calls,
        EventSink events,
        LoopListener listener,
        TimeSource time,
        RandomGenerator random,
        ThreadFactory threads,
        Optional<Executor> storeExecutor,
        Optional<Executor> callExecutor,
        CallLimits limits) {

    /**
     * Checks that nothing is missing.
     *
     * @throws NullPointerException if an argument is null; the message names it
     */
    public RuntimeOptions {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(calls, "calls");
        Objects.requireNonNull(events, "events");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(threads, "threads");
        Objects.requireNonNull(storeExecutor, "storeExecutor");
        Objects.requireNonNull(callExecutor, "callExecutor");
        Objects.requireNonNull(limits, "limits");
    }

    /** The defaults: no plugins (every call is deferred), no events, the clocks of this machine, daemon threads. */
    public static RuntimeOptions defaults() {
        String name = "mooring";
        return new RuntimeOptions(
                name,
                (call, ticket) -> Outcome.deferred("no handler here carries out " + call.operation()),
                EventSink.NONE,
                LoopListener.NONE,
                TimeSource.system(),
                new SplittableRandom(),
                NamedThreads.daemons(),
                Optional.empty(),
                Optional.empty(),
                CallLimits.DEFAULT);
    }

    /** Another name. */
    public RuntimeOptions withName(String newName) {
        return with(draft -> draft.name = newName);
    }

    /** Another handler of calls. */
    public RuntimeOptions withCalls(CallHandler handler) {
        return with(draft -> draft.calls = handler);
    }

    /** Sets the receiver of announcements. */
    public RuntimeOptions withEvents(EventSink sink) {
        return with(draft -> draft.events = sink);
    }

    /** Another listener. */
    public RuntimeOptions withListener(LoopListener newListener) {
        return with(draft -> draft.listener = newListener);
    }

    /** Other clocks. */
    public RuntimeOptions withTime(TimeSource source) {
        return with(draft -> draft.time = source);
    }

    /** Another source of jitter, such as a seeded one. */
    public RuntimeOptions withRandom(RandomGenerator generator) {
        return with(draft -> draft.random = generator);
    }

    /** Another maker of threads; the runtime names them before they start. */
    public RuntimeOptions withThreads(ThreadFactory factory) {
        return with(draft -> draft.threads = factory);
    }

    /** Executors that the embedder owns. */
    public RuntimeOptions withExecutors(Executor forStore, Executor forCalls) {
        return with(draft -> {
            draft.storeExecutor = Optional.of(forStore);
            draft.callExecutor = Optional.of(forCalls);
        });
    }

    /** Other limits. */
    public RuntimeOptions withLimits(CallLimits newLimits) {
        return with(draft -> draft.limits = newLimits);
    }

    private RuntimeOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** The same values, changeable, so that what changes one need not name all. */
    private static final class Draft {
        private String name;
        private CallHandler calls;
        private EventSink events;
        private LoopListener listener;
        private TimeSource time;
        private RandomGenerator random;
        private ThreadFactory threads;
        private Optional<Executor> storeExecutor;
        private Optional<Executor> callExecutor;
        private CallLimits limits;

        Draft(RuntimeOptions from) {
            name = from.name;
            calls = from.calls;
            events = from.events;
            listener = from.listener;
            time = from.time;
            random = from.random;
            threads = from.threads;
            storeExecutor = from.storeExecutor;
            callExecutor = from.callExecutor;
            limits = from.limits;
        }

        RuntimeOptions options() {
            return new RuntimeOptions(
                    name, calls, events, listener, time, random, threads, storeExecutor, callExecutor, limits);
        }
    }
}
