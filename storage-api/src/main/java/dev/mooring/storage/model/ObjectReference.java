// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * A reference to an object, such as a volume's to its claim.
 *
 * @param kind kind
 * @param namespace namespace
 * @param name name
 * @param uid uid; empty where any object of that name is meant
 * @param apiVersion API version
 * @param resourceVersion version of the object when the reference was written
 * @param fieldPath part of the object
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObjectReference(
        String kind,
        String namespace,
        String name,
        String uid,
        String apiVersion,
        String resourceVersion,
        String fieldPath) {
    /** Nothing set. */
    public static final ObjectReference EMPTY = new ObjectReference("", "", "", "", "", "", "");

    /** The same with another kind. */
    public ObjectReference withKind(String newKind) {
        return new ObjectReference(newKind, namespace, name, uid, apiVersion, resourceVersion, fieldPath);
    }

    /** The same with another namespace. */
    public ObjectReference withNamespace(String newNamespace) {
        return new ObjectReference(kind, newNamespace, name, uid, apiVersion, resourceVersion, fieldPath);
    }

    /** The same with another name. */
    public ObjectReference withName(String newName) {
        return new ObjectReference(kind, namespace, newName, uid, apiVersion, resourceVersion, fieldPath);
    }

    /** The same with another uid. */
    public ObjectReference withUid(String newUid) {
        return new ObjectReference(kind, namespace, name, newUid, apiVersion, resourceVersion, fieldPath);
    }

    /** The same with another apiVersion. */
    public ObjectReference withApiVersion(String newApiVersion) {
        return new ObjectReference(kind, namespace, name, uid, newApiVersion, resourceVersion, fieldPath);
    }

    /** The same with another resourceVersion. */
    public ObjectReference withResourceVersion(String newResourceVersion) {
        return new ObjectReference(kind, namespace, name, uid, apiVersion, newResourceVersion, fieldPath);
    }

    /** The same with another fieldPath. */
    public ObjectReference withFieldPath(String newFieldPath) {
        return new ObjectReference(kind, namespace, name, uid, apiVersion, resourceVersion, newFieldPath);
    }
}
