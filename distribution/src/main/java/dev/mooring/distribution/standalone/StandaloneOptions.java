// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.distribution.wiring.ControllerChoice;
import dev.mooring.host.linux.KeptPlaces;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How a standalone server is run.
 *
 * @param data the one directory where everything is kept
 * @param kubeconfig where the file for kubectl is written; one that leads to other clusters is not replaced
 * @param address where it listens
 * @param port 0 for a free one
 * @param node the name of this machine as a node
 * @param version of this program
 * @param operations where metrics and health are shown over plain HTTP; absent for nowhere
 * @param endpoints sockets of CSI drivers by the drivers' names
 * @param controllers which controllers it runs itself
 * @param places where the server notes what it keeps on this machine
 */
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
        KeptPlaces places) {
    /** Copies the map. */
    public StandaloneOptions {
        endpoints = Map.copyOf(endpoints);
    }

    /** Without metrics and health. */
    public StandaloneOptions(
            Path data, Path kubeconfig, InetAddress address, int port, String node, String version, KeptPlaces places) {
        this(data, kubeconfig, address, port, node, version, Optional.empty(), Map.of(), ControllerChoice.ALL, places);
    }

    /** The same with metrics and health. */
    public StandaloneOptions withOperations(OperationsAddress shown) {
        return new StandaloneOptions(
                data, kubeconfig, address, port, node, version, Optional.of(shown), endpoints, controllers, places);
    }

    /** The same with CSI drivers. */
    public StandaloneOptions withEndpoints(Map<String, String> named) {
        return new StandaloneOptions(data, kubeconfig, address, port, node, version, operations, named, controllers, places);
    }

    /** The same with some of the controllers only. */
    public StandaloneOptions withControllers(ControllerChoice chosen) {
        return new StandaloneOptions(
                data, kubeconfig, address, port, node, version, operations, endpoints, chosen, places);
    }

    /** The same, noting elsewhere what it keeps. */
    public StandaloneOptions withPlaces(KeptPlaces other) {
        return new StandaloneOptions(data, kubeconfig, address, port, node, version, operations, endpoints, controllers, other);
    }
}
