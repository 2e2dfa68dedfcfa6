// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dagger.BindsInstance;
import dagger.Component;
import dev.mooring.attachdetach.metrics.AttachDetachMetrics;
import dev.mooring.binder.metrics.BinderMetrics;
import dev.mooring.runtime.ControllerRuntime;
import jakarta.inject.Singleton;

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
