// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where tokens of service accounts come from, for projected volumes. Whoever implements it keeps tokens that are still good, and says so
 * by {@link ContentFeed#changed} when a pod's volumes need another one (at 80 % of a token's life, semantics/plugins §1.9).
 * Thread-safe.
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface TokenSource {
    /** There are no tokens. */
    TokenSource NONE = (pod, audience, life) -> Outcome.refused(
            Refusal.UNSUPPORTED, "serviceAccountToken: this node has no source of tokens of service accounts");

    /**
     * A token of a pod's service account.
     *
     * @param pod the pod, to which the token is bound
     * @param audience whom it is for; absent for the API server
     * @param life how long it shall be good; whoever issues it may choose otherwise
     * @return the token; any failure is told to the pod
     */
    Outcome<SecretValue> token(PodRef pod, Optional<String> audience, Duration life);
}
