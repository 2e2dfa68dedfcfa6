// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.sidecar;

import dev.mooring.controlplane.ControlPlane;
import dev.mooring.distribution.operations.Operations;
import dev.mooring.distribution.operations.ProcessMetrics;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.metrics.Metric;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a side-car knows of itself. Written by the threads that work, read by any. */
final class SidecarStatus implements Operations {
    private final DriverCallMetrics driverCalls = DriverCallMetrics.ofControllers();
    private volatile boolean met;
    private volatile Optional<ControlPlane> serving = Optional.empty();

    DriverCallMetrics driverCalls() {
        return driverCalls;
    }

    /** The driver has said what it is. */
    void met() {
        met = true;
    }

    void serves(Optional<ControlPlane> plane) {
        serving = plane;
    }

    Optional<ControlPlane> serving() {
        return serving;
    }

    @Override
    public CompletableFuture<List<Metric>> metrics() {
        return ProcessMetrics.with(serving.map(ControlPlane::metrics), driverCalls.collect());
    }

    @Override
    public Optional<String> sickness() {
        return Operations.sickness(serving.flatMap(ControlPlane::failure));
    }

    @Override
    public Optional<String> hindrance() {
        return met ? Optional.empty() : Optional.of("the driver has not answered yet");
    }
}
