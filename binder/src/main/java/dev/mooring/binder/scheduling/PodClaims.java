// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The claims of a pod as scheduling sees them, before any node is looked at (semantics/binder §3.6, PreFilter).
 *
 * @param bound claims whose binding is complete
 * @param delayed claims that are bound once a node is known
 * @param rejection why the pod cannot run anywhere; empty if it may
 */
record PodClaims(
        List<PersistentVolumeClaim> bound, List<PersistentVolumeClaim> delayed, Optional<Rejection> rejection) {
    static PodClaims of(Pod pod, SchedulingView view) {
        List<PersistentVolumeClaim> bound = new ArrayList<>();
        List<PersistentVolumeClaim> delayed = new ArrayList<>();
        List<PersistentVolumeClaim> immediate = new ArrayList<>();
        Set<ObjectKey> seen = new LinkedHashSet<>();
        for (PodVolume volume : pod.spec().volumes()) {
            Optional<ObjectKey> key = volume.claimName(pod.metadata().name())
                    .map(name -> ObjectKey.of(pod.metadata().namespace(), name));
            if (key.isEmpty() || !seen.add(key.get())) {
                continue;
            }
            boolean ephemeral = volume.persistentVolumeClaimName().isEmpty();
            Optional<PersistentVolumeClaim> claim = view.claim(key.get());
            Optional<String> problem = problem(pod, key.get(), claim, ephemeral);
            if (problem.isPresent()) {
                return rejected(problem.get());
            }
            (isBound(claim.orElseThrow()) ? bound : isDelayed(claim.get(), view) ? delayed : immediate)
                    .add(claim.get());
        }
        return immediate.isEmpty()
                ? new PodClaims(bound, delayed, Optional.empty())
                : rejected("pod has unbound immediate PersistentVolumeClaims");
    }

    private static PodClaims rejected(String reason) {
        return new PodClaims(List.of(), List.of(), Optional.of(Rejection.ofPod(VolumeBindingFilter.PLUGIN, reason)));
    }

    private static Optional<String> problem(
            Pod pod, ObjectKey key, Optional<PersistentVolumeClaim> found, boolean ephemeral) {
        String quoted = "\"" + key.name() + "\"";
        if (found.isEmpty()) {
            return Optional.of(
                    ephemeral
                            ? "waiting for ephemeral volume controller to create the persistentvolumeclaim " + quoted
                            : "persistentvolumeclaim " + quoted + " not found");
        }
        PersistentVolumeClaim claim = found.get();
        if (claim.status().phase() == ClaimPhase.LOST) {
            return Optional.of("persistentvolumeclaim " + quoted + " bound to non-existent persistentvolume \""
                    + claim.spec().volumeName() + "\"");
        }
        if (claim.metadata().isDeleting()) {
            return Optional.of("persistentvolumeclaim " + quoted + " is being deleted");
        }
        return ephemeral && !isOwnedBy(claim, pod)
                ? Optional.of("PVC " + key + " was not created for pod " + ObjectKey.of(pod) + " (pod is not owner)")
                : Optional.empty();
    }

    private static boolean isOwnedBy(PersistentVolumeClaim claim, Pod pod) {
        return claim.metadata().ownerReferences().stream()
                .filter(OwnerReference::controller)
                .anyMatch(owner -> owner.uid().equals(pod.metadata().uid()));
    }

    /** Whether the binder has completed the claim's binding. */
    static boolean isBound(PersistentVolumeClaim claim) {
        return !claim.spec().volumeName().isEmpty()
                && claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent();
    }

    /** Whether the claim waits for its first consumer, and names no volume. */
    static boolean isDelayed(PersistentVolumeClaim claim, SchedulingView view) {
        return claim.spec().volumeName().isEmpty()
                && view.classOf(claim)
                        .flatMap(StorageClass::volumeBindingMode)
                        .equals(Optional.of(VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
    }
}
