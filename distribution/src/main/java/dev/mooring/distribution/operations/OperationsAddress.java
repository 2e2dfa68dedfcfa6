// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where a process shows its operations. Immutable.
 *
 * @param listen where it listens; port 0 for a free one
 * @param told the options of the process, a line for each, without secrets
 * @param metricsPath where the metrics are
 * @param probes what is answered to other paths: why something is not well, empty if it is; may be asked by several threads at once
 */
public record OperationsAddress(
        InetSocketAddress listen, String told, String metricsPath, Map<String, Supplier<Optional<String>>> probes) {
    /** Copies the map. */
    public OperationsAddress {
        probes = Map.copyOf(probes);
    }

    /** With metrics where Prometheus looks for them. */
    public OperationsAddress(InetSocketAddress listen, String told) {
        this(listen, told, "/metrics", Map.of());
    }
}
