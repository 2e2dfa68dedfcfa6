// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.ReclaimPolicy;
import java.util.List;
import java.util.Optional;

/** The advice to delete pods that use a claim, with what becomes of its data. */
final class PodRemedies {
    private static final int MOST_NAMED = 5;

    private PodRemedies() {}

    /**
     * Garbage collection deletes the claim of a generic ephemeral volume with its pod, and the volume's policy may then destroy the data.
     *
     * @param pods the pods that use the claim, of its namespace; at least one
     */
    static void delete(ExplanationFindings findings, Snapshot snapshot, ObjectKey claim, List<Pod> pods) {
        Optional<PersistentVolumeClaim> found = snapshot.get(Kinds.PERSISTENT_VOLUME_CLAIM, claim);
        String names = ExplainedNodes.names(pods);
        boolean one = pods.size() == 1;
        boolean owned = found.filter(known -> pods.stream().anyMatch(pod -> isOwned(known, pod)))
                .isPresent();
        findings.remedy(
                RemedyKind.DELETE_PODS,
                owned
                        ? "Only if " + names + " and the data are no longer needed, delete "
                                + (one ? "the pod" : "the pods") + ". Claim " + claim
                                + " is made for the pod and goes with it" + fate(snapshot, found.get()) + lost(pods)
                        : "If " + names + (one ? " is" : " are") + " no longer needed, delete "
                                + (one ? "it" : "them") + "; the data of "
                                + found.map(known -> known.spec().volumeName())
                                        .filter(name -> !name.isEmpty())
                                        .map(name -> "volume " + name)
                                        .orElse("claim " + claim)
                                + " stays." + lost(pods),
                new RemedyAction.Delete(
                        Kinds.POD, pods.stream().map(ObjectKey::of).toList()));
    }

    /** What is lost with pods beside their claims, as the end of an advice; empty if that is nothing. */
    static String lost(List<Pod> pods) {
        List<String> volumes = pods.stream()
                .flatMap(pod -> pod.spec().volumes().stream()
                        .filter(volume -> volume.source()
                                .filter(source -> source.type().equals("emptyDir"))
                                .isPresent())
                        .map(volume -> pods.size() == 1
                                ? volume.name()
                                : volume.name() + " of pod " + pod.metadata().name()))
                .toList();
        if (volumes.isEmpty()) {
            return "";
        }
        String first = String.join(", ", volumes.subList(0, Math.min(MOST_NAMED, volumes.size())));
        int more = volumes.size() - MOST_NAMED;
        return " Lost with " + (pods.size() == 1 ? "it" : "them") + ": the data of emptyDir " + first
                + (more > 0 ? " and " + more + " more" : "") + ".";
    }

    private static boolean isOwned(PersistentVolumeClaim claim, Pod pod) {
        return claim.metadata().ownerReferences().stream()
                .anyMatch(owner -> owner.uid().equals(pod.metadata().uid()));
    }

    private static String fate(Snapshot snapshot, PersistentVolumeClaim claim) {
        Optional<PersistentVolume> volume = snapshot.get(
                Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.spec().volumeName()));
        return volume.map(found -> found.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.RETAIN
                        ? "; policy Retain keeps the data of volume "
                                + found.metadata().name() + "."
                        : "; policy "
                                + found.spec().persistentVolumeReclaimPolicy().wireName()
                                + " then destroys the data of volume "
                                + found.metadata().name() + ".")
                .orElse(".");
    }
}
