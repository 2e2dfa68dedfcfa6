// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/** Gives the tokens of service accounts that CSI drivers ask for with a pod's volumes (semantics/csi §6.7). Thread-safe. */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface DriverTokens {
    /** There are no tokens. */
    DriverTokens NONE = (pod, account, audience, life) ->
            Outcome.refused(Refusal.UNSUPPORTED, "this node has no source of tokens of service accounts");

    /**
     * A token.
     *
     * @param value what proves it
     * @param expires when it ends
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    record Given(SecretValue value, Instant expires) {}

    /**
     * A token of a service account of a pod's namespace, bound to the pod, that is good for a while yet.
     *
     * @param account the service account's name
     * @param audience which server it is for; empty for the API server
     * @param life how long a new one shall be good
     * @return the token; any failure is told to the pod
     */
    Outcome<Given> token(PodRef pod, String account, Optional<String> audience, Duration life);
}
