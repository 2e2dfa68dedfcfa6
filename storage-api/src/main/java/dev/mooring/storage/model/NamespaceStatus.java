// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * Where a namespace stands.
 *
 * @param phase {@code Active} or {@code Terminating}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NamespaceStatus(String phase) {
    /** Nothing set. */
    public static final NamespaceStatus EMPTY = new NamespaceStatus("");

    /** The same with another phase. */
    public NamespaceStatus withPhase(String newPhase) {
        return new NamespaceStatus(newPhase);
    }
}
