// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import dev.mooring.storage.model.KubernetesObject;
import org.apiguardian.api.API;

/**
 * One step of a kind's history, as a watch shows it.
 *
 * @param type what happened
 * @param object the object after the step (for {@link Type#DELETED}: its last state, carrying the revision of the deletion)
 * @param revision the revision of the step
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WatchEvent<T extends KubernetesObject>(Type type, T object, Revision revision) {
    /** What happened to the object. */
    public enum Type {
        /** It appeared, or began to match the selection. */
        ADDED,
        /** It changed. */
        MODIFIED,
        /** It went, or ceased to match the selection. */
        DELETED
    }
}
