// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import java.util.SortedSet;

/** Which pods are on which node, as far as they were heard of. */
final class PodsByNode {
    private final Multimap<String, ObjectKey> byNode = new Multimap<>();

    /** Takes a change in, and answers the pod's node; empty if it has none. */
    String observe(ObjectChange<Pod> news) {
        String before = news.before().map(pod -> pod.spec().nodeName()).orElse("");
        String after = news.after().map(pod -> pod.spec().nodeName()).orElse("");
        if (!before.isEmpty() && !before.equals(after)) {
            byNode.remove(before, news.key());
        }
        if (!after.isEmpty()) {
            byNode.add(after, news.key());
        }
        return after;
    }

    /** Pods of a node, in their order. */
    SortedSet<ObjectKey> on(String node) {
        return byNode.of(node);
    }
}
