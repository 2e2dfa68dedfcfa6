// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.simulation.virtual.CallAnswer;
import dev.mooring.simulation.virtual.ProcessSpec;
import dev.mooring.simulation.virtual.VirtualCalls;
import dev.mooring.simulation.virtual.VirtualWorld;
import dev.mooring.simulation.world.Strikes.Strike;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionBuilder;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The machines behind the Node objects. A Node that appears without a Ready condition, or with Ready True, has a running machine; one
 * that appears otherwise is a dead machine until it is restarted. Confined to the world's thread.
 */
public final class Machines {
    private static final String READY = "Ready";

    private final VirtualWorld world;
    private final SimulatedControlPlane plane;
    private final ClusterStore store;
    private final ClusterStore agentStore;
    private final SimulatedBackends backends;
    private final Strikes strikes;
    private final Map<String, Machine> machines = new TreeMap<>();
    private boolean news = true;

    /**
     * Makes a keeper of machines.
     *
     * @param world where the agents run
     * @param plane makes the agents
     * @param store the cluster
     * @param agentStore the agents' way to it
     * @param backends the agents' way to storage
     * @param strikes counts the machines that go down
     */
    public Machines(
            VirtualWorld world,
            SimulatedControlPlane plane,
            ClusterStore store,
            ClusterStore agentStore,
            SimulatedBackends backends,
            Strikes strikes) {
        this.world = world;
        this.plane = plane;
        this.store = store;
        this.agentStore = agentStore;
        this.backends = backends;
        this.strikes = strikes;
        store.watch(Kinds.NODE, ListOptions.ALL, Revision.ZERO, new NodeListener());
    }

    private final class NodeListener implements WatchListener<Node> {
        @Override
        public void onEvent(WatchEvent<Node> event) {
            news = true;
        }

        @Override
        public void onBookmark(Revision revision) {
            // no news of nodes
        }

        @Override
        public void onEnd(Failure reason, String message) {
            throw new IllegalStateException("the watch of nodes ended: " + reason + " " + message);
        }
    }

    /** Starts what has appeared and removes what has gone; answers whether there was anything to do. */
    public boolean keep() {
        if (!news) {
            return false;
        }
        news = false;
        List<Node> nodes = store.list(Kinds.NODE, ListOptions.ALL).orThrow().items();
        Set<String> uids = new HashSet<>();
        nodes.forEach(node -> uids.add(node.metadata().uid()));
        boolean changed = false;
        for (Machine machine : List.copyOf(machines.values())) {
            if (!uids.contains(machine.ref.uid())) {
                world.remove(machine.processName());
                backends.machineDied(machine.ref.name());
                machines.remove(machine.ref.name());
                changed = true;
            }
        }
        for (Node node : nodes) {
            changed |= !machines.containsKey(node.metadata().name()) && appear(node);
        }
        return changed;
    }

    private boolean appear(Node node) {
        NodeRef ref = new NodeRef(node.metadata().name(), node.metadata().uid());
        Optional<SimulatedControlPlane.Agent> agent = plane.agent(ref);
        if (agent.isEmpty()) {
            return false;
        }
        Machine machine = new Machine(ref, agent.get());
        machines.put(ref.name(), machine);
        world.add(new ProcessSpec(
                machine.processName(),
                () -> machine.agent.controllers(machine.bootId()),
                agentStore,
                machine.calls(backends)));
        if (node.isReady()) {
            machine.up = true;
            world.process(machine.processName()).orElseThrow().restart();
        }
        return true;
    }

    /** Whether there is a machine of that name. */
    public boolean has(String node) {
        return machines.containsKey(node);
    }

    /** Whether there is a machine of that name, and it runs. */
    public boolean isUp(String node) {
        Machine machine = machines.get(node);
        return machine != null && machine.up;
    }

    /** The whole machine dies, mounts included, and stays down. */
    public void stop(String node) {
        Machine machine = machine(node);
        world.process(machine.processName()).orElseThrow().kill();
        backends.machineDied(node);
        if (machine.up) {
            machine.up = false;
            strikes.count(Strike.MACHINE);
            int outage = ++machine.outages;
            plane.unknownAfter()
                    .ifPresent(silence -> world.after(silence, () -> {
                        if (!machine.up && machine.outages == outage) {
                            reportUnknown(machine.ref);
                        }
                    }));
        }
    }

    /** The agent starts with nothing in memory; a machine that is down boots again. */
    public void restart(String node) {
        Machine machine = machine(node);
        if (!machine.up) {
            machine.up = true;
            machine.boots++;
        }
        world.process(machine.processName()).orElseThrow().restart();
    }

    private Machine machine(String node) {
        return Optional.ofNullable(machines.get(node))
                .orElseThrow(() -> new IllegalArgumentException("there is no machine " + node));
    }

    private void reportUnknown(NodeRef ref) {
        store.get(Kinds.NODE, ObjectKey.cluster(ref.name()))
                .value()
                .filter(node -> node.metadata().uid().equals(ref.uid()))
                .ifPresent(node -> store.updateStatus(Kinds.NODE, new Change<>(node, unknown(node)))
                        .orThrow());
    }

    private Node unknown(Node node) {
        Instant now = world.clock().instant();
        List<Condition> conditions = new ArrayList<>(node.status().conditions());
        conditions.removeIf(condition -> condition.type().equals(READY));
        conditions.add(ConditionBuilder.builder()
                .type(READY)
                .status(ConditionStatus.UNKNOWN)
                .reason("NodeStatusUnknown")
                .message("Kubelet stopped posting node status.")
                .lastTransitionTime(now)
                .build());
        return node.withStatus(node.status().withConditions(conditions));
    }

    /** The machines, by name. */
    public List<String> names() {
        return List.copyOf(machines.keySet());
    }

    private static final class Machine {
        final NodeRef ref;
        final SimulatedControlPlane.Agent agent;
        boolean up;
        int boots = 1;
        int outages;

        Machine(NodeRef ref, SimulatedControlPlane.Agent agent) {
            this.ref = ref;
            this.agent = agent;
        }

        String processName() {
            return "node/" + ref.name();
        }

        String bootId() {
            return "boot-" + boots + "-of-" + ref.name();
        }

        VirtualCalls calls(SimulatedBackends backends) {
            return new VirtualCalls() {
                @Override
                public CallAnswer perform(Call call, CallTicket ticket) {
                    return agent.ownCall(call).map(CallAnswer::of).orElseGet(() -> backends.perform(call, ticket));
                }

                @Override
                public void gaveUp(Call call, boolean processDied) {
                    backends.gaveUp(call, processDied);
                }
            };
        }
    }
}
