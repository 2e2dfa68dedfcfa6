// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The state of a cluster: objects by kind, namespace and name, with optimistic concurrency and a watchable history.
 *
 * <p>Calls block until answered or until the store's own time-out; callers that must not block use their own threads. Every
 * implementation passes one contract test suite, {@code ClusterStoreContract} in the jar of the runtime's tests: docs/embed/embedding.md.
 * An object that breaks a rule of its kind is refused as {@link StoreResult.Failure#INVALID}, with its kind, name and field in the message.
 * Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ClusterStore extends AutoCloseable {
    /**
     * Reads one object. Linearizable: shows at least every write that was acknowledged before the call.
     *
     * @return the object, or {@link StoreResult.Failure#NOT_FOUND}
     */
    <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key);

    /**
     * Reads a page of the objects of one kind at one revision.
     *
     * @return the page; {@link StoreResult.Failure#GONE} if the continue token is too old, {@link StoreResult.Failure#INVALID} if it is
     *     malformed or if a field does not select objects of this kind; the name and, where there is one, the namespace always do
     */
    <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options);

    /**
     * Shows everything that happens to the selected objects after a revision.
     *
     * @param after the revision of a list or of an earlier event or bookmark
     * @return the running watch. If the revision is no longer in the history, the listener gets {@link StoreResult.Failure#GONE}.
     *     A listener that throws ends its own watch in the same way, and one that blocks holds up no other
     */
    <T extends KubernetesObject> Watch watch(
            Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener);

    /**
     * Creates an object. {@code metadata.generateName} is honoured when the name is empty. The status is dropped where the kind has a
     * status sub-resource.
     *
     * @return the object as stored, with uid and resourceVersion
     */
    <T extends KubernetesObject> StoreResult<T> create(Kind<T> kind, T object);

    /**
     * Changes everything but the status. A change that alters nothing is answered with the current object and makes no revision.
     * Removing the last finalizer of an object that is being deleted deletes it; it may get no new ones. Of a change whose base has
     * another uid or resourceVersion than the stored object nothing is done, and {@link StoreResult.Failure#CONFLICT} is the answer.
     *
     * @return the object as stored after the change, or its last state if the change let it go: then it {@link
     *     dev.mooring.storage.model.ObjectMeta#isDeleting is being deleted} and has no finalizer
     */
    <T extends KubernetesObject> StoreResult<T> update(Kind<T> kind, Change<T> change);

    /** Changes the status only; see {@link #update}. */
    <T extends KubernetesObject> StoreResult<T> updateStatus(Kind<T> kind, Change<T> change);

    /**
     * Deletes an object, or, if it has finalizers or a grace period, marks it as being deleted. What is marked already stays as it is.
     *
     * @return whether the object is gone or only marked
     */
    <T extends KubernetesObject> StoreResult<Deletion<T>> delete(Kind<T> kind, ObjectKey key, DeleteOptions options);

    /** How long a call may take before the store answers by itself, for callers that plan deadlines. */
    default Duration requestTimeout() {
        return Duration.ofSeconds(30);
    }

    /** Ends all watches and frees what the store holds. Calls after it are answered with {@link StoreResult.Failure#UNAVAILABLE}. */
    @Override
    void close();
}
