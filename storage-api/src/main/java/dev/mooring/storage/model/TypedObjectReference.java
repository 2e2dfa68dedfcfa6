// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record TypedObjectReference(String apiGroup, String kind, String name, String namespace)
        implements TypedObjectReferenceBuilder.With {
    /** Nothing set. */
    public static final TypedObjectReference EMPTY = new TypedObjectReference("", "", "", "");
}
