// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The plugins that exist in a simulated world: the real ones that were handed in, of which only the pure half is used, and stand-ins
 * for the back-ends with well-known names whose plugin was not.
 */
public final class SimulatedPlugins {
    /** The provisioner that works in-process, and the driver of the volumes that it makes. */
    public static final String SIM = "mooring.dev/sim";

    /** As {@link #SIM}, with volumes that are devices as well, and that a node has to make larger in the end. */
    public static final String DISK = "mooring.dev/sim-disk";

    /** What a CSI driver can do in the controllers. */
    private static final Set<Class<? extends Capability>> DRIVER =
            Set.of(Attaching.class, Staging.class, Publishing.class, BlockMapping.class);

    /** The same on a node. */
    private static final Set<Class<? extends Capability>> NODE =
            Set.of(Attaching.class, Staging.class, Publishing.class, BlockMapping.class, NodeExpanding.class);

    private SimulatedPlugins() {}

    /**
     * All plugins of a world.
     *
     * @param real plugins to be used where a stand-in would be
     * @return the registry, never null
     * @throws IllegalArgumentException if two of the plugins claim one name or source
     */
    public static PluginRegistry registry(Collection<? extends StoragePlugin> real) {
        return registry(real, Set.of());
    }

    /**
     * All plugins of a world whose volumes name CSI drivers.
     *
     * @param real plugins to be used where a stand-in would be
     * @param drivers the drivers; a name that no plugin can have is not served
     * @return the registry, never null
     * @throws IllegalArgumentException if two of the plugins claim one name or source
     */
    public static PluginRegistry registry(Collection<? extends StoragePlugin> real, Set<String> drivers) {
        List<StoragePlugin> plugins = new ArrayList<>(real);
        Set<PluginName> names = new LinkedHashSet<>();
        Set<String> sources = new LinkedHashSet<>();
        for (StoragePlugin plugin : real) {
            names.add(plugin.describe().name());
            sources.addAll(plugin.describe().sourceTypes());
        }
        for (StoragePlugin standIn : standIns()) {
            boolean served = standIn.describe().sourceTypes().stream().anyMatch(sources::contains);
            if (!served && !names.contains(standIn.describe().name())) {
                plugins.add(standIn);
            }
        }
        for (String driver : drivers) {
            driver(driver)
                    .filter(plugin -> plugins.stream()
                            .noneMatch(known -> known.describe()
                                    .name()
                                    .equals(plugin.describe().name())))
                    .ifPresent(plugins::add);
        }
        return new PluginRegistry(plugins);
    }

    /**
     * The same plugins as nodes have them: drivers make file systems larger, of which controllers, who leave their volumes to an external
     * resizer, know nothing; and there are stand-ins for drivers that none of them serves.
     */
    public static PluginRegistry onNodes(PluginRegistry plugins, Set<String> drivers) {
        List<StoragePlugin> all = new ArrayList<>();
        plugins.all()
                .forEach(plugin ->
                        all.add(plugin instanceof StandIn driver && driver.can(DRIVER) ? driver.with(NODE) : plugin));
        drivers.stream()
                .filter(driver -> plugins.named(driver).isEmpty())
                .forEach(driver -> driver(driver).ifPresent(all::add));
        return new PluginRegistry(all);
    }

    private static Optional<StoragePlugin> driver(String name) {
        try {
            return Optional.of(standIn(new PluginName(name).value(), List.of(), Place.CONTROLLER, DRIVER));
        } catch (IllegalArgumentException noPluginName) {
            return Optional.empty();
        }
    }

    private static List<StoragePlugin> standIns() {
        return List.of(
                standIn(
                        SIM,
                        List.of(),
                        Place.CONTROLLER,
                        Set.of(
                                Attaching.class,
                                Staging.class,
                                Provisioning.class,
                                Deleting.class,
                                Recycling.class,
                                Publishing.class,
                                BlockMapping.class,
                                ControllerExpanding.class,
                                Modifying.class)),
                standIn(
                        DISK,
                        List.of(),
                        Place.CONTROLLER,
                        Set.of(
                                Attaching.class,
                                Staging.class,
                                Provisioning.class,
                                Deleting.class,
                                Publishing.class,
                                BlockMapping.class,
                                ControllerExpanding.class,
                                NodeExpanding.class)),
                standIn(
                        "kubernetes.io/nfs",
                        List.of("nfs"),
                        Place.CONTROLLER,
                        Set.of(Deleting.class, Recycling.class, Publishing.class)),
                standIn(
                        "kubernetes.io/iscsi",
                        List.of("iscsi"),
                        Place.CONTROLLER,
                        Set.of(Attaching.class, Staging.class, Publishing.class, ControllerExpanding.class)),
                standIn(
                        "kubernetes.io/host-path",
                        List.of("hostPath"),
                        Place.NODE,
                        Set.of(Deleting.class, Recycling.class, Publishing.class)),
                standIn(
                        "kubernetes.io/local-volume",
                        List.of("local"),
                        Place.NODE,
                        Set.of(Deleting.class, Publishing.class)));
    }

    private static StoragePlugin standIn(
            String name, List<String> sources, Place place, Set<Class<? extends Capability>> capabilities) {
        PluginDescriptor descriptor =
                PluginDescriptor.of(new PluginName(name), sources, place).withSupportsMountOptions(true);
        return new StandIn(descriptor, capabilities, new InertCapabilities(name));
    }
}
