// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Message;
import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.attachdetach.calls.AttachDetachCallHandler;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.calls.BinderCallHandler;
import dev.mooring.binder.scheduling.SchedulingOptions;
import dev.mooring.binder.scheduling.VolumeScheduling;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.DriverChannel;
import dev.mooring.plugin.csi.DirectChannel.Reply;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.UncancelledTicket;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.plugin.DriverTokens;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.simulation.virtual.VirtualClock;
import dev.mooring.simulation.world.CallWitness;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.VolumeManager;
import dev.mooring.volumemanager.calls.HostCall;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Mooring's control plane with what calls CSI drivers in it, as it is in production, and a driver in the world's own time. */
final class CsiPlane implements SimulatedControlPlane {
    private static final Path ROOT = Path.of("/var/lib/kubelet");

    /** Answers a call of the node of a name; of the controllers if it is empty. */
    @FunctionalInterface
    interface Calls {
        Reply answer(String node, String rpc, Message request);
    }

    private final Calls calls;
    private final SimulatedDriver driver;
    private final List<DirectChannel> channels = new ArrayList<>();
    private final Map<String, CallHandler> nodes = new TreeMap<>();
    private final Map<String, SimulatedMachine> machines = new TreeMap<>();
    private final Consumer<String> died;
    private final ClusterStore store;
    private Optional<SimulatedCluster> cluster = Optional.empty();
    private CallHandler controllers = (call, ticket) -> Outcome.deferred("no controllers yet");

    /**
     * A plane.
     *
     * @param calls how the driver answers
     * @param died told of machines that die
     */
    CsiPlane(SimulatedDriver driver, Calls calls, Consumer<String> died) {
        this.driver = driver;
        this.died = died;
        this.calls = calls;
        // The controllers are made before the cluster is known.
        this.store = (ClusterStore) Proxy.newProxyInstance(
                ClusterStore.class.getClassLoader(),
                new Class<?>[] {ClusterStore.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(
                                ((MemoryClusterStore) cluster.orElseThrow().store()).as(SimulatedCluster.CONTROLLERS),
                                arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** To be told at once. */
    void in(SimulatedCluster itsCluster) {
        cluster = Optional.of(itsCluster);
        itsCluster.show(new Deaths());
    }

    /** What is still mounted on machines, and which devices they still have. */
    List<String> left() {
        List<String> all = new ArrayList<>();
        machines.forEach((node, machine) -> machine.left().forEach(each -> all.add(each + " on " + node)));
        return all;
    }

    private final class Deaths implements CallWitness {
        @Override
        public void issued(Call call) {
            // of no concern
        }

        @Override
        public void ended(Call call, boolean applied, boolean hangs) {
            // of no concern
        }

        @Override
        public void machineDied(String node) {
            driver.machineDied(node);
            died.accept(node);
            Optional.ofNullable(machines.get(node))
                    .ifPresent(machine -> machine.memory().reboot());
        }
    }

    /** The driver's process has ended. */
    void loseDriver() {
        channels.forEach(DirectChannel::lose);
    }

    private Drivers drivers(String node) {
        DirectChannel channel = new DirectChannel((rpc, request) -> calls.answer(node, rpc, request));
        channels.add(channel);
        Drivers drivers = new Drivers();
        drivers.put(new Driver(
                SimulatedDriver.NAME,
                DriverChannel.over(CsiEndpoint.parse("unix:///csi.sock"), channel),
                DriverCallMetrics.ofNode()));
        return drivers;
    }

    @Override
    public List<Controller> controllers() {
        PluginRegistry plugins =
                new PluginRegistry(List.of(new CsiDriverPlugin(SimulatedDriver.NAME, drivers(""), store)));
        HostServices none = HostServices.none();
        controllers = CallHandler.choosing(
                AttachDetachCallHandler::handles,
                new AttachDetachCallHandler(plugins, none, Secrets.NONE),
                new BinderCallHandler(plugins, none, Secrets.NONE));
        BinderOptions options = BinderOptions.DEFAULT.with(BinderSwitch.SNAPSHOTS);
        List<Controller> all = new ArrayList<>(new Binder(options, plugins).controllers());
        all.addAll(AttachDetach.controllers(AttachDetachOptions.DEFAULT, plugins));
        all.add(VolumeScheduling.scheduler(SchedulingOptions.DEFAULT.like(options)));
        return all;
    }

    @Override
    public Optional<Agent> agent(NodeRef node) {
        return Optional.of(new NodeAgentOfWorld(node));
    }

    @Override
    public Optional<Outcome<?>> success(Call call) {
        CallHandler handler = call.node().isEmpty() || AttachDetachCallHandler.handles(call)
                ? controllers
                : nodes.getOrDefault(call.node(), controllers);
        return Optional.of(handler.perform(call, ticket()));
    }

    private final class NodeAgentOfWorld implements Agent {
        private final NodeRef node;
        private final SimulatedMachine host = SimulatedMachine.at(ROOT);
        private final RecordLog disk = new MemoryRecordLog();
        private CallHandler handler = (call, ticket) -> Outcome.deferred("no agent yet");

        NodeAgentOfWorld(NodeRef node) {
            this.node = node;
            machines.put(node.name(), host);
            driver.on(node.name(), MountingDriver.on(host));
        }

        @Override
        public List<Controller> controllers(String bootId) {
            PluginRegistry plugins = new PluginRegistry(
                    List.of(new CsiVolumes(drivers(node.name()), store, node.name(), ROOT, DriverTokens.NONE)));
            handler = new NodeCallHandler(node, ROOT, plugins, disk, host, Secrets.NONE);
            nodes.put(node.name(), handler);
            return VolumeManager.controllers(NodeConfig.standalone(node, bootId, ROOT), plugins, disk.replay());
        }

        @Override
        public Optional<Outcome<?>> ownCall(Call call) {
            return call instanceof RecordCall || call instanceof HostCall
                    ? Optional.of(handler.perform(call, ticket()))
                    : Optional.empty();
        }
    }

    /** No call is waited for: each has ended when it has begun. */
    private CallTicket ticket() {
        InstantSource clock = () ->
                VirtualClock.START.plus(cluster.map(SimulatedCluster::elapsed).orElse(Duration.ZERO));
        return new UncancelledTicket(clock, clock.instant().plus(Duration.ofMinutes(2)), 1, "one", unreported -> {});
    }
}
