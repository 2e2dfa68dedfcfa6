// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One step of a store's history.
 *
 * @param before the object before the step; empty if the step created it
 * @param after the object after the step; if the step removed it, its last state, carrying the revision of the deletion; never null
 * @param removed whether the step removed the object
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Commit(Optional<StoredDocument> before, StoredDocument after, boolean removed) {
    /** The revision of the step. */
    public Revision revision() {
        return after.revision();
    }

    /** The kind of the object. */
    public Kind<?> kind() {
        return after.kind();
    }

    /** The name of the object within its kind. */
    public ObjectKey key() {
        return after.key();
    }
}
