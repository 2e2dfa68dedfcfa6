// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.model.ObjectKey;
import java.util.Optional;
import org.apiguardian.api.API;

/** The secrets that one call may use. Neither this nor a {@link SecretValue} prints what it holds. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Secrets {
    /** No secrets at all. */
    Secrets NONE = (secret, key) -> Optional.empty();

    /**
     * Looks up a value.
     *
     * @param secret namespace and name of the Secret object
     * @param key the key in its data
     * @return the value; empty if there is no such secret or key
     */
    Optional<SecretValue> find(ObjectKey secret, String key);
}
