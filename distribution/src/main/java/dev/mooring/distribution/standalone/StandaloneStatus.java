// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.distribution.operations.Operations;
import dev.mooring.distribution.operations.ProcessMetrics;
import dev.mooring.distribution.wiring.LocalCluster;
import dev.mooring.runtime.metrics.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a standalone server knows of itself. It is shown only once everything runs, so it is ready when it is there.
 *
 * @param cluster the controllers and the node
 */
record StandaloneStatus(LocalCluster cluster) implements Operations {
    @Override
    public CompletableFuture<List<Metric>> metrics() {
        return cluster.metrics().thenApply(theirs -> {
            List<Metric> all = new ArrayList<>(ProcessMetrics.now());
            all.addAll(theirs);
            return all;
        });
    }

    @Override
    public Optional<String> sickness() {
        return Operations.sickness(cluster.failure());
    }

    @Override
    public Optional<String> hindrance() {
        return Optional.empty();
    }
}
