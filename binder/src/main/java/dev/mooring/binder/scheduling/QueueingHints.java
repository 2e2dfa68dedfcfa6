// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.storage.model.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which pod waits for what. Confined to the decider. */
final class QueueingHints {
    private final Multimap<QueueingHint, ObjectKey> byCue = new Multimap<>();
    private final Map<ObjectKey, Set<QueueingHint>> byPod = new HashMap<>();

    /** Notes what a pod waits for, in the place of what it waited for. */
    void register(ObjectKey pod, Set<QueueingHint> cues) {
        Set<QueueingHint> before = byPod.getOrDefault(pod, Set.of());
        if (before.equals(cues)) {
            return;
        }
        for (QueueingHint cue : before) {
            byCue.remove(cue, pod);
        }
        cues.forEach(cue -> byCue.add(cue, pod));
        if (cues.isEmpty()) {
            byPod.remove(pod);
        } else {
            byPod.put(pod, Set.copyOf(cues));
        }
    }

    /** The pods that wait for one of the cues, in order of their names. */
    Set<ObjectKey> waitingFor(Set<QueueingHint> cues) {
        Set<ObjectKey> pods = new TreeSet<>();
        cues.forEach(cue -> pods.addAll(byCue.of(cue)));
        return pods;
    }
}
