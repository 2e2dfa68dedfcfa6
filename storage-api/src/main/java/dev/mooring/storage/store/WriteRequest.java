// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import org.apiguardian.api.API;

/**
 * A requested write.
 *
 * @param verb what it does; never null
 * @param kind the kind of the object; never null
 * @param key its name; the name is empty if it shall be generated; never null
 * @param subresource {@code status}, or empty for the object itself; never null
 * @param client the client, if the store distinguishes clients; empty if it is not known; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WriteRequest(WriteVerb verb, Kind<?> kind, ObjectKey key, String subresource, String client) {}
