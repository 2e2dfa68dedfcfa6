// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A step of a cache: what was known of one object before and after. An object that was deleted and created again under its name
 * makes two changes, a deletion and an addition.
 *
 * @param kind the kind
 * @param key the object's name
 * @param before what was known; absent if it was not there
 * @param after what is known now; absent if it has gone; {@code before} and {@code after} are never both absent
 * @param origin where the change came from
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObjectChange<T extends KubernetesObject>(
        Kind<T> kind, ObjectKey key, Optional<T> before, Optional<T> after, Origin origin) {

    /** The object as it is now, or as it last was. */
    public T latest() {
        return after.or(() -> before).orElseThrow();
    }

    /** The same change from another origin. */
    public ObjectChange<T> from(Origin newOrigin) {
        return new ObjectChange<>(kind, key, before, after, newOrigin);
    }

    /** Whether this change is about the given kind; if so {@link #as} may be called. */
    public boolean concerns(Kind<?> other) {
        return kind == other;
    }

    /**
     * The same change with its type known.
     *
     * @throws IllegalArgumentException if it is about another kind
     */
    @SuppressWarnings("unchecked") // the kind identifies the type
    public <U extends KubernetesObject> ObjectChange<U> as(Kind<U> other) {
        if (kind != (Kind<?>) other) {
            throw new IllegalArgumentException("a change of " + kind + " is not a change of " + other);
        }
        return (ObjectChange<U>) this;
    }

    /** Where a change came from. */
    public enum Origin {
        /** The answer to a write of our own; never a reason to end a back-off. */
        OWN_WRITE,
        /** A list or a watch. */
        WATCH,
        /** A live read that a decision asked for. */
        READ,
        /** The object is not followed any more. That it is absent then says nothing about it. */
        RELEASED
    }
}
