// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.NodeSelectorTerm;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One condition of a volume's node affinity that a node does not fulfil: what stands behind {@code node(s) didn't match
 * PersistentVolume's node affinity} (kubernetes/kubernetes #108096). Immutable.
 *
 * @param claim the claim that is bound to the volume
 * @param volume the volume
 * @param term which of the alternatives the condition belongs to, from 0; a node has to fulfil all conditions of one of them
 * @param key the label of the node
 * @param operator {@code In}, {@code NotIn}, {@code Exists}, {@code DoesNotExist}, {@code Gt} or {@code Lt}
 * @param wanted the values that it is compared with
 * @param actual the node's value; empty if the node has no such label
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AffinityConflict(
        ObjectKey claim,
        String volume,
        int term,
        String key,
        String operator,
        List<String> wanted,
        Optional<String> actual) {
    /** Copies the list. */
    public AffinityConflict {
        wanted = List.copyOf(wanted);
    }

    /** All conditions that a node does not fulfil; none if the volume can be reached from it. */
    static List<AffinityConflict> between(ObjectKey claim, PersistentVolume volume, Node node) {
        Map<String, String> labels = node.metadata().labels();
        Optional<NodeSelector> required = volume.spec().nodeAffinity().flatMap(affinity -> affinity.required());
        if (required.isEmpty() || required.get().matches(labels)) {
            return List.of();
        }
        List<AffinityConflict> found = new ArrayList<>();
        List<NodeSelectorTerm> terms = required.get().nodeSelectorTerms();
        for (int i = 0; i < terms.size(); i++) {
            for (NodeSelectorRequirement requirement : terms.get(i).matchExpressions()) {
                if (!fulfils(labels, requirement)) {
                    found.add(of(claim, volume, i, requirement, labels));
                }
            }
            for (NodeSelectorRequirement requirement : terms.get(i).matchFields()) {
                found.add(of(claim, volume, i, requirement, Map.of())); // fields are never looked at (§2.2)
            }
        }
        return found;
    }

    private static boolean fulfils(Map<String, String> labels, NodeSelectorRequirement requirement) {
        return new NodeSelector(List.of(new NodeSelectorTerm(List.of(requirement), List.of()))).matches(labels);
    }

    private static AffinityConflict of(
            ObjectKey claim,
            PersistentVolume volume,
            int term,
            NodeSelectorRequirement requirement,
            Map<String, String> labels) {
        return new AffinityConflict(
                claim,
                volume.metadata().name(),
                term,
                requirement.key(),
                requirement.operator(),
                requirement.values(),
                Optional.ofNullable(labels.get(requirement.key())));
    }

    @Override
    public String toString() {
        return "volume " + volume + " of claim " + claim + " wants " + key + " " + operator
                + (wanted.isEmpty() ? "" : " " + wanted) + ", the node has "
                + actual.map(value -> "\"" + value + "\"").orElse("no such label");
    }
}
