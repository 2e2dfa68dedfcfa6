// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.SteadyClock;
import dev.mooring.storage.spi.CancelActions;
import dev.mooring.storage.spi.Notice;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call on its way; the ticket that the call sees. Thread-safe. */
final class RunningCall implements CallTicket {
    private static final Logger LOG = LoggerFactory.getLogger(RunningCall.class);

    private final Dispatch dispatch;
    private final InstantSource clock;
    private final Instant deadline;
    private final Consumer<Notice> notices;
    private final Set<Notice> reported = new HashSet<>();
    private final CancelActions cancelActions = new CancelActions();
    private Runnable timeLimit = () -> {};
    private Runnable queue = () -> {};
    private boolean started;
    private boolean answered;

    RunningCall(Dispatch dispatch, SteadyClock clock, Duration limit, Consumer<Notice> notices) {
        this.dispatch = dispatch;
        this.clock = clock;
        this.deadline = clock.instant().plus(limit);
        this.notices = notices;
    }

    Dispatch dispatch() {
        return dispatch;
    }

    /** Marks the start; false if the call was given up while it waited. */
    synchronized boolean start() {
        started = !answered;
        return started;
    }

    synchronized boolean hasStarted() {
        return started;
    }

    /** Claims the right to answer; true for the first who asks. */
    synchronized boolean answer() {
        boolean first = !answered;
        answered = true;
        return first;
    }

    /**
     * Asks the call to end.
     *
     * @param executor does what the call wants done then
     */
    void cancel(Executor executor) {
        for (Runnable action : cancelActions.cancel()) {
            try {
                executor.execute(() -> carryOut(action));
            } catch (RejectedExecutionException e) {
                LOG.debug(
                        "{} is not asked to end: the runtime has ended",
                        dispatch.effect().operation(),
                        e);
            }
        }
    }

    private void carryOut(Runnable action) {
        try {
            action.run();
        } catch (Throwable defect) { // the plugin's
            LOG.error("cancelling {} threw", dispatch.effect().operation(), TextlessTrace.of(defect));
        }
    }

    /** What takes the time limit back; called by the decider. */
    void onTimeLimit(Runnable takeBack) {
        timeLimit = takeBack;
    }

    /** Cancels the time limit, so that it wakes no key; called by the decider. */
    void withdrawTimeLimit() {
        timeLimit.run();
    }

    /** What takes the call out of the queue in which it may wait for its turn; called by the decider. */
    void onGivenUp(Runnable leaveQueue) {
        queue = leaveQueue;
    }

    /** Leaves the queue: a back-end that hangs for ever would keep all its waiting calls there. Called by the decider. */
    void leaveQueue() {
        queue.run();
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public Instant deadline() {
        return deadline;
    }

    @Override
    public boolean cancelled() {
        return cancelActions.cancelled();
    }

    @Override
    public void onCancel(Runnable action) {
        cancelActions.onCancel(action);
    }

    @Override
    public int attempt() {
        return dispatch.attempt();
    }

    @Override
    public String idempotencyKey() {
        return dispatch.idempotencyKey();
    }

    @Override
    public void report(Notice notice) {
        synchronized (this) {
            if (reported.size() >= Notice.MOST_OF_ONE_WORK || !reported.add(notice)) {
                return; // a plugin that repeats itself delays no other call
            }
        }
        notices.accept(notice);
    }
}
