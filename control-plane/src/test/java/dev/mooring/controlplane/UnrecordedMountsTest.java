// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.volumemanager.Adoption;
import dev.mooring.volumemanager.NodeConfig;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a node does about mounts of which its log does not tell. */
class UnrecordedMountsTest {
    private static final NodeRef NODE = new NodeRef("here", "uid");
    private static final Path ROOT = Path.of("/var/lib/mooring/kubelet");
    private static final NodeConfig CONFIG = NodeConfig.standalone(NODE, "boot", ROOT);

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
    private final List<Announcement> events = new ArrayList<>();

    private NodeAgent.Builder parts(Outcome<MountTable> table) {
        HostServices host = only(HostServices.class, () -> only(Mounts.class, () -> table));
        return NodeAgent.builder(store, host, ROOT);
    }

    private static <T> T only(Class<T> type, Supplier<?> answer) {
        return type.cast(Proxy.newProxyInstance(
                UnrecordedMountsTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer.get()));
    }

    @Test
    void whatIsLeftAloneIsToldToPeople() {
        MountEntry mount = new MountEntry(
                1,
                0,
                "8:1",
                "/",
                false,
                ROOT.resolve("pods/uid/volumes/example.com~gone/data"),
                List.of("rw"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                "ext4",
                "/dev/sda1",
                List.of("rw"));
        NodeAgent.Builder parts = parts(Outcome.done(new MountTable(List.of(mount))));
        Adoption.Result found = UnrecordedMounts.search(parts, CONFIG, new PluginRegistry(List.of()), events::add);
        assertThat(found.left()).hasSize(1);
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("UnknownMount");
            assertThat(event.object().name()).isEqualTo("here");
            assertThat(event.message()).contains("example.com~gone").contains("no such plugin");
        });
    }

    @Test
    void aNodeThatCannotSeeItsMountsDoesNotWork() {
        NodeAgent.Builder parts = parts(Outcome.deferred("the table changes all the time"));
        assertThatThrownBy(() -> UnrecordedMounts.search(parts, CONFIG, new PluginRegistry(List.of()), events::add))
                .isInstanceOf(UnknownMountsException.class)
                .hasMessageContaining("the table changes");
    }
}
