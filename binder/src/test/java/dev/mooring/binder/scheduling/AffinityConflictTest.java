// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.NodeSelectorTerm;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeNodeAffinity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of a node that does not reach a volume: the conditions that it does not fulfil, and no others. */
class AffinityConflictTest {
    private static final NodeSelectorRequirement ZONE =
            new NodeSelectorRequirement(SchedulingObjects.ZONE, "In", List.of("a"));
    private static final NodeSelectorRequirement DISK = new NodeSelectorRequirement("disk", "Exists", List.of());
    private static final Node NODE =
            SchedulingObjects.labelled(SchedulingObjects.node("n1"), SchedulingObjects.ZONE, "a");

    private static List<AffinityConflict> between(NodeSelectorTerm... terms) {
        PersistentVolume volume = SchedulingObjects.volume("v", "1Gi");
        PersistentVolume placed = volume.withSpec(volume.spec()
                .withNodeAffinity(Optional.of(new VolumeNodeAffinity(Optional.of(new NodeSelector(List.of(terms)))))));
        return AffinityConflict.between(ObjectKey.of("default", "c"), placed, NODE);
    }

    private static AffinityConflict conflict(int term, NodeSelectorRequirement wanted) {
        return new AffinityConflict(
                ObjectKey.of("default", "c"),
                "v",
                term,
                wanted.key(),
                wanted.operator(),
                wanted.values(),
                Optional.empty());
    }

    @Test
    void whatTheNodeFulfilsIsNotListed() {
        assertThat(between(new NodeSelectorTerm(List.of(ZONE, DISK), List.of())))
                .containsExactly(conflict(0, DISK));
    }

    @Test
    void oneAlternativeIsEnough() {
        NodeSelectorTerm disk = new NodeSelectorTerm(List.of(DISK), List.of());
        assertThat(between(disk, new NodeSelectorTerm(List.of(ZONE), List.of())))
                .isEmpty();
    }

    @Test
    void fieldsAreNeverFulfilled() {
        NodeSelectorRequirement name = new NodeSelectorRequirement("metadata.name", "In", List.of("n1"));
        NodeSelectorTerm disk = new NodeSelectorTerm(List.of(DISK), List.of());
        assertThat(between(disk, new NodeSelectorTerm(List.of(ZONE), List.of(name))))
                .containsExactly(conflict(0, DISK), conflict(1, name));
    }
}
