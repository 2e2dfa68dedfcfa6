// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Controller;
import dev.mooring.simulation.world.ControlPlane;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Mooring's control plane with the peer's way of attaching and detaching.
 *
 * @param rest everything but attaching and detaching
 */
public record PeerPlane(ControlPlane rest) implements ControlPlane {
    @Override
    public List<Controller> controllers() {
        List<Controller> all = new ArrayList<>(rest.controllers());
        all.add(new PeerAttachDetach());
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
