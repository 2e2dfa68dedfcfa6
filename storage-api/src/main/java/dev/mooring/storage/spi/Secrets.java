// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.model.ObjectKey;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** The secrets that one call may use. Neither this nor a {@link SecretValue} prints what it holds. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface Secrets {
    /** No secrets at all. */
    Secrets NONE = secret -> Optional.empty();

    /**
     * Looks up all that a secret holds, live. That it cannot be looked up now is not absence, and no defect of the plugin: before it has
     * changed anything, a plugin catches the exception and answers {@link Outcome.Deferred}; what it lets through counts as {@link
     * Outcome.Uncertain}.
     *
     * @param secret namespace and name of the Secret object
     * @return the values by the keys of its data; empty if there is surely no such secret
     * @throws IllegalStateException if it cannot be read now, for example while the cluster cannot be reached; the message holds no value
     */
    Optional<Map<String, SecretValue>> find(ObjectKey secret);

    /**
     * Looks up one value, as {@link #find(ObjectKey)} does.
     *
     * @param secret namespace and name of the Secret object
     * @param key the key in its data
     * @return the value; empty if there is surely no such secret or key
     * @throws IllegalStateException if it cannot be read now
     */
    default Optional<SecretValue> find(ObjectKey secret, String key) {
        return find(secret).flatMap(values -> Optional.ofNullable(values.get(key)));
    }
}
