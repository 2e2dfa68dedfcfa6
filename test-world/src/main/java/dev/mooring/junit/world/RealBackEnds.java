// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.attachdetach.calls.AttachDetachCallHandler;
import dev.mooring.binder.calls.BinderCallHandler;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.simulation.world.CallWitness;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.ClusterStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The back-ends of a world that are no simulation: plugins that are called as in production, on this machine. Decisions, time and faults are
 * the world's. What others read of it is thread-safe; all else is confined to the world's thread.
 */
public final class RealBackEnds implements AutoCloseable {
    private static final String HOST_PATH = "kubernetes.io/host-path";

    private final RealMachine machine;
    private final PluginRegistry plugins;
    private final Supplier<ClusterStore> store;
    private final Secrets secrets;
    private final TimelyCalls calls = new TimelyCalls();
    private final CallHandler controllers;
    private final Map<String, RealNode> nodes = new ConcurrentHashMap<>();

    private RealBackEnds(RealMachine machine, PluginRegistry plugins, Supplier<ClusterStore> store) {
        this.machine = machine;
        this.plugins = plugins;
        this.store = store;
        this.secrets = name -> new StoreSecrets(store.get()).find(name);
        this.controllers = CallHandler.choosing(
                AttachDetachCallHandler::handles,
                new AttachDetachCallHandler(plugins, machine.host(), secrets),
                new BinderCallHandler(plugins, machine.host(), secrets));
    }

    /** Why this process cannot have real back-ends here; empty if it can. */
    public static Optional<String> whyNot() {
        return RealMachine.whyNot();
    }

    /**
     * Sets plugins up.
     *
     * @param wanted which
     * @param store what plugins look up secrets and write notes in; asked for when the first of them is called
     * @throws IllegalStateException if this process cannot have real back-ends here
     * @throws IllegalArgumentException if two plugins have one name or serve one source
     */
    static RealBackEnds open(WantedPlugins wanted, Supplier<ClusterStore> store) {
        RealMachine machine = RealMachine.open();
        try {
            List<StoragePlugin> all = new ArrayList<>(wanted.configured());
            wanted.found().forEach(plugin -> all.add(setUp(plugin, machine)));
            return new RealBackEnds(machine, new PluginRegistry(all), store);
        } catch (RuntimeException e) {
            machine.close();
            throw e;
        }
    }

    /** What the hostPath plugin makes goes with the world. */
    private static StoragePlugin setUp(StoragePlugin plugin, RealMachine machine) {
        return plugin.describe().name().value().equals(HOST_PATH)
                ? plugin.configured(Map.of("root", machine.hostPaths().toString()))
                        .orThrow()
                : plugin;
    }

    /** The plugins. */
    Collection<StoragePlugin> plugins() {
        return plugins.all();
    }

    /** The agent of a node. */
    SimulatedControlPlane.Agent agent(NodeRef node, PluginRegistry all) {
        RealNode made = new RealNode(node, machine.rootOf(node.name()), all, this);
        nodes.put(node.name(), made);
        return made;
    }

    /** Whether a plugin is one of them. */
    public boolean has(String plugin) {
        return plugins.named(plugin).isPresent();
    }

    RealMachine machine() {
        return machine;
    }

    ClusterStore store() {
        return store.get();
    }

    Secrets secrets() {
        return secrets;
    }

    TimelyCalls calls() {
        return calls;
    }

    /** Carries a call out; empty if its plugin is simulated. */
    Optional<Outcome<?>> carriedOut(Call call, CallTicket ticket) {
        if (!has(call.plugin().value())) {
            return Optional.empty();
        }
        if (call.node().isEmpty() || AttachDetachCallHandler.handles(call)) {
            return Optional.of(calls.perform(controllers, call, ticket));
        }
        return Optional.of(Optional.ofNullable(nodes.get(call.node()))
                .<Outcome<?>>map(node -> calls.perform(node.handler(), call, ticket))
                .orElseGet(() -> Outcome.deferred("there is no node " + call.node())));
    }

    /** Takes away what is mounted on machines that die. */
    CallWitness witness() {
        return new CallWitness() {
            @Override
            public void issued(Call call) {
                // only machines matter
            }

            @Override
            public void ended(Call call, boolean applied, boolean hangs) {
                // only machines matter
            }

            @Override
            public void machineDied(String node) {
                RealNode died = nodes.get(node);
                if (died != null) {
                    died.down();
                    machine.unmountAllOf(node);
                }
            }
        };
    }

    /** Where a pod sees a volume now; empty if it does not, or if the volume is simulated. */
    public Optional<Path> shown(String podUid, String podVolume) {
        return nodes.values().stream()
                .flatMap(node -> node.shown(podUid, podVolume).stream())
                .findFirst();
    }

    /**
     * Ends the calls, unmounts everything and deletes the world's directory.
     *
     * @throws IllegalStateException if something stays
     */
    @Override
    public void close() {
        calls.close();
        machine.close();
    }
}
