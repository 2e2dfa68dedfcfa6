// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.duty;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which pods are on which node, as far as they were heard of. */
final class PodsByNode {
    private final Map<String, TreeSet<ObjectKey>> byNode = new HashMap<>();

    /** Takes news in, and answers the node that the pod is on now; empty if it is on none. */
    String observe(ObjectChange<Pod> news) {
        String before = news.before().map(pod -> pod.spec().nodeName()).orElse("");
        String after = news.after().map(pod -> pod.spec().nodeName()).orElse("");
        if (!before.isEmpty() && !before.equals(after)) {
            byNode.computeIfPresent(before, (node, pods) -> {
                pods.remove(news.key());
                return pods.isEmpty() ? null : pods;
            });
        }
        if (!after.isEmpty()) {
            byNode.computeIfAbsent(after, node -> new TreeSet<>()).add(news.key());
        }
        return after;
    }

    /** Pods of a node, in their order. */
    SortedSet<ObjectKey> on(String node) {
        return byNode.getOrDefault(node, new TreeSet<>());
    }
}
