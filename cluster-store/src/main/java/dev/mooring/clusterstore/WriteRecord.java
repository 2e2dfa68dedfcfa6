// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteVerb;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A write that the store accepted or refused.
 *
 * @param verb what it did; never null
 * @param kind the name of the kind; never null
 * @param namespace empty for cluster-scoped kinds; never null
 * @param name the name, generated names included; empty if it was refused before one was generated; never null
 * @param subresource {@code status}, or empty for the object itself; never null
 * @param outcome the failure that the client got; empty for success; never null
 * @param revision the revision that it made; empty if nothing changed; never null
 * @param client the client; empty if it is unknown; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WriteRecord(
        WriteVerb verb,
        String kind,
        String namespace,
        String name,
        String subresource,
        Optional<Failure> outcome,
        Optional<Revision> revision,
        String client) {
    /** The outcome as one word: {@code ok}, {@code conflict}, {@code not-found} and so on. */
    public String outcomeWord() {
        return outcome.map(failure -> failure.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .orElse("ok");
    }
}
