// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/** Makes tokens of service accounts, as an API server does by its TokenRequest. Thread-safe; keeps nothing: see {@link PodTokens}. */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface TokenIssuer {
    /** There are no tokens. */
    TokenIssuer NONE = (pod, account, audience, life) -> Outcome.refused(
            Refusal.UNSUPPORTED, "serviceAccountToken: this node has no source of tokens of service accounts");

    /**
     * A token.
     *
     * @param value what proves it
     * @param expires when it ends
     */
    record Issued(SecretValue value, Instant expires) {}

    /**
     * A new token of a service account of the pod's namespace, bound to the pod.
     *
     * @param account the service account's name
     * @param audience which server it is for; absent for the API server
     * @param life how long it shall be valid; the issuer may choose otherwise
     * @return the token; any failure is told to the pod
     */
    Outcome<Issued> issue(PodRef pod, String account, Optional<String> audience, Duration life);
}
