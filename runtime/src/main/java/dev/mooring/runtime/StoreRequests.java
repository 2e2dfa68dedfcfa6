// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** Carries out the store effects of a loop against a store; used by every interpreter. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StoreRequests {
    private StoreRequests() {}

    /**
     * Carries out one effect. Blocks.
     *
     * @throws IllegalArgumentException if it is not a request to a store
     */
    public static StoreResult<?> carryOut(ClusterStore store, Effect effect) {
        if (effect instanceof Effect.Create<?> create) {
            return create(store, create);
        } else if (effect instanceof Effect.Update<?> update) {
            return update(store, update);
        } else if (effect instanceof Effect.UpdateStatus<?> update) {
            return updateStatus(store, update);
        } else if (effect instanceof Effect.Delete<?> delete) {
            return store.delete(delete.kind(), delete.object(), delete.options());
        } else if (effect instanceof Effect.Read<?> read) {
            return store.get(read.kind(), read.object());
        } else if (effect instanceof Effect.FindLive<?> search) {
            return find(store, search);
        }
        throw new IllegalArgumentException("no request to a store: " + effect);
    }

    private static <T extends KubernetesObject> StoreResult<?> find(ClusterStore store, Effect.FindLive<T> search) {
        List<StoreResult<?>> answers = new ArrayList<>();
        LiveList<T> list = new LiveList<>(search);
        list.ask(search.wanted(), answers::add);
        list.carryOut(store);
        return answers.get(0);
    }

    /** The same, with a defect of the store taken for a lost answer. */
    static StoreResult<?> guarded(ClusterStore store, Effect effect) {
        try {
            return carryOut(store, effect);
        } catch (Throwable defect) { // also a LinkageError: the waiting key has to get an answer
            return StoreResult.failed(Failure.UNKNOWN, "the store failed: " + defect);
        }
    }

    private static <T extends KubernetesObject> StoreResult<?> create(ClusterStore store, Effect.Create<T> create) {
        return store.create(create.kind(), create.value());
    }

    private static <T extends KubernetesObject> StoreResult<?> update(ClusterStore store, Effect.Update<T> update) {
        return store.update(update.kind(), update.change());
    }

    private static <T extends KubernetesObject> StoreResult<?> updateStatus(
            ClusterStore store, Effect.UpdateStatus<T> update) {
        return store.updateStatus(update.kind(), update.change());
    }
}
