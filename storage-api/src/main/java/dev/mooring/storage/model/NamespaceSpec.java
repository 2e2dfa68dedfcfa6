// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What a namespace is.
 *
 * @param finalizers who still has to do something before it may go
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NamespaceSpec(List<String> finalizers) {
    /** Nothing set. */
    public static final NamespaceSpec EMPTY = new NamespaceSpec(List.of());

    /** Copies lists and maps. */
    public NamespaceSpec {
        finalizers = Copies.list(finalizers);
    }

    /** The same with another finalizers. */
    public NamespaceSpec withFinalizers(List<String> newFinalizers) {
        return new NamespaceSpec(newFinalizers);
    }
}
