// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dagger.BindsInstance;
import dagger.Component;
import dev.mooring.controlplane.ControlPlane;
import jakarta.inject.Singleton;

/** The controllers as the distribution runs them. */
@Singleton
@Component(modules = ControllerModule.class)
public interface ControllerGraph {
    /** The controllers; starts them when it is asked first. */
    ControlPlane plane();

    /** Starts controllers of these parts. */
    static ControlPlane start(ControllerParts parts) {
        return DaggerControllerGraph.factory().of(parts).plane();
    }

    /** Makes graphs. */
    @Component.Factory
    interface Factory {
        /** A graph of these parts. */
        ControllerGraph of(@BindsInstance ControllerParts parts);
    }
}
