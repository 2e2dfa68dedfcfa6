// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The drivers on a node.
 *
 * @param drivers the drivers
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CSINodeSpec(List<CSINodeDriver> drivers) {
    /** Nothing set. */
    public static final CSINodeSpec EMPTY = new CSINodeSpec(List.of());

    /** Copies lists and maps. */
    public CSINodeSpec {
        drivers = Copies.list(drivers);
    }

    /** The same with another drivers. */
    public CSINodeSpec withDrivers(List<CSINodeDriver> newDrivers) {
        return new CSINodeSpec(newDrivers);
    }
}
