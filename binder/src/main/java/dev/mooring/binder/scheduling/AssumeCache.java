// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.scheduling.Assumption.Pool;
import dev.mooring.binder.scheduling.Assumption.Provision;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The assumptions of all pods, as they change what other pods find: volumes are taken, claims have a node, pools have less space, and
 * nodes have more pods. Confined to the decider.
 */
final class AssumeCache {
    private final StaticVolumes volumes;
    private final PlacedPods pods;
    private final Map<ObjectKey, Assumption> byPod = new TreeMap<>();
    private final Map<ObjectKey, Set<ObjectKey>> provisioning = new HashMap<>();
    private final SpaceReservations promises = new SpaceReservations();

    AssumeCache(StaticVolumes volumes, PlacedPods pods) {
        this.volumes = volumes;
        this.pods = pods;
    }

    Optional<Assumption> of(ObjectKey pod) {
        return Optional.ofNullable(byPod.get(pod));
    }

    /** Adds an assumption in the place of the pod's last one. */
    void put(Assumption assumption) {
        remove(assumption.pod());
        byPod.put(assumption.pod(), assumption);
        assumption
                .bindings()
                .forEach(binding ->
                        volumes.reserve(binding.volume(), binding.claim(), binding.claimUid(), assumption.pod()));
        pods.assume(assumption.pod(), assumption.node());
        for (Provision provision : assumption.provisions()) {
            provisioning
                    .computeIfAbsent(provision.claim(), c -> new TreeSet<>())
                    .add(assumption.pod());
            promises.add(provision);
        }
    }

    /** Drops a pod's assumption; what it was promised is kept as long as it may come true, see {@link #fail}. */
    Optional<Assumption> remove(ObjectKey pod) {
        Assumption assumption = byPod.remove(pod);
        if (assumption == null) {
            return Optional.empty();
        }
        assumption.bindings().forEach(binding -> volumes.release(binding.volume(), pod));
        for (Provision provision : assumption.provisions()) {
            provisioning.computeIfPresent(provision.claim(), (claim, users) -> {
                users.remove(pod);
                return users.isEmpty() ? null : users;
            });
        }
        pods.forgetAssumed(pod);
        return Optional.of(assumption);
    }

    /** Drops a pod's assumption, and what only it counted with. */
    Optional<Assumption> fail(ObjectKey pod) {
        Optional<Assumption> assumption = remove(pod);
        assumption.ifPresent(failed -> failed.provisions().stream()
                .map(Provision::claim)
                .filter(claim -> !provisioning.containsKey(claim))
                .forEach(promises::drop));
        return assumption;
    }

    /** The node that a claim without a volume is going to be provided on. */
    Optional<String> selectedNode(PersistentVolumeClaim claim) {
        return selectedNode(ObjectKey.of(claim), claim.metadata().uid());
    }

    private Optional<String> selectedNode(ObjectKey claim, String uid) {
        for (ObjectKey pod : provisioning.getOrDefault(claim, Set.of())) {
            Assumption assumption = byPod.get(pod);
            if (assumption != null
                    && assumption.provisions().stream()
                            .anyMatch(provision -> provision.claim().equals(claim)
                                    && provision.claimUid().equals(uid))) {
                return Optional.of(assumption.node());
            }
        }
        return Optional.empty();
    }

    // ---- space ----

    /** How much of a pool is promised to claims other than one. */
    Quantity promised(ObjectKey pool, ObjectKey except) {
        return promises.of(pool, except);
    }

    /** A claim has changed; whether that frees space. */
    boolean claimChanged(ObjectKey claim, Optional<PersistentVolumeClaim> after) {
        return promises.claimChanged(claim, after, provisioning.containsKey(claim));
    }

    /** A pool tells of itself; whether that frees space. */
    boolean poolChanged(ObjectKey pool, Optional<Pool> after) {
        return promises.poolChanged(pool, after);
    }

    /** See {@link SpaceReservations#awaitsPool}. */
    Optional<String> awaitsPool(ObjectKey claim) {
        return promises.awaitsPool(claim);
    }

    /** See {@link SpaceReservations#settle}. */
    Optional<String> settle(ObjectKey claim) {
        return promises.settle(claim);
    }
}
