// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import dev.mooring.storage.model.KubernetesObject;
import org.apiguardian.api.API;

/**
 * What a delete request did.
 *
 * @param object the object: its last state if it was removed, else as it is stored now, marked as being deleted
 * @param removed whether the object is gone
 * @param revision the revision of the deletion, or of the mark
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Deletion<T extends KubernetesObject>(T object, boolean removed, Revision revision) {}
