// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * From which nodes a volume can be reached.
 *
 * @param required the nodes; absent for all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeNodeAffinity(Optional<NodeSelector> required) {
    /** Nothing set. */
    public static final VolumeNodeAffinity EMPTY = new VolumeNodeAffinity(Optional.empty());

    /** The same with another required. */
    public VolumeNodeAffinity withRequired(Optional<NodeSelector> newRequired) {
        return new VolumeNodeAffinity(newRequired);
    }

    /** Whether the volume can be reached from a node with these labels. */
    public boolean matches(Map<String, String> labels) {
        return required.map(selector -> selector.matches(labels)).orElse(true);
    }

    /** From the nodes on which one label has one value. */
    public static VolumeNodeAffinity onlyWhere(String label, String value) {
        NodeSelectorRequirement requirement = new NodeSelectorRequirement(label, "In", List.of(value));
        return new VolumeNodeAffinity(
                Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(List.of(requirement), List.of())))));
    }
}
