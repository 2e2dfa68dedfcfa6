// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.uses;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Which pods use a claim, by its own name or by the name of an ephemeral volume. Confined to the decider. */
public final class PodsByClaim {
    private final Map<ObjectKey, Map<ObjectKey, Pod>> byClaim = new HashMap<>();

    /** Learns of a change; answers with the claims that it concerns. */
    public Set<ObjectKey> update(Optional<Pod> before, Optional<Pod> after) {
        Set<ObjectKey> concerned = new HashSet<>();
        before.ifPresent(pod -> claimsOf(pod).forEach(claim -> {
            concerned.add(claim);
            byClaim.computeIfPresent(claim, (same, pods) -> {
                pods.remove(ObjectKey.of(pod));
                return pods.isEmpty() ? null : pods;
            });
        }));
        after.ifPresent(pod -> claimsOf(pod).forEach(claim -> {
            concerned.add(claim);
            byClaim.computeIfAbsent(claim, c -> new TreeMap<>()).put(ObjectKey.of(pod), pod);
        }));
        return concerned;
    }

    /** The claims that a pod's volumes name. */
    public static Set<ObjectKey> claimsOf(Pod pod) {
        Set<ObjectKey> claims = new HashSet<>();
        pod.spec()
                .volumes()
                .forEach(volume -> volume.claimName(pod.metadata().name())
                        .ifPresent(
                                name -> claims.add(ObjectKey.of(pod.metadata().namespace(), name))));
        return claims;
    }

    /** All pods that name a claim, in order of their names. */
    public List<Pod> using(ObjectKey claim) {
        return List.copyOf(byClaim.getOrDefault(claim, Map.of()).values());
    }

    /** Names of the pods that wait for a node (semantics/binder §1.3 U6). */
    public List<String> unscheduledUsing(PersistentVolumeClaim claim) {
        return names(
                ObjectKey.of(claim),
                pod -> pod.spec().nodeName().isEmpty() && !pod.status().phase().isTerminal());
    }

    /** {@code namespace/name} of the pods that may still write (semantics/binder §1.9). */
    public List<String> unfinishedUsing(ObjectKey claim) {
        return byClaim.getOrDefault(claim, Map.of()).entrySet().stream()
                .filter(entry -> !entry.getValue().status().phase().isTerminal())
                .map(entry -> entry.getKey().toString())
                .toList();
    }

    /** The node of a pod that may write to the claim and has been put somewhere; the first by name. */
    public Optional<String> nodeOfUser(PersistentVolumeClaim claim) {
        return byClaim.getOrDefault(ObjectKey.of(claim), Map.of()).values().stream()
                .filter(pod -> !pod.spec().nodeName().isEmpty()
                        && !pod.status().phase().isTerminal())
                .map(pod -> pod.spec().nodeName())
                .findFirst();
    }

    private List<String> names(ObjectKey claim, Predicate<Pod> condition) {
        return byClaim.getOrDefault(claim, Map.of()).values().stream()
                .filter(condition)
                .map(pod -> pod.metadata().name())
                .toList();
    }
}
