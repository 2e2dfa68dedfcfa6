// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A store that writes only during one {@link Term}.
 *
 * <p>Guaranteed: no write is handed to the network when more than the renewal deadline has passed since the last successful renewal was
 * sent, however long the process slept; others take over no earlier than the lease's duration after they saw that renewal. So a write
 * that takes less than the margin (duration − deadline, 5 s by default) to arrive never arrives in another's term.
 *
 * <p>Not guaranteed, since the API server checks no lease: a process that is stopped between this check and the system call that sends
 * the request, or a network that holds a request longer than the margin, lets at most what was in flight arrive late. Then the
 * preconditions hold: a change names the resourceVersion it was decided on, a deletion uid and version, a creation has a name that
 * is derived from what it is for. So a late write takes effect only on an object that nobody has touched since it was decided on.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FencedStore implements ClusterStore {
    private final ClusterStore store;
    private final Term term;

    /**
     * Wraps a store.
     *
     * @param store stays the caller's and is not closed by this one's closing
     * @param term when to write
     */
    public FencedStore(ClusterStore store, Term term) {
        this.store = store;
        this.term = term;
    }

    private <R> StoreResult<R> fenced(Supplier<StoreResult<R>> write) {
        return term.isHeld()
                ? write.get()
                : StoreResult.failed(
                        Failure.UNAVAILABLE,
                        "not sent: term " + term.number() + " of the leader that decided it is over");
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        return store.get(kind, key);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
        return store.list(kind, options);
    }

    @Override
    public <T extends KubernetesObject> Watch watch(
            Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
        return store.watch(kind, options, after, listener);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> create(Kind<T> kind, T object) {
        return fenced(() -> store.create(kind, object));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> update(Kind<T> kind, Change<T> change) {
        return fenced(() -> store.update(kind, change));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> updateStatus(Kind<T> kind, Change<T> change) {
        return fenced(() -> store.updateStatus(kind, change));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<Deletion<T>> delete(
            Kind<T> kind, ObjectKey key, DeleteOptions options) {
        return fenced(() -> store.delete(kind, key, options));
    }

    @Override
    public Duration requestTimeout() {
        return store.requestTimeout();
    }

    @Override
    public void close() {
        // the store belongs to whoever made it
    }
}
