// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Claims of pods' ephemeral volumes (semantics/binder §3.4): a pod has the one that was made for it or none, gets it, and takes it along
 * when it goes.
 */
final class EphemeralRules implements Invariant {
    @Override
    public void calling(WorldView world, Call call, Findings findings) {
        if (!call.operation().equals("publish")) {
            return;
        }
        Optional<ObjectKey> claimed = world.find(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(call.volume()))
                .flatMap(VolumeFacts::claimOf);
        String uid = VolumeFacts.podOf(call);
        for (Pod pod : world.pods()) {
            boolean another = pod.metadata().uid().equals(uid)
                    && claimed.flatMap(key -> world.find(Kinds.PERSISTENT_VOLUME_CLAIM, key))
                            .filter(claim -> VolumeFacts.isInTheWay(pod, claim))
                            .isPresent();
            findings.require(
                    !another, "E2", "pod " + ObjectKey.of(pod) + " gets " + call.volume() + " of another's claim");
        }
    }

    @Override
    public void atRest(WorldView world, Findings findings) {
        Set<String> pods = new HashSet<>();
        for (Pod pod : world.pods()) {
            pods.add(pod.metadata().uid());
            for (ObjectKey claim : VolumeFacts.ephemeralClaimsOf(pod)) {
                boolean there = world.find(Kinds.PERSISTENT_VOLUME_CLAIM, claim).isPresent();
                findings.require(
                        there || !VolumeFacts.lives(pod), "E1", "pod " + ObjectKey.of(pod) + " has no claim " + claim);
            }
        }
        for (PersistentVolumeClaim claim : world.claims()) {
            Optional<OwnerReference> owner = claim.metadata().ownerReferences().stream()
                    .filter(each -> each.kind().equals("Pod"))
                    .findFirst();
            // One that is on its way may yet be used by a pod that names it; L-delete tells whether it has to be gone.
            findings.require(
                    owner.isEmpty()
                            || pods.contains(owner.get().uid())
                            || claim.metadata().isDeleting(),
                    "E-left",
                    "claim " + ObjectKey.of(claim) + " is left of pod "
                            + owner.map(OwnerReference::name).orElse(""));
        }
    }
}
