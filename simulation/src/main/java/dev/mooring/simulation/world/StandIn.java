// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A plugin of which a simulation needs no more than who it is and what it can do. */
final class StandIn implements StoragePlugin {
    private final PluginDescriptor descriptor;
    private final Set<Class<? extends Capability>> capabilities;
    private final Capability implementation;

    /**
     * Makes a plugin.
     *
     * @param descriptor who it is
     * @param capabilities what it can do
     * @param implementation implements each of them
     */
    StandIn(PluginDescriptor descriptor, Set<Class<? extends Capability>> capabilities, Capability implementation) {
        this.descriptor = descriptor;
        this.capabilities = Set.copyOf(capabilities);
        this.implementation = implementation;
    }

    /** Whether it can do exactly this. */
    boolean can(Set<Class<? extends Capability>> all) {
        return capabilities.equals(all);
    }

    /** The same plugin with other capabilities. */
    StandIn with(Set<Class<? extends Capability>> all) {
        return new StandIn(descriptor, all, implementation);
    }

    @Override
    public PluginDescriptor describe() {
        return descriptor;
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        // A driver's volume is its handle, whatever else is written beside it.
        String volume = CsiSource.of(source)
                .map(CsiSource::volumeHandle)
                .filter(handle -> !handle.isEmpty())
                .orElseGet(() -> source.attributes().toString());
        return new VolumeId(descriptor.name(), volume);
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return List.of();
    }

    @Override
    public <C extends Capability> Optional<C> capability(Class<C> type) {
        return capabilities.contains(type) ? Optional.of(type.cast(implementation)) : Optional.empty();
    }
}
