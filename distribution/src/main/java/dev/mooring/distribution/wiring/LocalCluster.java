// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreNotes;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.runtime.store.DocumentStore;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.volumemanager.HostVolumes;
import dev.mooring.volumemanager.MountNews;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.ShutdownNews;
import dev.mooring.volumemanager.VolumeManager;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import dev.mooring.volumemanager.content.ContentFeed;
import dev.mooring.volumemanager.content.ContentNews;
import dev.mooring.volumemanager.content.TokenSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A whole control plane in this process: the controllers, and beside them the agent of this machine as a node. Both see the store as
 * they would from different machines. The Node object is made if it is not there.
 *
 * <p>Closing ends the loops and leaves store, records and everything mounted as it is. Thread-safe.
 */
public final class LocalCluster implements AutoCloseable {
    /** The label by which volumes name their node. */
    public static final String HOSTNAME = "kubernetes.io/hostname";

    private final NodeRef node;
    private final ControllerRuntime controllers;
    private final ControllerRuntime agent;
    private final ContentFeed feed;
    private final ShutdownNews shutdown = new ShutdownNews();

    private LocalCluster(LocalParts parts) {
        this.node = nodeOf(parts);
        PluginRegistry plugins = new PluginRegistry(parts.plugins());
        RuntimeOptions options =
                RuntimeOptions.defaults().withEvents(parts.events()).withListener(parts.listener());
        List<Controller> deciding = new ArrayList<>(new Binder(BinderOptions.DEFAULT, plugins).controllers());
        deciding.addAll(AttachDetach.controllers(AttachDetachOptions.DEFAULT, plugins));
        deciding.addAll(parts.duties());
        DocumentStore forControllers = parts.store().as("controllers");
        controllers = new ControllerRuntime(
                forControllers,
                deciding,
                options.withName("controllers")
                        .withCalls(parts.calls().apply(ControllerCalls.of(parts.store(), plugins, parts.host()))));
        NodeConfig config = NodeConfig.standalone(node, parts.bootId(), parts.root());
        feed = new ContentFeed(parts.store().as("node/" + node.name()));
        ContentNews news = new ContentNews();
        MountNews mounts = new MountNews();
        PluginRegistry nodePlugins = HostVolumes.with(plugins, feed, TokenSource.NONE);
        agent = new ControllerRuntime(
                parts.store().as("node/" + node.name()),
                VolumeManager.controllers(config, nodePlugins, parts.records().replay(), news, mounts, shutdown),
                options.withName("node").withCalls(parts.calls().apply(nodeCalls(parts, nodePlugins))));
        feed.onChange(podUid -> {
            Future<?> unused = agent.ask(caches -> {
                news.changed(podUid);
                return podUid;
            });
        });
        parts.mounts().ifPresent(table -> follow(table, mounts));
    }

    private void follow(MountTableFeed feed, MountNews mounts) {
        MountWatch.begin(feed, change -> {
            Future<?> unused = agent.ask(caches -> {
                mounts.changed(change);
                return change;
            });
        });
    }

    private CallHandler nodeCalls(LocalParts parts, PluginRegistry plugins) {
        DocumentStore store = parts.store().as("node/" + node.name());
        Secrets secrets = new StoreSecrets(store);
        InstantSource clock = InstantSource.system();
        return new NodeCallHandler(node, parts.root(), plugins, parts.records(), clock, parts.host(), secrets)
                .withNotes(volume -> StoreNotes.of(store, volume));
    }

    /** Puts the parts together and starts them. */
    public static LocalCluster start(LocalParts parts) {
        LocalCluster cluster = new LocalCluster(parts);
        cluster.controllers.start();
        cluster.agent.start();
        return cluster;
    }

    private static NodeRef nodeOf(LocalParts parts) {
        Node wanted = Node.of(parts.node());
        Node there = parts.store()
                .get(Kinds.NODE, ObjectKey.cluster(parts.node()))
                .value()
                .orElseGet(() -> parts.store()
                        .create(
                                Kinds.NODE,
                                wanted.withMetadata(wanted.metadata().withLabels(Map.of(HOSTNAME, parts.node()))))
                        .orThrow());
        return new NodeRef(parts.node(), there.metadata().uid());
    }

    /** This machine as a node. */
    public NodeRef node() {
        return node;
    }

    /** Waits until neither the controllers nor the node's agent has anything to do; see {@link ControllerRuntime#whenQuiescent}. */
    public void awaitQuiescence() {
        // Each may give the other something to do, so the first one is asked again.
        controllers.whenQuiescent().join();
        agent.whenQuiescent().join();
        controllers.whenQuiescent().join();
    }

    /**
     * Takes away what no container uses, before the machine is shut down; see {@link ShutdownNews}. Closing comes after it.
     *
     * @param limit how long it may take
     * @return whether the node came to rest in time
     */
    public boolean leaveMachine(Duration limit) {
        CompletableFuture<Void> left = CompletableFuture.runAsync(() -> {
            agent.ask(caches -> {
                        shutdown.begins();
                        return node;
                    })
                    .join();
            agent.whenQuiescent().join();
        });
        try {
            left.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    @Override
    public void close() {
        agent.close();
        feed.close();
        controllers.close();
    }

    /**
     * Closes and waits no longer than told for what does not end.
     *
     * @return whether everything had answered
     */
    public boolean close(Duration limit) {
        boolean agentClean = agent.close(limit).clean();
        feed.close();
        return controllers.close(limit).clean() && agentClean;
    }
}
