// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteRequest;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Stands between clients and a store and makes writes fail: for simulators and tests. Called by the writing thread, outside every
 * lock; it may block, or throw to end the writer: what it throws reaches the caller.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface WriteInterceptor {
    /** Lets everything pass. */
    WriteInterceptor NONE = request -> Interception.PROCEED;

    /** Decides about a write before the store has looked at it. */
    Interception before(WriteRequest request);

    /**
     * Hears of a write after it was carried out or refused, and after watches were served.
     *
     * @param outcome the answer that the client is about to get; empty for success
     */
    default void after(WriteRequest request, Optional<Failure> outcome) {}
}
