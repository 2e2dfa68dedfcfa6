// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.guard;

import dev.mooring.runtime.control.Call;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is really attached, staged and published, as opposed to what processes believe. */
final class Truth {
    private final Map<String, Set<String>> attached = new TreeMap<>();
    private final Map<String, Set<String>> staged = new TreeMap<>();
    private final Map<String, Map<String, Set<String>>> published = new TreeMap<>();

    /** Nodes to which a volume is attached. */
    Set<String> attached(String volume) {
        return attached.getOrDefault(volume, Set.of());
    }

    boolean staged(String volume, String node) {
        return staged.getOrDefault(volume, Set.of()).contains(node);
    }

    /** Uids of the pods to which a volume is shown on a node. */
    Set<String> published(String volume, String node) {
        return published.getOrDefault(volume, Map.of()).getOrDefault(node, Set.of());
    }

    /** Nodes where a volume is staged or shown to a pod. */
    Set<String> mounted(String volume) {
        Set<String> nodes = new TreeSet<>(staged.getOrDefault(volume, Set.of()));
        published.getOrDefault(volume, Map.of()).forEach((node, pods) -> {
            if (!pods.isEmpty()) {
                nodes.add(node);
            }
        });
        return nodes;
    }

    void apply(Call call) {
        String volume = call.volume();
        switch (call.operation()) {
            case "attach" -> nodes(attached, volume).add(call.node());
            case "detach" -> nodes(attached, volume).remove(call.node());
            case "stage" -> nodes(staged, volume).add(call.node());
            case "unstage" -> nodes(staged, volume).remove(call.node());
            case "publish" -> pods(volume, call.node()).add(podOf(call));
            case "unpublish" -> pods(volume, call.node()).remove(podOf(call));
            default -> {
                // says nothing about where a volume is
            }
        }
    }

    void machineDied(String node) {
        staged.values().forEach(nodes -> nodes.remove(node));
        published.values().forEach(nodes -> nodes.remove(node));
    }

    /** The pod of a publish or unpublish call. */
    static String podOf(Call call) {
        if (call instanceof PublishCall publish) {
            return publish.request().pod().uid();
        } else if (call instanceof UnpublishCall unpublish) {
            return unpublish.record().pod().uid();
        }
        throw new IllegalArgumentException("not for a pod: " + call);
    }

    private static Set<String> nodes(Map<String, Set<String>> map, String volume) {
        return map.computeIfAbsent(volume, name -> new TreeSet<>());
    }

    private Set<String> pods(String volume, String node) {
        return published
                .computeIfAbsent(volume, name -> new TreeMap<>())
                .computeIfAbsent(node, name -> new TreeSet<>());
    }
}
