// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.collection;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import org.apiguardian.api.API;

/**
 * What garbage collection needs to know of an object.
 *
 * @param kind its kind; never null
 * @param metadata its metadata; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Member(Kind<?> kind, ObjectMeta metadata) {
    /** The part of an object that matters. */
    public static Member of(Kind<?> kind, KubernetesObject object) {
        return new Member(kind, object.metadata());
    }

    /** Its name. */
    public ObjectKey key() {
        return ObjectKey.of(metadata.namespace(), metadata.name());
    }

    /** Whether it is on its way out and waits until its dependents are dealt with so. */
    public boolean isDeletingWith(Propagation propagation) {
        return metadata.isDeleting() && metadata.hasFinalizer(propagation.finalizer());
    }
}
