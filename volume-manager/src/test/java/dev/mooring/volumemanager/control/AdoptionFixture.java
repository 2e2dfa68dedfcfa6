// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.volumemanager.Adoption;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A world with a mount table, which an agent searches that has lost its records. */
abstract class AdoptionFixture<P extends StoragePlugin> {
    final P plugin;
    final NodeWorld world;
    final List<MountEntry> table = new ArrayList<>();
    boolean storeIsAway;
    int lists;

    AdoptionFixture(P plugin) {
        this.plugin = plugin;
        this.world = new NodeWorld(plugin);
    }

    static Path pathOf(RecordEntry entry) {
        return entry.match(
                publish -> publish.deviceMap().orElse(publish.target()),
                stage -> stage.stagingPath().orElseThrow());
    }

    final void mounted(Path path, String device) {
        mounted(path, device, "/", "ext4");
    }

    final void mounted(Path path, String device, String root, String fsType) {
        table.add(new MountEntry(
                table.size() + 1,
                0,
                device,
                root,
                false,
                path,
                List.of("rw"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                fsType,
                "/dev/sda",
                List.of("rw")));
    }

    final Outcome<Adoption.Result> search() {
        HostServices host = instead(
                HostServices.class,
                "mounts",
                () -> instead(Mounts.class, "table", () -> Outcome.done(new MountTable(table))));
        ClusterStore store = (ClusterStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ClusterStore.class}, (proxy, method, arguments) -> {
                    lists++;
                    return storeIsAway
                            ? StoreResult.failed(Failure.UNAVAILABLE, "away")
                            : StoreResult.ok(all((Kind<?>) arguments[0]));
                });
        return new Adoption(world.config, world.plugins, host, () -> Instant.EPOCH, Secrets.NONE).run(world.log, store);
    }

    private <T extends KubernetesObject> ObjectList<T> all(Kind<T> kind) {
        return new ObjectList<>(world.store.all(kind), world.store.revision(), "");
    }

    interface Answer {
        Object get();
    }

    static <T> T instead(Class<T> type, String only, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                AdoptionFixture.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo(only);
                    return answer.get();
                }));
    }

    /** The next process starts without the log of the one before. */
    final void restartWithoutRecords() {
        world.log = new MemoryRecordLog();
        world.found = search().result().orElseThrow();
        world.restart();
    }

    final List<String> inUse() {
        return world.node().status().volumesInUse();
    }

    final List<RecordPhase> phases() {
        return world.standing().stream().map(RecordEntry::phase).toList();
    }
}
