// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The Secret objects of a store, read live at every look: nothing is kept in memory longer than the call that asked for it, and a value
 * that was changed is seen by the next call. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StoreSecrets implements Secrets {
    private final ClusterStore store;

    /**
     * Secrets of a store.
     *
     * @param store where they are; it is not closed here
     */
    public StoreSecrets(ClusterStore store) {
        this.store = store;
    }

    /**
     * Looks up all that a secret holds.
     *
     * @throws IllegalStateException if the store cannot answer now, which is not absence; the message names the object and holds no value
     */
    @Override
    public Optional<Map<String, SecretValue>> find(ObjectKey secret) {
        StoreResult<Secret> found = store.get(Kinds.SECRET, secret);
        boolean unknown =
                found.failure().filter(failure -> failure != Failure.NOT_FOUND).isPresent();
        if (unknown) {
            throw new IllegalStateException(
                    "secret " + secret + " cannot be read: " + found.failure().orElseThrow());
        }
        return found.value().map(object -> {
            Map<String, SecretValue> values = new TreeMap<>();
            object.data().forEach((key, hidden) -> {
                byte[] bytes = hidden.revealBytes();
                values.put(key, new SecretValue(bytes));
                Arrays.fill(bytes, (byte) 0);
            });
            return values;
        });
    }
}
