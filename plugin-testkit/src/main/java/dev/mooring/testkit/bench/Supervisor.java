// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Ends a check whose plugin does not answer. The check runs on a thread of its own. If a call goes on for longer than the plugin may take,
 * the check fails with the stack of the call, and the thread is left behind: no other test waits for it. Thread-safe.
 */
public final class Supervisor {
    private static final long LOOK_MILLIS = 100;
    private static final int MOST_FRAMES = 40;

    private final Duration limit;
    private final Runnable silent;
    private final Map<Thread, Call> running = new ConcurrentHashMap<>();
    private final List<Runnable> endings = new ArrayList<>();
    private volatile long lastNanos = KitClock.nanos();

    /** A call of the plugin that has not ended. */
    private record Call(Thread thread, String what, Runnable hung, long sinceNanos) {}

    private Supervisor(Duration limit, Runnable silent) {
        this.limit = limit;
        this.silent = silent;
    }

    /**
     * Does something that calls the plugin.
     *
     * @param about names it, for people
     * @param limit how long one call may take
     * @param silent what is done if neither a call begins or ends for so long, nor the body itself ends
     * @param body what is done; it is given the supervisor of its calls
     * @throws BrokenRule K15 if a call of the plugin does not end
     */
    public static void run(String about, Duration limit, Runnable silent, Consumer<Supervisor> body) {
        Supervisor supervisor = new Supervisor(limit, silent);
        FutureTask<Boolean> task = new FutureTask<>(() -> body.accept(supervisor), true);
        Thread thread = new Thread(task, "kit-check " + about);
        thread.setDaemon(true);
        thread.start();
        supervisor.await(task, thread);
    }

    private void await(FutureTask<Boolean> task, Thread thread) {
        while (true) {
            try {
                task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                Optional<BrokenRule> hung = overdue(thread);
                if (hung.isPresent()) {
                    thread.interrupt();
                    end();
                    throw hung.get();
                }
            } catch (ExecutionException e) {
                throw unchecked(Objects.requireNonNullElse(e.getCause(), e));
            } catch (InterruptedException e) {
                thread.interrupt();
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while a check runs", e);
            }
        }
    }

    private static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException runtime ? runtime : new IllegalStateException(failure);
    }

    /** Notes that the running thread calls the plugin. */
    void begins(String what, Runnable hung) {
        lastNanos = KitClock.nanos();
        running.put(Thread.currentThread(), new Call(Thread.currentThread(), what, hung, lastNanos));
    }

    /** Notes that the call of the running thread has ended. */
    void ends() {
        lastNanos = KitClock.nanos();
        running.remove(Thread.currentThread());
    }

    /** What is done, on another thread, if the check is given up. */
    synchronized void whenGivenUp(Runnable ending) {
        endings.add(ending);
    }

    private synchronized void end() {
        endings.forEach(Runnable::run);
    }

    private Optional<BrokenRule> overdue(Thread check) {
        long now = KitClock.nanos();
        Optional<Call> oldest =
                running.values().stream().min(Comparator.comparingLong(call -> call.sinceNanos() - now));
        if (oldest.isPresent()) {
            Call call = oldest.get();
            if (now - call.sinceNanos() <= limit.toNanos()) {
                return Optional.empty();
            }
            call.hung().run();
            call.thread().interrupt();
            return Optional.of(broken("'" + call.what() + "'", limit, call.thread()));
        }
        if (now - lastNanos <= limit.toNanos()) {
            return Optional.empty();
        }
        silent.run();
        return Optional.of(broken("a call without a deadline (describe, identify, validate, plan, …)", limit, check));
    }

    private static BrokenRule broken(String what, Duration waited, Thread thread) {
        StringBuilder text = new StringBuilder(what + " did not end within " + waited.toMillis() + " ms. The thread '"
                + thread.getName() + "' is " + thread.getState() + " in:");
        StackTraceElement[] stack = thread.getStackTrace();
        for (int i = 0; i < Math.min(stack.length, MOST_FRAMES); i++) {
            text.append("\n      at ").append(stack[i]);
        }
        return new BrokenRule(Rule.DEADLINE_OBEYED, text.toString());
    }
}
