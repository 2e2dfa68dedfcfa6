// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ModelException;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import org.apiguardian.api.API;

/**
 * One version of an object in a store: the whole document, and beside it the typed value, read once. Immutable.
 *
 * @param kind its kind; never null
 * @param key its name within the kind; never null
 * @param revision the revision that made this version; equal to {@code metadata.resourceVersion} but for loaded objects, which may
 *     keep an older one; never null
 * @param document everything, known to the model or not; never null
 * @param value what the model knows of the document; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record StoredDocument(
        Kind<?> kind, ObjectKey key, Revision revision, Document document, KubernetesObject value) {
    /**
     * Reads the typed value of a document.
     *
     * @throws ModelException if a known field is of a wrong type
     */
    public static StoredDocument of(Kind<?> kind, Revision revision, Document document) {
        KubernetesObject value = kind.read(document);
        return new StoredDocument(kind, ObjectKey.of(value), revision, document, value);
    }

    /**
     * The typed value.
     *
     * @throws ClassCastException if it is of another kind
     */
    public <T extends KubernetesObject> T as(Kind<T> wanted) {
        return wanted.type().cast(value);
    }

    /** The same version of the same object as history shows it at a later revision, such as that of its deletion. */
    StoredDocument at(Revision later) {
        return of(kind, later, document.with(later.toString(), "metadata", "resourceVersion"));
    }
}
