// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import org.apiguardian.api.API;

/**
 * An edit of one object: the value it was decided on and the value wanted. Stores apply the difference of the two to their own
 * document, with the base's {@code resourceVersion} (and uid) as precondition, so that unknown fields are kept.
 *
 * @param base the object as it was read, with its resourceVersion; never null
 * @param edited the object as it is wanted; same name and namespace; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Change<T extends KubernetesObject>(T base, T edited) {
    /** Checks that both name one object. */
    public Change {
        if (!ObjectKey.of(base).equals(ObjectKey.of(edited))) {
            throw new IllegalArgumentException(
                    "a change keeps the name: " + ObjectKey.of(base) + " became " + ObjectKey.of(edited));
        }
    }

    /** Name and namespace of the object. */
    public ObjectKey key() {
        return ObjectKey.of(base);
    }
}
