// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.demo;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.BinderCallHandler;
import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.binder.calls.RecycleCall;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.runtime.store.DocumentStore;
import dev.mooring.runtime.store.IdSource;
import dev.mooring.runtime.store.MemoryClusterStore;
import dev.mooring.runtime.store.StoreOptions;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.VolumeManager;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** A whole control plane in this process: a store, all controllers, and the agent of this machine as the node {@code here}. */
final class DemoCluster implements AutoCloseable {
    static final String NODE = "here";
    static final String HOSTNAME = "kubernetes.io/hostname";

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final DocumentStore store;
    private final HostServices host;
    private final ControllerRuntime runtime;

    DemoCluster(DemoDirectories directories, List<StoragePlugin> plugins, Narrator narrator) {
        InstantSource clock = InstantSource.system();
        store = new MemoryClusterStore(StoreOptions.of(Kinds.standard(), clock, IdSource.random(new SecureRandom())));
        host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        directories.state(), directories.root().resolve("orphans"), List.of()))
                .<HostServices>map(linux -> linux)
                .orElseGet(HostServices::none);
        Node node = Node.of(NODE);
        Node created = store.create(
                        Kinds.NODE, node.withMetadata(node.metadata().withLabels(Map.of(HOSTNAME, NODE))))
                .orThrow();
        NodeRef nodeRef = new NodeRef(NODE, created.metadata().uid());
        PluginRegistry registry = new PluginRegistry(plugins);
        RecordLog log = new MemoryRecordLog();
        NodeConfig config = NodeConfig.standalone(nodeRef, "demo", directories.root());
        List<Controller> controllers = new ArrayList<>(new Binder(BinderOptions.DEFAULT, registry).controllers());
        controllers.addAll(VolumeManager.controllers(config, registry, log.replay()));
        CallHandler forBinder = new BinderCallHandler(registry, clock, host, Secrets.NONE);
        CallHandler forNode =
                new NodeCallHandler(nodeRef, directories.root(), registry, log, clock, host, Secrets.NONE);
        RuntimeOptions options = RuntimeOptions.defaults()
                .withEvents(narrator)
                .withCalls((call, ticket) ->
                        call instanceof ProvisionCall || call instanceof RecycleCall || call instanceof DeleteCall
                                ? forBinder.perform(call, ticket)
                                : forNode.perform(call, ticket));
        watch(Kinds.PERSISTENT_VOLUME, narrator.watching("volume", States::of));
        watch(Kinds.PERSISTENT_VOLUME_CLAIM, narrator.watching("claim", States::of));
        watch(Kinds.POD, narrator.watching("pod", States::of));
        runtime = new ControllerRuntime(store.as("controllers"), controllers, options).start();
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
        CompletableFuture<Void> reached = new CompletableFuture<>();
        AtomicReference<Optional<T>> seen = new AtomicReference<>(Optional.empty());
        Runnable look = () -> {
            Optional<T> now = store.get(kind, key).value();
            seen.set(now);
            if (wanted.test(now)) {
                reached.complete(null);
            }
        };
        Watch watch = store.watch(kind, ListOptions.ALL, Revision.ZERO, new Looking<T>(look));
        try {
            look.run();
            reached.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    what + " did not happen within " + PATIENCE.toSeconds() + " s; last seen: " + seen.get(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting: " + what, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(what, e);
        } finally {
            watch.close();
        }
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
        runtime.close();
        store.close();
    }

    /** Looks again at every event. */
    private record Looking<T extends KubernetesObject>(Runnable look) implements WatchListener<T> {
        @Override
        public void onEvent(WatchEvent<T> event) {
            look.run();
        }

        @Override
        public void onBookmark(Revision revision) {
            // nothing happened
        }

        @Override
        public void onEnd(dev.mooring.storage.store.StoreResult.Failure reason, String message) {
            look.run();
        }
    }
}
