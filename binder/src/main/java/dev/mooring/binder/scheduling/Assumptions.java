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
final class Assumptions {
    private final StaticVolumes volumes;
    private final PlacedPods pods;
    private final Map<ObjectKey, Assumption> byPod = new TreeMap<>();
    private final Map<ObjectKey, Set<ObjectKey>> provisioning = new HashMap<>();
    private final Map<ObjectKey, Promise> promises = new TreeMap<>();

    /** Space that was promised to a claim, and has not shown in the pool's own account yet. */
    private record Promise(String claimUid, Pool pool, Quantity amount, Optional<String> versionWhenBound) {}

    Assumptions(StaticVolumes volumes, PlacedPods pods) {
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
            provision
                    .pool()
                    .ifPresent(pool -> promises.put(
                            provision.claim(),
                            new Promise(provision.claimUid(), pool, provision.requested(), Optional.empty())));
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
            Set<ObjectKey> users = provisioning.get(provision.claim());
            if (users != null && users.remove(pod) && users.isEmpty()) {
                provisioning.remove(provision.claim());
            }
        }
        pods.forgetAssumed(pod);
        return Optional.of(assumption);
    }

    /** Drops a pod's assumption, and what its claims were promised. */
    Optional<Assumption> fail(ObjectKey pod) {
        Optional<Assumption> assumption = remove(pod);
        assumption.ifPresent(failed -> failed.provisions().stream()
                .filter(provision ->
                        selectedNode(provision.claim(), provision.claimUid()).isEmpty())
                .forEach(provision -> promises.remove(provision.claim())));
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
        Quantity sum = Quantity.ZERO;
        for (Map.Entry<ObjectKey, Promise> entry : promises.entrySet()) {
            if (entry.getValue().pool().object().equals(pool) && !entry.getKey().equals(except)) {
                sum = sum.plus(entry.getValue().amount());
            }
        }
        return sum;
    }

    /** A claim has changed: it may have got its volume, which the pool's next version will show, or be another claim by now. */
    void claimChanged(ObjectKey key, Optional<PersistentVolumeClaim> after, Map<ObjectKey, String> poolVersions) {
        Promise promise = promises.get(key);
        if (promise == null) {
            return;
        }
        boolean same = after.filter(claim -> claim.metadata().uid().equals(promise.claimUid()))
                .isPresent();
        if (!same) {
            promises.remove(key);
        } else if (promise.versionWhenBound().isEmpty()
                && !after.orElseThrow().spec().volumeName().isEmpty()) {
            String version = poolVersions.getOrDefault(promise.pool().object(), "");
            promises.put(key, new Promise(promise.claimUid(), promise.pool(), promise.amount(), Optional.of(version)));
        }
    }

    /** A pool's account has changed: what was bound before is in it; whether there was any. */
    boolean poolChanged(ObjectKey pool, String version) {
        return promises.values()
                .removeIf(promise -> promise.pool().object().equals(pool)
                        && promise.versionWhenBound()
                                .filter(v -> !v.equals(version))
                                .isPresent());
    }

    /** For tests: claims with a promise. */
    Map<ObjectKey, Quantity> promised() {
        Map<ObjectKey, Quantity> amounts = new HashMap<>();
        promises.forEach((claim, promise) -> amounts.put(claim, promise.amount()));
        return amounts;
    }
}
