// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.distribution.wiring.ControllerChoice;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.storage.builder.WithBuilder;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How a standalone server is run.
 *
 * @param data the one directory where everything is kept
 * @param kubeconfig where the file for kubectl is written; a file that leads to other clusters is not replaced
 * @param address where it listens
 * @param port 0 for a free one
 * @param node the name of this machine as a node
 * @param version of this program
 * @param operations where metrics and health are shown over plain HTTP; absent for nowhere
 * @param endpoints sockets of CSI drivers by the drivers' names
 * @param controllers which controllers it runs itself
 * @param places where the server notes what it keeps on this machine
 */
@WithBuilder
public record StandaloneOptions(
        Path data,
        Path kubeconfig,
        InetAddress address,
        int port,
        String node,
        String version,
        Optional<OperationsAddress> operations,
        Map<String, String> endpoints,
        ControllerChoice controllers,
        KeptPlaces places)
        implements StandaloneOptionsBuilder.With {
    /** Copies the map. */
    public StandaloneOptions {
        endpoints = Map.copyOf(endpoints);
    }

    /** Without metrics and health. */
    public StandaloneOptions(
            Path data, Path kubeconfig, InetAddress address, int port, String node, String version, KeptPlaces places) {
        this(data, kubeconfig, address, port, node, version, Optional.empty(), Map.of(), ControllerChoice.ALL, places);
    }
}
