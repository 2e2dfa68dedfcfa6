// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * One user's view of a shared store: every call is passed on to that store, and its answers and exceptions come back
 * unchanged. What stands in the way of writes overrides {@link #write}; what else is particular, the method itself. As thread-safe as
 * the store.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class ForwardingStore implements ClusterStore {
    private final ClusterStore store;

    /**
     * Makes the way.
     *
     * @param store where calls go on to; stays the caller's and is not closed by this one's closing; never null
     */
    protected ForwardingStore(ClusterStore store) {
        this.store = store;
    }

    /**
     * Carries out a write. By the caller's thread, for each write exactly once.
     *
     * @param request the request, without a client: {@link WriteRequest#client} is empty; never null
     * @param call the write itself: sends it and answers with the store's result, each time that it is asked; never null
     * @return the answer to the user; here the store's result
     */
    protected <R> StoreResult<R> write(WriteRequest request, Supplier<StoreResult<R>> call) {
        return call.get();
    }

    private static WriteRequest request(WriteVerb verb, Kind<?> kind, ObjectKey key, String subresource) {
        return new WriteRequest(verb, kind, key, subresource, "");
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
        return write(request(WriteVerb.CREATE, kind, ObjectKey.of(object), ""), () -> store.create(kind, object));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> update(Kind<T> kind, Change<T> change) {
        return write(request(WriteVerb.UPDATE, kind, change.key(), ""), () -> store.update(kind, change));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> updateStatus(Kind<T> kind, Change<T> change) {
        return write(request(WriteVerb.UPDATE, kind, change.key(), "status"), () -> store.updateStatus(kind, change));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<Deletion<T>> delete(
            Kind<T> kind, ObjectKey key, DeleteOptions options) {
        return write(request(WriteVerb.DELETE, kind, key, ""), () -> store.delete(kind, key, options));
    }

    @Override
    public Duration requestTimeout() {
        return store.requestTimeout();
    }

    /** Does nothing: the store belongs to its creator. */
    @Override
    public void close() {}
}
