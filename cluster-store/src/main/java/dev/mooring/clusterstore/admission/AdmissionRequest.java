// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.admission;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A write that asks for admission.
 *
 * @param kind the kind of the object; never null
 * @param subresource {@code status}, or empty for the object itself; never null
 * @param before the object as it is; empty for a creation; never null
 * @param object the object as it is wanted, with defaults filled in; never null
 * @param client the client; empty if it is unknown; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionRequest(
        Kind<?> kind, String subresource, Optional<Document> before, Document object, String client) {
    /** Whether an object of this kind is to be created. */
    public boolean creates(Kind<?> wanted) {
        return kind == wanted && before.isEmpty();
    }

    /** The same request with another object. */
    public AdmissionRequest withObject(Document newObject) {
        return new AdmissionRequest(kind, subresource, before, newObject, client);
    }
}
