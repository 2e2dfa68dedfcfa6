// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dagger.Module;
import dagger.Provides;
import dev.mooring.controlplane.MountTableSource;
import dev.mooring.controlplane.NodeAgent;
import dev.mooring.distribution.csi.CsiModules;
import dev.mooring.distribution.logging.DecisionLog;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountTable;
import jakarta.inject.Singleton;

/** What the distribution ties to a node's agent. */
@Module
interface NodeModule {
    @Provides
    static LoopListener listener(NodeParts parts) {
        return LoopListener.all(new DecisionLog(), parts.listener());
    }

    @Provides
    @Singleton
    static NodeAgent agent(NodeParts parts, LoopListener listener) {
        NodeAgent.Builder agent = NodeAgent.builder(parts.store(), parts.host(), parts.root())
                .plugins(parts.plugins())
                .records(parts.records())
                .bootId(parts.bootId())
                .events(parts.events())
                .tokens(parts.tokens())
                .drivers(() -> CsiModules.find(DriverHost.class), parts.endpoints())
                .calls(parts.calls())
                .listener(listener);
        if (parts.snapshots()) {
            agent.snapshots();
        }
        parts.mounts().map(NodeModule::source).ifPresent(agent::mounts);
        return agent.start(parts.node());
    }

    private static MountTableSource source(MountTableFeed feed) {
        return new MountTableSource() {
            @Override
            public Outcome<MountTable> table() {
                return feed.table();
            }

            @Override
            public void onChange(Runnable listener) {
                feed.onChange(listener);
            }
        };
    }
}
