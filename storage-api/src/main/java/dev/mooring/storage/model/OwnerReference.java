// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * The owner of an object: when it goes, the object goes.
 *
 * @param apiVersion API version of the owner
 * @param kind kind of the owner
 * @param name name of the owner
 * @param uid uid of the owner
 * @param controller whether the owner manages the object
 * @param blockOwnerDeletion whether a foreground deletion of the owner waits for the object
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record OwnerReference(
        String apiVersion, String kind, String name, String uid, boolean controller, boolean blockOwnerDeletion)
        implements OwnerReferenceBuilder.With {
    /** Nothing set. */
    public static final OwnerReference EMPTY = new OwnerReference("", "", "", "", false, false);
}
