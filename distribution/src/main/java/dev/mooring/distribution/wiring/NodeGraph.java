// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dagger.BindsInstance;
import dagger.Component;
import dev.mooring.controlplane.NodeAgent;
import jakarta.inject.Singleton;

/** A node's agent as the distribution runs it. */
@Singleton
@Component(modules = NodeModule.class)
public interface NodeGraph {
    /** The agent; starts it when it is asked first. */
    NodeAgent agent();

    /** Starts an agent of these parts. */
    static NodeAgent start(NodeParts parts) {
        return DaggerNodeGraph.factory().of(parts).agent();
    }

    /** Makes graphs. */
    @Component.Factory
    interface Factory {
        /** A graph of these parts. */
        NodeGraph of(@BindsInstance NodeParts parts);
    }
}
