// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Fencing;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.List;

/** What a plugin can do, by the names of the SPI. */
public final class Capabilities {
    /** In the order of a volume's life. */
    static final List<Class<? extends Capability>> ALL = List.of(
            Provisioning.class,
            Cloning.class,
            Snapshotting.class,
            Attaching.class,
            Staging.class,
            Publishing.class,
            BlockMapping.class,
            ControllerExpanding.class,
            NodeExpanding.class,
            Modifying.class,
            CapacityReporting.class,
            Statistics.class,
            Health.class,
            Fencing.class,
            Reconstructing.class,
            Recycling.class,
            Deleting.class);

    private Capabilities() {}

    /** The names of the interfaces, in the order of a volume's life. */
    public static List<String> of(StoragePlugin plugin) {
        return ALL.stream()
                .filter(type -> plugin.capability(type).isPresent())
                .map(Class::getSimpleName)
                .toList();
    }
}
