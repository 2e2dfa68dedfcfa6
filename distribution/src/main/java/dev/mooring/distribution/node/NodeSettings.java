// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.store.ClusterStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The options of a node process.
 *
 * @param cluster opens the cluster; the process closes it
 * @param node the Node's name
 * @param version of this program
 * @param data the directory where records and the state of plugins are kept
 * @param kubelet below it volumes are mounted for pods, and drivers register: where drivers expect a kubelet's directories
 * @param adopts whether what a kubelet that is gone has mounted there is taken over
 * @param lease for how long the Node counts as alive after a renewal; it is renewed four times as often
 * @param operations where metrics and health are shown; absent for nowhere
 * @param plugins the plugins installed, and what of them cannot be used
 * @param endpoints sockets of CSI drivers that do not register, by the drivers' names
 * @param places where the process notes what it keeps on this machine
 */
@WithBuilder
public record NodeSettings(
        Supplier<ClusterStore> cluster,
        String node,
        String version,
        Path data,
        Path kubelet,
        boolean adopts,
        Duration lease,
        Optional<OperationsAddress> operations,
        InstalledPlugins plugins,
        Map<String, String> endpoints,
        KeptPlaces places)
        implements NodeSettingsBuilder.With {
    /** Copies the map. */
    public NodeSettings {
        endpoints = Map.copyOf(endpoints);
    }
}
