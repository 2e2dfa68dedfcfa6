// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Controller;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Mooring's control plane with some controllers of the peer instead of those of their names.
 *
 * @param rest everything else
 * @param peers makes the peer's controllers, for each life of their process
 */
public record PeerPlane(SimulatedControlPlane rest, Supplier<List<Controller>> peers) implements SimulatedControlPlane {
    @Override
    public List<Controller> controllers() {
        List<Controller> replacing = peers.get();
        List<Controller> all = new ArrayList<>(rest.controllers().stream()
                .filter(own -> replacing.stream().noneMatch(peer -> peer.name().equals(own.name())))
                .toList());
        all.addAll(replacing);
        return all;
    }

    @Override
    public Optional<Agent> agent(NodeRef node) {
        return rest.agent(node);
    }

    @Override
    public Map<String, Supplier<List<Controller>>> sidecars() {
        return rest.sidecars();
    }

    @Override
    public Optional<Outcome<?>> success(Call call) {
        return rest.success(call);
    }
}
