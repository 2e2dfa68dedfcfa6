// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.customresources.CustomResources;
import dev.mooring.clusterstore.fieldmanagement.Authorship;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WriteRequest;
import org.apiguardian.api.API;

/**
 * A cluster store that also speaks in whole documents, as users and REST endpoints do. The rules are the same on both ways. A kind that
 * is not among {@link #kinds} is answered with NOT_FOUND. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface DocumentStore extends ClusterStore {
    /** Stands in the message of every write that a store on a disk refused because there is no room for it. */
    String DISK_FULL = "the disk is full";

    /** The kinds that it holds. */
    Kinds kinds();

    /** The kinds that users have defined, as they are now; never null. */
    default CustomResources customResources() {
        return CustomResources.NONE;
    }

    /**
     * The same store as a client sees it: its writes bear its name in {@link WriteRecord} and {@link WriteRequest}. Closing the view
     * does nothing.
     *
     * @param client such as {@code user}, {@code controllers}, {@code node/n1}; never null
     */
    DocumentStore as(String client);

    /**
     * The same store for a writer that {@code managedFields} name. Closing the view does nothing.
     *
     * @param authorship never null; {@link Authorship#UNNAMED} unless this was called
     */
    DocumentStore writtenBy(Authorship authorship);

    /**
     * The same store for rehearsals: its writes are answered as if they were made, with all rules, but nothing is changed, logged or
     * watched to watches. Closing the view does nothing.
     */
    DocumentStore dryRun();

    /** Reads one object; linearizable. */
    StoreResult<Document> getDocument(Kind<?> kind, ObjectKey key);

    /** Reads a page of objects at one revision. */
    StoreResult<ObjectList<Document>> listDocuments(Kind<?> kind, ListOptions options);

    /** Reads all objects of a kind in order of namespace, then name. */
    default StoreResult<ObjectList<Document>> listDocuments(Kind<?> kind) {
        return listDocuments(kind, ListOptions.ALL);
    }

    /** Shows everything that happens to the selected objects after a revision. */
    Watch watchDocuments(Kind<?> kind, ListOptions options, Revision after, DocumentListener listener);

    /** Creates an object; see {@link ClusterStore#create}. */
    StoreResult<Document> createDocument(Kind<?> kind, Document document);

    /**
     * Creates an object, or merges everything but the status into the existing one. A resourceVersion or uid in the document is a
     * precondition of the merge.
     */
    StoreResult<Document> applyDocument(Kind<?> kind, Document document);

    /**
     * Replaces everything but the status, or, for {@code status}, the status. As with Kubernetes, with the status of a namespace, node,
     * volume, claim or pod goes the metadata that others than the server write; only a pod's owners stay. A resourceVersion or uid in
     * the document is a precondition; without a resourceVersion the last writer wins.
     *
     * @param subresource {@code status}, or empty
     */
    StoreResult<Document> replaceDocument(Kind<?> kind, String subresource, Document document);

    /**
     * Applies a JSON merge patch (RFC 7396): null removes a key. A resourceVersion or uid in the patch is a precondition.
     *
     * @param subresource {@code status}: the status of the patch counts, and its metadata as with {@link #replaceDocument}; empty:
     *     everything else
     */
    StoreResult<Document> patchDocument(Kind<?> kind, ObjectKey key, String subresource, Document mergePatch);

    /**
     * Puts an object verbatim, status and metadata included, without validation, defaults and admission: a starting state. The uid is
     * kept if given; so is the resourceVersion, unless it is older than that of an existing object of that name. It must be readable
     * and have a name.
     */
    StoreResult<Document> loadDocument(Kind<?> kind, Document document);

    /**
     * Deletes an object, or marks it as being deleted; see {@link ClusterStore#delete}.
     *
     * @return its last state if it is gone, else as it is stored now
     */
    StoreResult<Document> deleteObject(Kind<?> kind, ObjectKey key, DeleteOptions options);

    /** Sends every watch its revision. The store also does so by itself from time to time. */
    void sendBookmarks();
}
