// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.controlplane.ControlPlane;
import dev.mooring.controlplane.NodeAgent;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.ClusterStore;
import java.nio.file.Path;

/** Controllers and a node's agent of one's own: the example of docs/embed/embedding.md. */
final class AttachingExample {
    private AttachingExample() {}

    static ControlPlane controllers(ClusterStore store, StoragePlugin plugin) {
        // controllers begin
        return ControlPlane.builder(store).plugins(plugin).start();
        // controllers end
    }

    static NodeAgent agent(ClusterStore store, String name, StoragePlugin plugin, RecordLog records, Path root) {
        // agent begins
        var layout = new LinuxHostLayout(
                root.resolve("state"), root.resolve("orphans"), KeptPlaces.in(root.resolve("places")));
        var host = LinuxHost.ofThisMachine(layout).orElseThrow();
        return NodeAgent.builder(store, host, root)
                .plugins(plugin)
                .records(records)
                .start(name);
        // agent ends
    }
}
