// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.uses;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which pods use a claim, by its own name or by the name of an ephemeral volume, and what they are at. A pod that comes or goes costs
 * the same however many others use its claim. Confined to the decider.
 */
public final class PodsByClaim {
    private final Map<ObjectKey, Users> byClaim = new HashMap<>();

    /** What a pod is at. */
    private enum Stage {
        /** It has a node, and may write. */
        PLACED,
        /** It waits for a node. */
        UNSCHEDULED,
        /** It has ended. */
        ENDED;

        static Stage of(Pod pod) {
            if (pod.status().phase().isTerminal()) {
                return ENDED;
            }
            return pod.spec().nodeName().isEmpty() ? UNSCHEDULED : PLACED;
        }
    }

    /** The pods of one claim. */
    private static final class Users {
        static final Users NONE = new Users();

        /** Those of a claim that has one pod only, as nearly all have. */
        private Optional<Pod> only = Optional.empty();

        private Map<Stage, TreeMap<ObjectKey, Pod>> byStage = Map.of();

        NavigableMap<ObjectKey, Pod> at(Stage stage) {
            if (only.isEmpty()) {
                return byStage.getOrDefault(stage, new TreeMap<>());
            }
            TreeMap<ObjectKey, Pod> one = new TreeMap<>();
            only.filter(pod -> Stage.of(pod) == stage).ifPresent(pod -> one.put(ObjectKey.of(pod), pod));
            return one;
        }

        void add(Pod pod) {
            if (only.isEmpty() && byStage.isEmpty()) {
                only = Optional.of(pod);
                return;
            }
            if (byStage.isEmpty()) {
                byStage = new EnumMap<>(Stage.class);
            }
            only.ifPresent(this::put);
            only = Optional.empty();
            put(pod);
        }

        private void put(Pod pod) {
            byStage.computeIfAbsent(Stage.of(pod), first -> new TreeMap<>()).put(ObjectKey.of(pod), pod);
        }

        /** Whether any pod is left. */
        boolean remove(Pod pod) {
            if (only.isPresent()) {
                return !ObjectKey.of(only.get()).equals(ObjectKey.of(pod));
            }
            byStage.computeIfPresent(Stage.of(pod), (same, pods) -> {
                pods.remove(ObjectKey.of(pod));
                return pods.isEmpty() ? null : pods;
            });
            return !byStage.isEmpty();
        }
    }

    /** Learns of a change; answers with the claims that it concerns. */
    public Set<ObjectKey> update(Optional<Pod> before, Optional<Pod> after) {
        Set<ObjectKey> concerned = new HashSet<>();
        before.ifPresent(pod -> claimsOf(pod).forEach(claim -> {
            concerned.add(claim);
            byClaim.computeIfPresent(claim, (same, users) -> users.remove(pod) ? users : null);
        }));
        after.ifPresent(pod -> claimsOf(pod).forEach(claim -> {
            concerned.add(claim);
            byClaim.computeIfAbsent(claim, c -> new Users()).add(pod);
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

    private Users users(ObjectKey claim) {
        return byClaim.getOrDefault(claim, Users.NONE);
    }

    /** All pods that name a claim: those that have a node, those that have ended, those that wait for a node, each in order of names. */
    public Stream<Pod> using(ObjectKey claim) {
        Users users = users(claim);
        return Stream.of(Stage.PLACED, Stage.ENDED, Stage.UNSCHEDULED)
                .flatMap(stage -> users.at(stage).values().stream());
    }

    /** Names of the pods that wait for a node (semantics/binder §1.3 U6). */
    public FewNames unscheduledUsing(PersistentVolumeClaim claim) {
        NavigableMap<ObjectKey, Pod> pods = users(ObjectKey.of(claim)).at(Stage.UNSCHEDULED);
        return FewNames.of(pods.keySet().stream().map(ObjectKey::name).iterator(), pods.size());
    }

    /** {@code namespace/name} of the pods that may still write, those with a node first (semantics/binder §1.9). */
    public FewNames unfinishedUsing(ObjectKey claim) {
        NavigableMap<ObjectKey, Pod> placed = users(claim).at(Stage.PLACED);
        NavigableMap<ObjectKey, Pod> unscheduled = users(claim).at(Stage.UNSCHEDULED);
        Iterator<String> names = Stream.of(placed, unscheduled)
                .flatMap(pods -> pods.keySet().stream())
                .map(ObjectKey::toString)
                .iterator();
        return FewNames.of(names, placed.size() + unscheduled.size());
    }

    /** The node of a pod that may write to the claim and has been put somewhere; the first by name. */
    public Optional<String> nodeOfUser(PersistentVolumeClaim claim) {
        return Optional.ofNullable(users(ObjectKey.of(claim)).at(Stage.PLACED).firstEntry())
                .map(first -> first.getValue().spec().nodeName());
    }
}
