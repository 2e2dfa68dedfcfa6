// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.demo;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.distribution.wiring.LocalCluster;
import dev.mooring.distribution.wiring.LocalParts;
import dev.mooring.distribution.wiring.OwnPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.WatchListener;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The control plane of the demonstration: a store in memory, all controllers, and this machine as the node {@code here}. */
final class DemoCluster implements AutoCloseable {
    static final String NODE = "here";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final DocumentStore store;
    private final HostServices host;
    private final Optional<MountTableFeed> mounts;
    private final LocalCluster cluster;
    private final Awaiting awaiting;

    DemoCluster(DemoDirectories directories, List<StoragePlugin> plugins, Narrator narrator) {
        store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
        Optional<LinuxHost> machine = LinuxHost.ofThisMachine(new LinuxHostLayout(
                directories.state(), directories.root().resolve("orphans"), OwnPlaces.ofThisMachine()));
        mounts = machine.flatMap(linux -> linux.followMounts().result());
        host = machine.<HostServices>map(linux -> linux).orElseGet(HostServices::none);
        awaiting = new Awaiting(store, PATIENCE);
        watch(Kinds.PERSISTENT_VOLUME, narrator.watching("volume", States::of));
        watch(Kinds.PERSISTENT_VOLUME_CLAIM, narrator.watching("claim", States::of));
        watch(Kinds.POD, narrator.watching("pod", States::of));
        watch(Kinds.VOLUME_ATTACHMENT, narrator.watching("attachment", States::of));
        LocalParts parts =
                LocalParts.of(store, host, plugins, NODE, directories.root()).withEvents(narrator);
        cluster = LocalCluster.start(parts.withMounts(mounts));
    }

    DocumentStore store() {
        return store;
    }

    HostServices host() {
        return host;
    }

    private <T extends KubernetesObject> void watch(Kind<T> kind, WatchListener<T> listener) {
        store.watch(kind, ListOptions.ALL, Revision.ZERO, listener);
    }

    /** Waits until an object, or its absence, is as wanted. */
    <T extends KubernetesObject> void await(Kind<T> kind, ObjectKey key, String what, Predicate<Optional<T>> wanted) {
        awaiting.until(kind, key, what, wanted);
    }

    /** Waits until all processes are idle. */
    void quiet() {
        cluster.awaitQuiescence();
    }

    /** Deletes whatever is still there, pods first, so that everything that was mounted is unmounted. */
    void deleteEverything() {
        for (Kind<?> kind : List.of(Kinds.POD, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME)) {
            deleteAll(kind);
        }
    }

    private <T extends KubernetesObject> void deleteAll(Kind<T> kind) {
        for (T object : store.list(kind, ListOptions.ALL).orThrow().items()) {
            ObjectKey key = ObjectKey.of(object);
            store.delete(kind, key, DeleteOptions.DEFAULT);
            await(kind, key, key + " goes", Optional::isEmpty);
        }
    }

    @Override
    public void close() {
        cluster.close();
        mounts.ifPresent(MountTableFeed::close);
        store.close();
    }
}
