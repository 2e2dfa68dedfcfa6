// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/**
 * Something that a storage back-end can do. The host knows this closed list; absence is declared by not implementing. Several threads may
 * call an implementation at once, see {@link StoragePlugin}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Capability
        permits Provisioning,
                Cloning,
                Snapshotting,
                Deleting,
                Recycling,
                Attaching,
                Staging,
                Publishing,
                BlockMapping,
                ControllerExpanding,
                NodeExpanding,
                Modifying,
                CapacityReporting,
                Statistics,
                Health,
                Fencing,
                Reconstructing {}
