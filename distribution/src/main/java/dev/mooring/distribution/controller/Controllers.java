// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.distribution.wiring.ControllerGraph;
import dev.mooring.distribution.wiring.ControllerParts;
import dev.mooring.runtime.CloseReport;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The controllers of one term at work, and what is measured of them.
 *
 * @param graph what they are made of
 */
record Controllers(ControllerGraph graph) {
    /** Controllers that have begun; the store belongs to one term of a leader. */
    static Controllers start(ClusterStore store, List<StoragePlugin> installed, HostServices host) {
        ControllerGraph graph = ControllerGraph.of(
                ControllerParts.of(store, installed, host, new StoreEventSink(store, TimeSource.system())));
        graph.runtime().start();
        return new Controllers(graph);
    }

    ControllerRuntime runtime() {
        return graph.runtime();
    }

    /** All metrics with their values now. */
    CompletableFuture<List<Metric>> metrics() {
        return runtime().ask(caches -> {
            List<Metric> all = new ArrayList<>(graph.binderMetrics().collect(caches));
            all.addAll(graph.attachDetachMetrics().collect(caches));
            return all;
        });
    }

    CloseReport close(Duration limit) {
        return runtime().close(limit);
    }
}
