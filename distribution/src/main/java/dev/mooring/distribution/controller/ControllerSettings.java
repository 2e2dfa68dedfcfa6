// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.LeaderOptions;
import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.spi.StoragePlugin;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of a controller process.
 *
 * @param name what no other process is called, not even the next one here
 * @param connection the cluster
 * @param options how to use its API server
 * @param election how a leader is elected; absent if this process leads without asking
 * @param operations where metrics and health are shown; absent for nowhere
 * @param plugins the plugins installed
 * @param endpoints sockets of CSI drivers whose side-cars this process replaces, by the drivers' names
 * @param served namespaces of the side-cars' Leases, which are held, by the drivers' names; of others they are only looked at
 * @param page where the page is shown; absent for nowhere
 * @param attachDetach when volumes are taken from nodes by force
 * @param root below it a volume is mounted to be recycled
 * @param places where the process notes what it keeps on this machine
 */
@WithBuilder
public record ControllerSettings(
        String name,
        Connection connection,
        KubernetesOptions options,
        Optional<LeaderOptions> election,
        Optional<OperationsAddress> operations,
        List<StoragePlugin> plugins,
        Map<String, String> endpoints,
        Map<String, String> served,
        Optional<PageSettings> page,
        AttachDetachOptions attachDetach,
        Path root,
        KeptPlaces places)
        implements ControllerSettingsBuilder.With {
    /** By which Lease a leader is elected, unless the configuration names another. */
    public static final String LEASE_NAME = "mooring-controller";

    /** The Lease's namespace. */
    public static final String LEASE_NAMESPACE = "kube-system";

    /** Copies the list and the map. */
    public ControllerSettings {
        endpoints = Map.copyOf(endpoints);
        served = Map.copyOf(served);
        plugins = List.copyOf(plugins);
    }
}
