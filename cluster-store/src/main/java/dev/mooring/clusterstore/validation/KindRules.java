// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.storage.document.Document;
import org.apiguardian.api.API;

/**
 * The rules of one kind, beyond those of every object's metadata. Implementations are pure and thread-safe. They are given documents
 * with defaults filled in, whose known fields have the right types.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface KindRules {
    /** Checks a state by itself; used for new objects and, before {@link #change}, for changed ones. */
    void state(Document object, Problems problems);

    /** Checks a change of everything but the status. */
    default void change(Document before, Document after, Problems problems) {}

    /** Checks a change of the status. */
    default void statusChange(Document before, Document after, Problems problems) {}
}
