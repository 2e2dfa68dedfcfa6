// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.sidecar;

import dev.mooring.binder.ProvisionerRole;
import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.runtime.CallLimits;
import dev.mooring.runtime.plugin.SidecarRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of a driver's side-car.
 *
 * @param endpoint the driver's socket
 * @param cluster the cluster whose objects it serves; absent if it serves a node alone
 * @param identity of this process, in Leases and in events
 * @param rules how the driver is called
 * @param role which claims and volumes are its own
 * @param ofNode whether it serves the claims and volumes of its node alone; which those are the driver says
 * @param limits how many calls to the driver may run at once
 * @param operations where metrics are shown; absent for nowhere
 * @param health where the driver's health is shown; absent for nowhere
 * @param probeTimeout how long the driver may take to say that it is well
 * @param registration how the driver is registered with a kubelet; absent for not at all
 */
public record SidecarSettings(
        String endpoint,
        Optional<Cluster> cluster,
        String identity,
        SidecarRules rules,
        ProvisionerRole role,
        boolean ofNode,
        CallLimits limits,
        Optional<OperationsAddress> operations,
        Optional<OperationsAddress> health,
        Duration probeTimeout,
        Optional<Registration> registration) {
    /**
     * The cluster that it serves.
     *
     * @param connection where it is
     * @param options how its API server is used
     * @param leases what it takes before it serves; absent if it serves without asking
     */
    public record Cluster(Connection connection, KubernetesOptions options, Optional<Leases> leases) {}

    /**
     * How a driver is registered with a kubelet.
     *
     * @param directory the kubelet's plugins_registry, as this process sees it
     * @param path the driver's socket as the kubelet sees it
     */
    public record Registration(Path directory, String path) {}

    /**
     * What Leases it takes.
     *
     * @param namespace where they are
     * @param leaseDuration how long others wait after the last renewal
     * @param renewDeadline how long it goes on after its last renewal
     * @param retryPeriod how long between two tries
     */
    public record Leases(String namespace, Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {}
}
