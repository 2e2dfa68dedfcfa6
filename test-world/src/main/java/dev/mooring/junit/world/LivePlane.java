// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.clusterstore.duty.BackgroundDuties;
import dev.mooring.clusterstore.duty.DutyOptions;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A simulated control plane in a cluster as its users know it: nodes renew their leases, silent ones are found out, and pods are evicted from
 * them.
 *
 * @param storage what handles volumes
 * @param real the back-ends that are no simulation; empty for none
 * @param plugins what a node has, if there are real back-ends
 */
record LivePlane(SimulatedControlPlane storage, Optional<RealBackEnds> real, PluginRegistry plugins)
        implements SimulatedControlPlane {
    @Override
    public List<Controller> controllers() {
        return storage.controllers();
    }

    @Override
    public Optional<Agent> agent(NodeRef node) {
        return storage.agent(node)
                .map(simulated ->
                        real.<Agent>map(here -> here.agent(node, plugins)).orElse(simulated))
                .map(agent -> new BeatingAgent(node, agent));
    }

    @Override
    public Optional<Outcome<?>> success(Call call) {
        return storage.success(call);
    }

    @Override
    public Optional<Outcome<?>> carriedOut(Call call, CallTicket ticket) {
        return real.flatMap(here -> here.carriedOut(call, ticket));
    }

    @Override
    public Map<String, Supplier<List<Controller>>> sidecars() {
        return storage.sidecars();
    }

    @Override
    public List<Controller> duties(Kinds kinds) {
        return BackgroundDuties.all(kinds, DutyOptions.DEFAULT);
    }

    @Override
    public Optional<Duration> unknownAfter() {
        return Optional.empty();
    }

    private record BeatingAgent(NodeRef node, Agent volumes) implements Agent {
        @Override
        public List<Controller> controllers(String bootId) {
            List<Controller> all = new ArrayList<>(volumes.controllers(bootId));
            all.add(new NodeHeartbeat(node));
            return all;
        }

        @Override
        public Optional<Outcome<?>> ownCall(Call call) {
            return volumes.ownCall(call);
        }
    }
}
