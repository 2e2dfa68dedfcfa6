// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.StoreResult;

/** What users do to the cluster, with whole documents. Nothing of it is a write of the control plane. */
public interface UserApi {
    /**
     * Stores an object verbatim, status and metadata included, without admission; replaces one of the same name. A claim or a volume
     * without a phase is Pending, as every reader of an API server sees it.
     */
    StoreResult<?> load(Kind<?> kind, ObjectKey key, Document object);

    /** Creates an object, or merge-patches everything but the status of the existing one, with the API's rules. */
    StoreResult<?> apply(Kind<?> kind, ObjectKey key, Document object);

    /** Applies a merge patch to an object, or to its status. */
    StoreResult<?> patch(Kind<?> kind, ObjectKey key, boolean status, Document merge);

    /**
     * Deletes an object.
     *
     * @param force whether a pod goes at once
     */
    StoreResult<?> delete(Kind<?> kind, ObjectKey key, boolean force);
}
