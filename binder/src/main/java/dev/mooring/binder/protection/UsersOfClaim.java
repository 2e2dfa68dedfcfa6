// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.protection;

import dev.mooring.binder.uses.PodsByClaim;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The pods that use a claim (PP3, PP4): a pod with a node uses its claims whatever its phase; an ephemeral claim only if the pod owns it.
 *
 * @param claim the claim
 * @param owners the uids of its owners
 */
record UsersOfClaim(ObjectKey claim, Set<String> owners) implements Predicate<Pod> {
    static UsersOfClaim of(PersistentVolumeClaim claim) {
        return new UsersOfClaim(
                ObjectKey.of(claim),
                claim.metadata().ownerReferences().stream()
                        .map(OwnerReference::uid)
                        .collect(Collectors.toUnmodifiableSet()));
    }

    @Override
    public boolean test(Pod pod) {
        return !pod.spec().nodeName().isEmpty()
                && PodsByClaim.claimsOf(pod).contains(claim)
                && (usesDirectly(pod) || (owners.contains(pod.metadata().uid()) && !isShutDown(pod)));
    }

    private boolean usesDirectly(Pod pod) {
        return pod.spec().volumes().stream()
                .anyMatch(volume -> volume.persistentVolumeClaimName()
                        .filter(claim.name()::equals)
                        .isPresent());
    }

    private static boolean isShutDown(Pod pod) {
        return pod.metadata().isDeleting()
                && pod.metadata().deletionGracePeriodSeconds().orElse(1L) == 0L;
    }
}
