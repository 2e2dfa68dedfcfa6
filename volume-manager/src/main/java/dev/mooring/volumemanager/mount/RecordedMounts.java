// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.mount;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Staging;
import java.nio.file.Path;
import java.util.Optional;

/** Where the volume of a record is, and where one finds a mount of it. Pure. */
public final class RecordedMounts {
    private RecordedMounts() {}

    /** Where the host holds a pod's volume: the device of a raw one, else the directory that the pod sees. */
    public static Path place(Publish record) {
        return record.deviceMap().orElse(record.target());
    }

    /** The mount of a pod's volume; empty for a volume that the host itself makes without one. */
    public static Optional<Path> mount(PluginRegistry plugins, Publish record) {
        boolean mounts = record.deviceMap().isPresent()
                || plugins.capability(record.volumeId().plugin(), Publishing.class)
                        .filter(Publishing::showsMounts)
                        .isPresent();
        return Optional.of(place(record)).filter(place -> mounts);
    }

    /** The mount of a staged volume; empty if the plugin only logged in to it, or did not need to prepare it. */
    public static Optional<Path> mount(PluginRegistry plugins, Stage record) {
        boolean mounts = plugins.capability(record.volumeId().plugin(), Staging.class)
                .filter(staging -> staging.showsMounts(record.state()))
                .isPresent();
        return record.stagingPath().filter(path -> mounts);
    }
}
