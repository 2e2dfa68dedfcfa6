// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A plugin of which another object takes the place, as after a restart of its process. */
record Replaceable(AtomicReference<StoragePlugin> now) implements StoragePlugin {
    @Override
    public PluginDescriptor describe() {
        return now.get().describe();
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return now.get().identify(source);
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return now.get().validate(source);
    }

    @Override
    public List<Path> keptDirectories() {
        return now.get().keptDirectories();
    }

    @Override
    public <C extends Capability> Optional<C> capability(Class<C> type) {
        return now.get().capability(type);
    }
}
