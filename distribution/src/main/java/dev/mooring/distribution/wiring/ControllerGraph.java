// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dagger.BindsInstance;
import dagger.Component;
import dev.mooring.attachdetach.metrics.AttachDetachMetrics;
import dev.mooring.binder.metrics.BinderMetrics;
import dev.mooring.distribution.operations.LoopMetrics;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.metrics.Metric;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The controllers' side of a control plane, put together by {@link ControllerModule}. Each graph holds one of everything. */
@Singleton
@Component(modules = ControllerModule.class)
public interface ControllerGraph {
    /** The loop with all controllers; has not begun. */
    ControllerRuntime runtime();

    /** Hears the loop. */
    BinderMetrics binderMetrics();

    /** Hears the loop. */
    AttachDetachMetrics attachDetachMetrics();

    /** Hears the loop. */
    LoopMetrics loopMetrics();

    /** All metrics with their values now. */
    default CompletableFuture<List<Metric>> metrics() {
        return runtime().ask(caches -> {
            List<Metric> all = new ArrayList<>(binderMetrics().collect(caches));
            all.addAll(attachDetachMetrics().collect(caches));
            all.addAll(loopMetrics().collect());
            return all;
        });
    }

    /** A graph of these parts. */
    static ControllerGraph of(ControllerParts parts) {
        return DaggerControllerGraph.factory().of(parts);
    }

    /** Makes graphs. */
    @Component.Factory
    interface Factory {
        /** A graph of these parts. */
        ControllerGraph of(@BindsInstance ControllerParts parts);
    }
}
