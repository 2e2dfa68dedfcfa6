// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.metrics;

import java.time.Duration;
import org.apiguardian.api.API;

/** How long calls to CSI drivers took, under Kubernetes' names. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DriverCallMetrics {
    private static final String HELP = "How long calls to CSI drivers took, by method and code of gRPC";

    private final String name;
    private final boolean ofNode;
    private final Histograms calls;

    private DriverCallMetrics(String name, boolean ofNode) {
        this.name = name;
        this.ofNode = ofNode;
        this.calls = ofNode
                ? new Histograms("driver_name", "method_name", "grpc_status_code", "migrated")
                : new Histograms("driver_name", "method_name", "grpc_status_code");
    }

    /** Of a node, as the kubelet counts. */
    public static DriverCallMetrics ofNode() {
        return new DriverCallMetrics("csi_operations_seconds", true);
    }

    /** Of controllers, as side-cars count. */
    public static DriverCallMetrics ofControllers() {
        return new DriverCallMetrics("csi_sidecar_operations_seconds", false);
    }

    /**
     * Takes one more call into account.
     *
     * @param driver the driver's name
     * @param method the full name, such as {@code /csi.v1.Node/NodeStageVolume}
     * @param code gRPC's code, such as {@code OK}
     */
    public synchronized void observe(String driver, String method, String code, Duration took) {
        double seconds = took.toNanos() / 1e9;
        if (ofNode) {
            calls.observe(seconds, driver, method, code, "false");
        } else {
            calls.observe(seconds, driver, method, code);
        }
    }

    /** The metric with its values now. */
    public synchronized Metric collect() {
        return calls.as(name, HELP);
    }
}
