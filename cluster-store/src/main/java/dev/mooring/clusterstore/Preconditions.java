// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.fields.Messages;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.StoreResult.Failure;

/** Optimistic concurrency: what a client believes about the current object must be true. */
final class Preconditions {
    private Preconditions() {}

    /**
     * Refuses as a conflict if the object is another one, or another version of it.
     *
     * @param uid the uid believed; empty for any
     * @param resourceVersion the version believed; empty for any
     */
    static void check(Kind<?> kind, Document current, String uid, String resourceVersion) {
        String name = Fields.name(current);
        if (!uid.isEmpty() && !uid.equals(Fields.uid(current))) {
            throw new Refused(Failure.CONFLICT, Messages.otherUid(kind, name, uid, Fields.uid(current)));
        }
        if (!resourceVersion.isEmpty() && !resourceVersion.equals(Fields.resourceVersion(current))) {
            throw new Refused(Failure.CONFLICT, Messages.modified(kind, name));
        }
    }

    /** The same with what a document says. */
    static void check(Kind<?> kind, Document current, Document believed) {
        check(kind, current, Fields.uid(believed), Fields.resourceVersion(believed));
    }
}
