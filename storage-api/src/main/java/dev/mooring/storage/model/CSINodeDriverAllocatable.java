// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How many volumes of a driver a node takes.
 *
 * @param count the number; absent for no limit
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CSINodeDriverAllocatable(Optional<Long> count) {
    /** Nothing set. */
    public static final CSINodeDriverAllocatable EMPTY = new CSINodeDriverAllocatable(Optional.empty());

    /** The same with another count. */
    public CSINodeDriverAllocatable withCount(Optional<Long> newCount) {
        return new CSINodeDriverAllocatable(newCount);
    }
}
