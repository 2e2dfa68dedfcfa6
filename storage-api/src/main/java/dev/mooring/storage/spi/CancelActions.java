// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What one call has registered for its cancellation, for those who implement {@link OperationContext}: each action is run once. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CancelActions {
    private final List<Runnable> actions = new ArrayList<>();
    private boolean cancelled;

    /** Nothing is registered, and the call is not cancelled. */
    public CancelActions() {}

    /** See {@link OperationContext#cancelled}. */
    public synchronized boolean cancelled() {
        return cancelled;
    }

    /** See {@link OperationContext#onCancel}. */
    public void onCancel(Runnable action) {
        synchronized (this) {
            if (!cancelled) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }

    /**
     * Cancels the call.
     *
     * @return the actions that the caller has to run now, in the order of registration; empty the second time; never null
     */
    public synchronized List<Runnable> cancel() {
        cancelled = true;
        List<Runnable> due = List.copyOf(actions);
        actions.clear();
        return due;
    }
}
