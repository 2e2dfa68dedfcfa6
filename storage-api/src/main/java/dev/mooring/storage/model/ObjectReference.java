// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record ObjectReference(
        String kind,
        String namespace,
        String name,
        String uid,
        String apiVersion,
        String resourceVersion,
        String fieldPath)
        implements ObjectReferenceBuilder.With {
    /** Nothing set. */
    public static final ObjectReference EMPTY = new ObjectReference("", "", "", "", "", "", "");
}
