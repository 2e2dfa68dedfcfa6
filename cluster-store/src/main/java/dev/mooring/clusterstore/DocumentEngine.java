// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where a store's documents lie: the current version of each object, and the recent past. It knows no rule of any kind; {@link
 * ApiStore} has those.
 *
 * <p>Thread-safety is the caller's: {@link ApiStore} lets reads run beside each other, {@link #commit} and {@link #flush} alone. Every
 * method may throw {@link EngineException} when its medium fails.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface DocumentEngine extends AutoCloseable {
    /** The revision of the last step; {@link Revision#ZERO} before the first. */
    Revision revision();

    /** History is complete after this revision; {@link Revision#ZERO} while nothing was forgotten. */
    Revision horizon();

    /** The current version of an object; empty if it does not exist. */
    Optional<StoredDocument> get(Kind<?> kind, ObjectKey key);

    /**
     * The current objects of a kind in order of namespace, then name.
     *
     * @param after only objects whose key is greater; the key itself need not exist; empty for all
     * @return a view that is valid until the next commit
     */
    Iterable<StoredDocument> scan(Kind<?> kind, Optional<ObjectKey> after);

    /**
     * Makes one step: puts or removes the object, moves {@link #revision} to the step's, and remembers the step. It need not be lasting
     * before {@link #flush}: no watch hears of it until then, and history need not show it.
     *
     * @param step its revision is greater than {@link #revision}
     */
    void commit(Commit step);

    /**
     * Makes all steps since the last flush as lasting as the engine's medium, together. If it throws, none of them was made: objects and
     * revision are as before the first, and only {@link EngineException#maybeApplied} says whether the medium may show them later.
     */
    default void flush() {
        // A step that is lasting when commit returns needs nothing more.
    }

    /**
     * The steps of one kind after a revision, in their order.
     *
     * @return empty if history is no longer complete after that revision, or the revision has not been reached
     */
    Optional<List<Commit>> history(Kind<?> kind, Revision after);

    /** Frees what the engine holds. */
    @Override
    void close();
}
