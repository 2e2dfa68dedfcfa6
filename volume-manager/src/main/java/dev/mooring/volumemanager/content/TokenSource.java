// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.SecretValue;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where projected volumes get tokens of service accounts. An implementation keeps tokens that are still valid, and says so by {@link
 * ContentFeed#changed} when a pod's volumes need another one (at 80 % of a token's life, semantics/plugins §1.9); {@link PodTokens} does.
 * Thread-safe.
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface TokenSource {
    /** There are no tokens. */
    TokenSource NONE = (pod, account, audience, life) ->
            TokenIssuer.NONE.issue(pod, account, audience, life).map(TokenIssuer.Issued::value);

    /**
     * A token of a service account of a pod's namespace.
     *
     * @param pod the pod, to which the token is bound
     * @param account the service account's name
     * @param audience which server it is for; absent for the API server
     * @param life how long it shall be valid; the issuer may choose otherwise
     * @return the token; any failure is told to the pod
     */
    Outcome<SecretValue> token(PodRef pod, String account, Optional<String> audience, Duration life);

    /**
     * A volume of a pod is shown no longer: what is kept for the pod may go. Another volume of it asks again.
     *
     * @param pod the pod, which may have had no tokens
     */
    default void release(PodRef pod) {
        // an implementation that keeps nothing has nothing to let go
    }
}
