// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.ReclaimPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Who holds an object that is being deleted: one cause per finalizer (semantics/binder §0.2, §5.3). */
final class DeletionCauses {

    private final Snapshot snapshot;
    private final ExplanationFindings findings;

    DeletionCauses(Snapshot snapshot, ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.findings = findings;
    }

    void ofClaim(PersistentVolumeClaim claim) {
        for (String finalizer : claim.metadata().finalizers()) {
            if (finalizer.equals(Finalizers.PVC_PROTECTION)) {
                usedByPods(claim);
            } else if (finalizer.equals(Finalizers.PROVISIONING)) {
                held(
                        claim,
                        finalizer,
                        "persistentvolume-controller",
                        "storage that may have been made to be destroyed");
            } else {
                held(claim, finalizer, "owner of finalizer " + finalizer, "the finalizer to be removed");
            }
        }
        nothingKeepsIt();
    }

    private void usedByPods(PersistentVolumeClaim claim) {
        List<Pod> users = snapshot.all(Kinds.POD).stream()
                .filter(pod -> !pod.spec().nodeName().isEmpty() && uses(pod, claim))
                .toList();
        List<String> pods = users.stream()
                .map(pod -> pod.metadata().name() + " (" + pod.status().phase().wireName() + ")")
                .toList();
        if (pods.isEmpty()) {
            held(claim, Finalizers.PVC_PROTECTION, "pvc-protection-controller", "the finalizer to be removed");
            return;
        }
        findings.cause(
                        CauseCode.USED_BY_PODS,
                        "The claim is being deleted, but finalizer " + Finalizers.PVC_PROTECTION
                                + " keeps it while pods name it: " + String.join(", ", pods) + ".")
                .awaits("user", "these pods to be deleted", deletedAt(claim))
                .remedy(
                        RemedyKind.DELETE_PODS,
                        "Delete the pods; also those that have ended, since they keep the claim too."
                                + PodRemedies.lost(users),
                        new RemedyAction.Delete(
                                Kinds.POD, users.stream().map(ObjectKey::of).toList()));
    }

    private static boolean uses(Pod pod, PersistentVolumeClaim claim) {
        return pod.metadata().namespace().equals(claim.metadata().namespace())
                && pod.spec().volumes().stream()
                        .anyMatch(volume -> volume.claimName(pod.metadata().name())
                                .filter(name -> name.equals(claim.metadata().name()))
                                .isPresent());
    }

    void ofVolume(PersistentVolume volume) {
        for (String finalizer : volume.metadata().finalizers()) {
            if (finalizer.equals(Finalizers.PV_PROTECTION)) {
                usedByClaim(volume);
            } else if (finalizer.startsWith(Finalizers.EXTERNAL_ATTACHER)) {
                attached(volume, finalizer);
            } else {
                held(volume, finalizer, holder(finalizer), "the volume's storage to be destroyed");
            }
        }
        nothingKeepsIt();
    }

    private static String holder(String finalizer) {
        return switch (finalizer) {
            case Finalizers.PV_CONTROLLER -> "persistentvolume-controller";
            case Finalizers.EXTERNAL_PROVISIONER -> "external provisioner";
            default -> "owner of finalizer " + finalizer;
        };
    }

    private void usedByClaim(PersistentVolume volume) {
        Optional<PersistentVolumeClaim> claim = volume.spec()
                .claimRef()
                .flatMap(ref -> snapshot.get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(ref.namespace(), ref.name()))
                        .filter(found -> found.metadata().uid().equals(ref.uid())));
        if (claim.isEmpty()) {
            held(volume, Finalizers.PV_PROTECTION, "pv-protection-controller", "the finalizer to be removed");
            return;
        }
        findings.cause(
                        CauseCode.USED_BY_CLAIM,
                        "The volume is being deleted, but finalizer " + Finalizers.PV_PROTECTION
                                + " keeps it while claim " + ObjectKey.of(claim.get()) + " is bound to it.")
                .awaits("user", "claim " + ObjectKey.of(claim.get()) + " to be deleted", deletedAt(volume));
        deleteClaim(volume, ObjectKey.of(claim.get()));
    }

    private void deleteClaim(PersistentVolume volume, ObjectKey claim) {
        RemedyAction delete = new RemedyAction.Delete(Kinds.PERSISTENT_VOLUME_CLAIM, List.of(claim));
        boolean kept = volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.RETAIN;
        if (!kept) {
            findings.remedy(
                    RemedyKind.DELETE_CLAIM,
                    "To keep the data in the back-end, set the policy to Retain before you delete the claim.",
                    VolumeRemedies.retain(volume),
                    delete);
        }
        findings.remedy(
                RemedyKind.DELETE_CLAIM,
                kept
                        ? "Delete the claim. Policy Retain keeps the data in the back-end, but no object names it then."
                        : "If the data is no longer needed, delete the claim: policy "
                                + volume.spec().persistentVolumeReclaimPolicy().wireName()
                                + " then lets the storage be reclaimed, and the data is lost.",
                delete);
    }

    private void attached(PersistentVolume volume, String finalizer) {
        List<String> nodes = ExplainedNodes.holding(snapshot, volume);
        if (nodes.isEmpty()) {
            held(
                    volume,
                    finalizer,
                    "attacher " + finalizer.substring(Finalizers.EXTERNAL_ATTACHER.length()),
                    "the finalizer to be removed");
            return;
        }
        findings.cause(
                        CauseCode.ATTACHED,
                        "The volume is being deleted, but is attached to " + String.join(", ", nodes) + ".")
                .awaits("attach-detach controller", "the volume to be detached", deletedAt(volume));
    }

    private void held(KubernetesObject object, String finalizer, String actor, String what) {
        findings.cause(CauseCode.HELD_BY_FINALIZER, "It is being deleted, but finalizer " + finalizer + " keeps it.")
                .awaits(actor, what, deletedAt(object));
    }

    private void nothingKeepsIt() {
        if (findings.causes.isEmpty()) {
            findings.cause(CauseCode.NOTHING_WRONG, "It is being deleted, and nothing keeps it.");
        }
    }

    private static Optional<Instant> deletedAt(KubernetesObject object) {
        return object.metadata().deletionTimestamp();
    }
}
