// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.sidecar;

import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import java.util.Optional;

/**
 * The cluster that a side-car serves.
 *
 * @param connection where it is
 * @param options how its API server is used
 * @param leases what it takes before it serves; absent if it serves without asking
 */
public record ServedCluster(
        Connection connection, KubernetesOptions options, Optional<SidecarSettings.Leases> leases) {}
