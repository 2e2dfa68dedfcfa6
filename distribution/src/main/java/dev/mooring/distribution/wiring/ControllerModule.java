// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dagger.Module;
import dagger.Provides;
import dev.mooring.controlplane.ControlPlane;
import dev.mooring.distribution.logging.DecisionLog;
import dev.mooring.runtime.control.LoopListener;
import jakarta.inject.Singleton;

/** What the distribution ties to the controllers. */
@Module
interface ControllerModule {
    @Provides
    static LoopListener listener(ControllerParts parts) {
        return LoopListener.all(new DecisionLog(), parts.listener());
    }

    @Provides
    @Singleton
    static ControlPlane plane(ControllerParts parts, LoopListener listener) {
        ControlPlane.Builder plane = ControlPlane.builder(parts.store())
                .plugins(parts.plugins())
                .host(parts.host())
                .binder(parts.binder())
                .attachDetach(parts.attachDetach())
                .controllers(parts.duties())
                .only(parts.choice()::runs)
                .calls(parts.calls())
                .listener(listener)
                .limits(parts.limits())
                .events(parts.events());
        parts.node().ifPresent(plane::node);
        return plane.start();
    }
}
