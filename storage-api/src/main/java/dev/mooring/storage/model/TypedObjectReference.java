// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * The object that a new volume is filled from.
 *
 * @param apiGroup API group; empty for the core group
 * @param kind kind
 * @param name name
 * @param namespace namespace; empty for the claim's own
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TypedObjectReference(String apiGroup, String kind, String name, String namespace) {
    /** Nothing set. */
    public static final TypedObjectReference EMPTY = new TypedObjectReference("", "", "", "");

    /** The same with another apiGroup. */
    public TypedObjectReference withApiGroup(String newApiGroup) {
        return new TypedObjectReference(newApiGroup, kind, name, namespace);
    }

    /** The same with another kind. */
    public TypedObjectReference withKind(String newKind) {
        return new TypedObjectReference(apiGroup, newKind, name, namespace);
    }

    /** The same with another name. */
    public TypedObjectReference withName(String newName) {
        return new TypedObjectReference(apiGroup, kind, newName, namespace);
    }

    /** The same with another namespace. */
    public TypedObjectReference withNamespace(String newNamespace) {
        return new TypedObjectReference(apiGroup, kind, name, newNamespace);
    }
}
