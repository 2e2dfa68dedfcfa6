// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.simulation.peer.AttachMemory.Operation;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the peer shows as attached on each Node, which it does before it detaches. */
final class AttachedLists {
    private final AttachMemory memory;
    private final AttachOperations operations;
    private final Set<OldRule> old;

    AttachedLists(AttachMemory memory, AttachOperations operations, Set<OldRule> old) {
        this.memory = memory;
        this.operations = operations;
        this.old = old;
    }

    void write(Situation situation, List<Effect> effects) {
        for (Node node : situation.caches().of(Kinds.NODE).all()) {
            String name = node.metadata().name();
            if (memory.nodeWrites.contains(name)) {
                continue;
            }
            Set<String> wanted = new TreeSet<>();
            memory.actual.values().stream()
                    .filter(entry -> entry.reported && entry.what.node().equals(name))
                    .forEach(entry -> wanted.add(entry.what.reportedName()));
            Set<String> there = new TreeSet<>();
            node.status().volumesAttached().forEach(entry -> there.add(entry.name()));
            if (!wanted.equals(there)) {
                memory.nodeWrites.add(name);
                List<AttachedVolume> list = wanted.stream()
                        .map(each -> new AttachedVolume(each, ""))
                        .toList();
                effects.add(new Effect.UpdateStatus<>(
                        "node|" + name + "|" + memory.next(),
                        Kinds.NODE,
                        new Change<>(node, node.withStatus(node.status().withVolumesAttached(list)))));
                continue;
            }
            startDetaching(name, situation, effects);
        }
        // a Node that is not there has nothing to be written (§1.7)
        for (Operation operation : List.copyOf(memory.running.values())) {
            ObjectKey node = ObjectKey.cluster(operation.what.node());
            if (situation.caches().get(Kinds.NODE, node).isEmpty()) {
                startDetaching(node.name(), situation, effects);
            }
        }
    }

    private void startDetaching(String node, Situation situation, List<Effect> effects) {
        for (Operation operation : memory.running.values()) {
            if (operation.step.equals("report") && operation.what.node().equals(node)) {
                boolean asks = operation.safe && !old.contains(OldRule.THE_NODE_IS_NOT_ASKED);
                operation.step = asks ? "look" : operation.what.isServedHere() ? "detach" : "delete";
                effects.add(operations.next(operation, situation));
            }
        }
    }
}
