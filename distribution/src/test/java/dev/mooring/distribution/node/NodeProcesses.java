// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.storage.store.ClusterStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Nodes' processes for tests. */
public final class NodeProcesses {
    private NodeProcesses() {}

    /** As an operator who says nothing in particular. */
    public static NodeSettings settings(Supplier<ClusterStore> cluster, String node, Path data) {
        return settings(cluster, node, data, InstalledPlugins.of(List.of()));
    }

    /** The same with plugins that the test gives. */
    public static NodeSettings settings(
            Supplier<ClusterStore> cluster, String node, Path data, InstalledPlugins plugins) {
        return NodeSettingsBuilder.builder()
                .cluster(cluster)
                .node(node)
                .version("0.1.0")
                .data(data)
                .kubelet(data.resolve("kubelet"))
                .adopts(false)
                .lease(Duration.ofSeconds(40))
                .plugins(plugins)
                .endpoints(Map.of())
                .places(KeptPlaces.in(data.toAbsolutePath().resolveSibling("places")))
                .build();
    }

    /** Runs one by a thread of its own. */
    public static CompletableFuture<Boolean> run(NodeProcess process) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return process.run();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                task -> new Thread(task, "node-process").start());
    }
}
