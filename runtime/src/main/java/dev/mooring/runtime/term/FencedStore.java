// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.term;

import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteRequest;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A store that writes only during one {@link Tenure}. As thread-safe as the store that it wraps.
 *
 * <p>Guaranteed: no write is handed to the network when more than the renewal deadline has passed since the last successful renewal was
 * sent, however long the process slept; others take over no earlier than the lease's duration after they saw that renewal. So a write
 * that takes less than the margin (duration − deadline) to arrive never arrives in another's term.
 *
 * <p>Not guaranteed, since the API server checks no lease: a process that is stopped between this check and the system call that sends
 * the request, or a network that holds a request longer than the margin, lets at most what was in flight arrive late. Then the
 * preconditions hold: a change names the resourceVersion it was decided on, a deletion uid and version, a creation has a name that
 * is derived from what it is for. So a late write takes effect only on an object that is unchanged since the decision.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FencedStore extends ForwardingStore {
    private final Tenure term;

    /**
     * Wraps a store.
     *
     * @param store stays the caller's and is not closed by this one's closing
     * @param term when to write
     */
    public FencedStore(ClusterStore store, Tenure term) {
        super(store);
        this.term = term;
    }

    @Override
    protected <R> StoreResult<R> write(WriteRequest request, Supplier<StoreResult<R>> call) {
        return term.isHeld()
                ? call.get()
                : StoreResult.failed(
                        Failure.UNAVAILABLE,
                        "not sent: term " + term.number() + " of the leader that decided it is over");
    }
}
