// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

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
public record OwnerReference(
        String apiVersion, String kind, String name, String uid, boolean controller, boolean blockOwnerDeletion) {
    /** Nothing set. */
    public static final OwnerReference EMPTY = new OwnerReference("", "", "", "", false, false);

    /** The same with another apiVersion. */
    public OwnerReference withApiVersion(String newApiVersion) {
        return new OwnerReference(newApiVersion, kind, name, uid, controller, blockOwnerDeletion);
    }

    /** The same with another kind. */
    public OwnerReference withKind(String newKind) {
        return new OwnerReference(apiVersion, newKind, name, uid, controller, blockOwnerDeletion);
    }

    /** The same with another name. */
    public OwnerReference withName(String newName) {
        return new OwnerReference(apiVersion, kind, newName, uid, controller, blockOwnerDeletion);
    }

    /** The same with another uid. */
    public OwnerReference withUid(String newUid) {
        return new OwnerReference(apiVersion, kind, name, newUid, controller, blockOwnerDeletion);
    }

    /** The same with another controller. */
    public OwnerReference withController(boolean newController) {
        return new OwnerReference(apiVersion, kind, name, uid, newController, blockOwnerDeletion);
    }

    /** The same with another blockOwnerDeletion. */
    public OwnerReference withBlockOwnerDeletion(boolean newBlockOwnerDeletion) {
        return new OwnerReference(apiVersion, kind, name, uid, controller, newBlockOwnerDeletion);
    }
}
