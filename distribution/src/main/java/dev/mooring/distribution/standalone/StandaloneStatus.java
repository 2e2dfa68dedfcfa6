// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.distribution.operations.Operations;
import dev.mooring.distribution.operations.ProcessMetrics;
import dev.mooring.distribution.wiring.LocalCluster;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.metrics.Metric;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What a standalone server knows of itself. Written by the thread that starts it, read by any. */
final class StandaloneStatus implements Operations {
    private final Claims claims;
    private volatile Optional<LocalCluster> cluster = Optional.empty();
    private volatile Supplier<Optional<Throwable>> duties = Optional::empty;

    StandaloneStatus(Claims claims) {
        this.claims = claims;
    }

    /** The controllers and the node work from now on. */
    void works(LocalCluster running, Supplier<Optional<Throwable>> failureOfDuties) {
        cluster = Optional.of(running);
        duties = failureOfDuties;
    }

    /** The controllers; empty while they have not begun. */
    Optional<ControllerRuntime> controllers() {
        return cluster.map(LocalCluster::controllers);
    }

    @Override
    public CompletableFuture<List<Metric>> metrics() {
        return ProcessMetrics.with(cluster.map(LocalCluster::metrics));
    }

    @Override
    public Optional<String> sickness() {
        return Operations.sickness(cluster.flatMap(LocalCluster::failure).or(duties))
                .or(claims::loss);
    }

    /** Metrics and health are shown only once everything runs. */
    @Override
    public Optional<String> hindrance() {
        return Optional.empty();
    }
}
