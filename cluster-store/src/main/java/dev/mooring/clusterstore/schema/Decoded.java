// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * An object as the API server reads it.
 *
 * @param object the object: a field that is null is left out, an element that is null is the empty value of its type, quantities and bytes are
 *     in their canonical form; what the schema does not know is kept; never null
 * @param wrong the first value of a wrong type; the object is of no use then; never null
 * @param unknown the paths of fields that the schema does not know, in their order; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Decoded(Document object, Optional<WrongValue> wrong, List<String> unknown) {
    /** Copies the list. */
    public Decoded {
        unknown = List.copyOf(unknown);
    }
}
