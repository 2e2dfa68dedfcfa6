// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dagger.BindsInstance;
import dagger.Component;
import jakarta.inject.Singleton;

/** The node's side of a control plane, put together by {@link NodeModule}. Each graph holds one of everything. */
@Singleton
@Component(modules = NodeModule.class)
interface NodeGraph {
    /** The agent; has not begun. */
    NodeAgent agent();

    /** Makes graphs. */
    @Component.Factory
    interface Factory {
        /** A graph of these parts. */
        NodeGraph of(@BindsInstance NodeParts parts);
    }
}
