// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchListener;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** A store that notes what is read from it, as an API server's authorizer would name it. Thread-safe. */
final class Followed extends ForwardingStore {
    private final Set<String> rights = new ConcurrentSkipListSet<>();

    Followed(ClusterStore store) {
        super(store);
    }

    Set<String> rights() {
        return rights;
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        rights.add(RightsTest.right("get", kind, ""));
        return super.get(kind, key);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
        rights.add(RightsTest.right("list", kind, ""));
        return super.list(kind, options);
    }

    @Override
    public <T extends KubernetesObject> Watch watch(
            Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
        rights.add(RightsTest.right("watch", kind, ""));
        return super.watch(kind, options, after, listener);
    }
}
