// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

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
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchListener;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** A store that notes what is asked of it, as an API server's authorizer would name it. Thread-safe. */
final class Followed implements ClusterStore {
    private final ClusterStore store;
    private final Set<String> rights = new ConcurrentSkipListSet<>();

    Followed(ClusterStore store) {
        this.store = store;
    }

    Set<String> rights() {
        return rights;
    }

    private void note(String verb, Kind<?> kind, String subresource) {
        rights.add(verb + " " + kind.plural() + subresource + (kind.group().isEmpty() ? "" : "." + kind.group()));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        note("get", kind, "");
        return store.get(kind, key);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
        note("list", kind, "");
        return store.list(kind, options);
    }

    @Override
    public <T extends KubernetesObject> Watch watch(
            Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
        note("watch", kind, "");
        return store.watch(kind, options, after, listener);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> create(Kind<T> kind, T object) {
        note("create", kind, "");
        return store.create(kind, object);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> update(Kind<T> kind, Change<T> change) {
        note("patch", kind, "");
        return store.update(kind, change);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> updateStatus(Kind<T> kind, Change<T> change) {
        note("patch", kind, "/status");
        return store.updateStatus(kind, change);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<Deletion<T>> delete(
            Kind<T> kind, ObjectKey key, DeleteOptions options) {
        note("delete", kind, "");
        return store.delete(kind, key, options);
    }

    @Override
    public void close() {
        // the store belongs to whoever made it
    }
}
