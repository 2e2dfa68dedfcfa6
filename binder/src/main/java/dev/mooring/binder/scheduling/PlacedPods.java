// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The pods that live, where they are or are going to be, and which claims they use. A pod whose phase is final has gone, as for
 * Kubernetes' scheduler. Confined to the decider.
 */
final class PlacedPods {
    private final Map<ObjectKey, Pod> live = new HashMap<>();
    private final Map<ObjectKey, String> assumed = new HashMap<>();
    private final Map<String, Map<ObjectKey, Pod>> byNode = new HashMap<>();
    private final Multimap<ObjectKey, ObjectKey> byClaim = new Multimap<>();

    /** Learns of a change; whether a pod that counted somewhere does so no more. */
    boolean update(ObjectKey key, Optional<Pod> after) {
        Pod before = live.remove(key);
        String nodeBefore = before == null ? "" : nodeOf(key, before);
        if (before != null) {
            takeOut(key, before, nodeBefore);
        }
        Optional<Pod> now = after.filter(pod -> !pod.status().phase().isTerminal());
        now.ifPresent(pod -> {
            live.put(key, pod);
            putIn(key, pod, nodeOf(key, pod));
        });
        String nodeNow = now.map(pod -> nodeOf(key, pod)).orElse("");
        return !nodeBefore.isEmpty() && !nodeBefore.equals(nodeNow);
    }

    private void takeOut(ObjectKey key, Pod pod, String node) {
        byNode.computeIfPresent(node, (same, pods) -> {
            pods.remove(key);
            return pods.isEmpty() ? null : pods;
        });
        for (ObjectKey claim : claimsOf(pod)) {
            byClaim.remove(claim, key);
        }
    }

    private void putIn(ObjectKey key, Pod pod, String node) {
        if (!node.isEmpty()) {
            byNode.computeIfAbsent(node, n -> new TreeMap<>()).put(key, pod);
        }
        claimsOf(pod).forEach(claim -> byClaim.add(claim, key));
    }

    private String nodeOf(ObjectKey key, Pod pod) {
        return pod.spec().nodeName().isEmpty()
                ? assumed.getOrDefault(key, "")
                : pod.spec().nodeName();
    }

    /** A pod is on its way to a node. */
    void assume(ObjectKey key, String node) {
        Pod pod = live.get(key);
        if (pod != null) {
            takeOut(key, pod, nodeOf(key, pod));
        }
        assumed.put(key, node);
        if (pod != null) {
            putIn(key, pod, nodeOf(key, pod));
        }
    }

    /** A pod is not on its way any more: it has arrived, or will not. */
    void forgetAssumed(ObjectKey key) {
        Pod pod = live.get(key);
        if (pod != null) {
            takeOut(key, pod, nodeOf(key, pod));
        }
        assumed.remove(key);
        if (pod != null) {
            putIn(key, pod, nodeOf(key, pod));
        }
    }

    Optional<Pod> get(ObjectKey key) {
        return Optional.ofNullable(live.get(key));
    }

    /** Pods that are on a node or on their way to it, in order of their names. */
    Collection<Pod> on(String node) {
        return Collections.unmodifiableCollection(
                byNode.getOrDefault(node, Map.of()).values());
    }

    /** Live pods that use a claim, placed or not, in order of their names. */
    Set<ObjectKey> usersOf(ObjectKey claim) {
        return byClaim.of(claim);
    }

    /** Whether a pod other than one uses a claim somewhere. */
    boolean isUsedByOther(ObjectKey claim, ObjectKey pod) {
        return usersOf(claim).stream()
                .filter(user -> !user.equals(pod))
                .map(live::get)
                .anyMatch(user ->
                        user != null && !nodeOf(ObjectKey.of(user), user).isEmpty() && names(user, claim));
    }

    /** Whether a pod names the claim itself, not by an ephemeral volume. */
    private static boolean names(Pod pod, ObjectKey claim) {
        return pod.spec().volumes().stream()
                .anyMatch(volume -> volume.persistentVolumeClaimName()
                        .filter(claim.name()::equals)
                        .isPresent());
    }

    /** The claims that a pod's volumes use, each once, in order of their names. */
    static Set<ObjectKey> claimsOf(Pod pod) {
        Set<ObjectKey> claims = new TreeSet<>();
        pod.spec()
                .volumes()
                .forEach(volume -> volume.claimName(pod.metadata().name())
                        .ifPresent(
                                name -> claims.add(ObjectKey.of(pod.metadata().namespace(), name))));
        return claims;
    }
}
