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
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * What a runtime may be given instead of its defaults. Immutable; each {@code with…} answers with a changed copy.
 *
 * @param name prefix of the names of the threads that the runtime starts, and its name in logs
 * @param calls carries out calls to plugins and to the host
 * @param events where news for people go
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
                (call, ticket) -> Outcome.deferred("nobody here carries out " + call.operation()),
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
        return new RuntimeOptions(
                newName, calls, events, listener, time, random, threads, storeExecutor, callExecutor, limits);
    }

    /** Another handler of calls. */
    public RuntimeOptions withCalls(CallHandler handler) {
        return new RuntimeOptions(
                name, handler, events, listener, time, random, threads, storeExecutor, callExecutor, limits);
    }

    /** Another receiver of news. */
    public RuntimeOptions withEvents(EventSink sink) {
        return new RuntimeOptions(
                name, calls, sink, listener, time, random, threads, storeExecutor, callExecutor, limits);
    }

    /** Another listener. */
    public RuntimeOptions withListener(LoopListener newListener) {
        return new RuntimeOptions(
                name, calls, events, newListener, time, random, threads, storeExecutor, callExecutor, limits);
    }

    /** Other clocks. */
    public RuntimeOptions withTime(TimeSource source) {
        return new RuntimeOptions(
                name, calls, events, listener, source, random, threads, storeExecutor, callExecutor, limits);
    }

    /** Another source of jitter, such as a seeded one. */
    public RuntimeOptions withRandom(RandomGenerator generator) {
        return new RuntimeOptions(
                name, calls, events, listener, time, generator, threads, storeExecutor, callExecutor, limits);
    }

    /** Another maker of threads; the runtime names them before they start. */
    public RuntimeOptions withThreads(ThreadFactory factory) {
        return new RuntimeOptions(
                name, calls, events, listener, time, random, factory, storeExecutor, callExecutor, limits);
    }

    /** Executors that the embedder owns. */
    public RuntimeOptions withExecutors(Executor forStore, Executor forCalls) {
        return new RuntimeOptions(
                name,
                calls,
                events,
                listener,
                time,
                random,
                threads,
                Optional.of(forStore),
                Optional.of(forCalls),
                limits);
    }

    /** Other limits. */
    public RuntimeOptions withLimits(CallLimits newLimits) {
        return new RuntimeOptions(
                name, calls, events, listener, time, random, threads, storeExecutor, callExecutor, newLimits);
    }
}
