// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.csi.CsiTransport;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.plugin.DriverHost.NodeSetup;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.testkit.host.MemoryHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the node's objects say of drivers that were there before the process began. */
class StaleEntriesTest {
    private static final int TIMES_FASTER = 1000;

    @TempDir
    private Path temp;

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(3))));

    private List<String> drivers() {
        return store.get(Kinds.CSI_NODE, ObjectKey.cluster("n1")).orThrow().spec().drivers().stream()
                .map(CSINodeDriver::name)
                .toList();
    }

    @Test
    void oneWhoseDriverDoesNotComeBackGoes() throws IOException {
        Node node = store.create(Kinds.NODE, Node.of("n1")).orThrow();
        NodeRef self = new NodeRef("n1", node.metadata().uid());
        DriverOnNode gone = new DriverOnNode("gone.csi.example.com", "id-1", Map.of(), OptionalLong.empty());
        CSINode entered = NodeObjects.with(NodeObjects.fresh(self), gone);
        store.create(Kinds.CSI_NODE, entered).orThrow();
        assertThat(drivers()).containsExactly("gone.csi.example.com");
        long begun = System.nanoTime();
        InstantSource fast = () -> Instant.EPOCH.plusNanos((System.nanoTime() - begun) * TIMES_FASTER);
        NodeSetup setup = new NodeSetup(
                store,
                new MemoryHost(temp.resolve("host")),
                self,
                temp,
                Map.of(),
                announcement -> {},
                (pod, account, audience, life) -> Outcome.deferred("no tokens"),
                DriverCallMetrics.ofNode());
        try (CsiTransport transport = CsiTransport.start(1);
                Drivers none = new Drivers();
                DriverRegistry registry = new DriverRegistry(setup, transport, none, fast)) {
            registry.start(() -> {});
            // The registry rests by the wall's clock, which the fast one leaves behind: what comes and goes in its
            // directory wakes it.
            Path waking = temp.resolve("plugins_registry").resolve("waking");
            for (int i = 0; i < 6000 && !drivers().isEmpty(); i++) {
                if (!Files.deleteIfExists(waking)) {
                    Files.createDirectory(waking);
                }
                LockSupport.parkNanos(10_000_000);
            }
            assertThat(drivers()).isEmpty();
        }
    }
}
