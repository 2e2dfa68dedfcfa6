// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;

/**
 * The owners of a set's claims, by which garbage collection carries {@code persistentVolumeClaimRetentionPolicy} out: the set, if the claim
 * is to go with it, or the pod, if the pod is scaled down and the claim is to go with that. Pure functions.
 */
final class ClaimRetention {
    private ClaimRetention() {}

    /** Whether a claim belongs to an earlier pod of this name, with which it is about to go: the next pod waits for its end. */
    static boolean isStale(SetSpec set, Document claim, String pod, String podUid) {
        return set.deletesClaimsWhenScaled()
                && OwnerReferences.of(claim).stream()
                        .filter(reference -> OwnerReferences.isNamed(reference, Kinds.POD, pod))
                        .anyMatch(reference -> !Fields.text(reference, "uid").equals(podUid));
    }

    /** A claim that has not been made yet, for a pod among the replicas. */
    static Document ofNew(SetSpec set, Document claim) {
        return set.deletesClaimsWhenDeleted()
                ? OwnerReferences.withController(claim, StoredKinds.STATEFUL_SET, set.set())
                : claim;
    }

    /**
     * A claim with the owners that it should have; the same document if it has them, or if owners of earlier lives or other controllers
     * decide about it.
     *
     * @param pod the pod of the claim
     * @param wanted whether the pod is among the replicas
     */
    static Document owned(SetSpec set, Document claim, Document pod, boolean wanted) {
        if (isOfEarlierLife(set, claim, pod)) {
            return claim;
        }
        Document others = OwnerReferences.without(
                claim,
                reference -> OwnerReferences.hasUid(reference, set.set()) || OwnerReferences.hasUid(reference, pod));
        boolean bySet = set.deletesClaimsWhenDeleted() && (wanted || !set.deletesClaimsWhenScaled());
        boolean byPod = set.deletesClaimsWhenScaled() && !wanted;
        boolean foreign = OwnerReferences.controller(others).isPresent();
        Document owned = others;
        if (!foreign && bySet) {
            owned = OwnerReferences.withController(others, StoredKinds.STATEFUL_SET, set.set());
        } else if (!foreign && byPod) {
            owned = OwnerReferences.withController(others, Kinds.POD, pod);
        }
        return OwnerReferences.of(owned).equals(OwnerReferences.of(claim)) ? claim : owned;
    }

    private static boolean isOfEarlierLife(SetSpec set, Document claim, Document pod) {
        return OwnerReferences.of(claim).stream()
                .anyMatch(reference -> (OwnerReferences.isNamed(reference, StoredKinds.STATEFUL_SET, set.name())
                                && !OwnerReferences.hasUid(reference, set.set()))
                        || (OwnerReferences.isNamed(reference, Kinds.POD, Fields.name(pod))
                                && !OwnerReferences.hasUid(reference, pod)));
    }
}
