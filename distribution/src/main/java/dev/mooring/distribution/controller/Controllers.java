// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.attachdetach.metrics.AttachDetachMetrics;
import dev.mooring.binder.metrics.BinderMetrics;
import dev.mooring.runtime.CloseReport;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.metrics.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The controllers of one term at work, and what is measured of them.
 *
 * @param runtime the loop
 * @param binder hears the loop
 * @param attaching hears the loop
 */
record Controllers(ControllerRuntime runtime, BinderMetrics binder, AttachDetachMetrics attaching) {
    /** All metrics with their values now. */
    CompletableFuture<List<Metric>> metrics() {
        return runtime.ask(caches -> {
            List<Metric> all = new ArrayList<>(binder.collect(caches));
            all.addAll(attaching.collect(caches));
            return all;
        });
    }

    CloseReport close(Duration limit) {
        return runtime.close(limit);
    }
}
