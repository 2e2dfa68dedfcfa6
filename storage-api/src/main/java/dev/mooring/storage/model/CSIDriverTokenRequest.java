// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A token of the pod's service account that a CSI driver wants with its publish calls.
 *
 * @param audience which server the token is for; empty for the API server
 * @param expirationSeconds how long it shall be good, at least 600; absent for the API server's choice
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record CSIDriverTokenRequest(String audience, Optional<Long> expirationSeconds)
        implements CSIDriverTokenRequestBuilder.With {
    /** Nothing set. */
    public static final CSIDriverTokenRequest EMPTY = new CSIDriverTokenRequest("", Optional.empty());
}
