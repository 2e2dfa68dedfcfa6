// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Nodes go with their machines, and other machines take their names; most do so while their volumes are still on their way. */
final class NodeActs implements ActSource {
    private final List<String> nodes;

    NodeActs(List<String> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    @Override
    public Optional<Act> next(Chance chance, WorldView world) {
        List<String> gone = nodes.stream()
                .filter(node -> world.find(Kinds.NODE, ObjectKey.cluster(node)).isEmpty())
                .toList();
        if (!gone.isEmpty() && !chance.oneIn(4)) {
            return Optional.of(another(chance.pick(gone)));
        }
        List<String> there = nodes.stream().filter(node -> !gone.contains(node)).toList();
        return there.isEmpty() ? Optional.empty() : Optional.of(goes(chance, chance.pick(there)));
    }

    private static Act another(String node) {
        return Act.fault(
                FaultClass.MACHINES,
                "another machine is called " + node,
                Texts.map("apply", List.of(Texts.node(node))));
    }

    private static Act goes(Chance chance, String node) {
        Map<String, Object> step = Texts.map("delete", List.of(Texts.map("kind", "Node", "name", node)));
        return Act.fault(FaultClass.MACHINES, node + " is deleted", step).thenWork(chance.below(12));
    }
}
