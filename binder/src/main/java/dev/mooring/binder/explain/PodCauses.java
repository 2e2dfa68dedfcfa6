// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.explain.Explanation.Remedy;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodStatus;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Why a pod does not start: its claims, in the order of its volumes; then the scheduler; then its node. */
final class PodCauses {
    /** Causes of a claim that end when a pod that uses it gets a node. */
    private static final Set<CauseCode> BY_SCHEDULING =
            EnumSet.of(CauseCode.WAITING_FOR_CONSUMER, CauseCode.WAITING_FOR_SCHEDULING);

    private final ExplainedCluster cluster;
    private final Snapshot snapshot;
    private final Pod pod;
    private final ExplanationFindings findings;

    PodCauses(ExplainedCluster cluster, Pod pod, ExplanationFindings findings) {
        this.cluster = cluster;
        this.snapshot = cluster.snapshot();
        this.pod = pod;
        this.findings = findings;
    }

    void explain() {
        if (pod.metadata().isDeleting()) {
            new PodNodeCauses(snapshot, pod, findings).terminating();
        } else if (pod.status().phase().isTerminal()) {
            findings.cause(CauseCode.NOTHING_WRONG, "The pod has ended and waits for no volume.");
        } else if (pod.status().phase() == PodPhase.RUNNING) {
            findings.cause(CauseCode.NOTHING_WRONG, "The pod has all its volumes; nothing waits.");
        } else {
            waiting();
        }
    }

    private void waiting() {
        for (PodVolume volume : pod.spec().volumes()) {
            volume.claimName(pod.metadata().name()).ifPresent(name -> claim(volume, name));
        }
        if (!findings.causes.isEmpty()) {
            return;
        }
        if (pod.spec().nodeName().isEmpty()) {
            new PodSchedulingCauses(snapshot, pod, findings).explain();
        } else {
            new PodNodeCauses(snapshot, pod, findings).explain();
        }
    }

    private void claim(PodVolume volume, String name) {
        ObjectKey key = ObjectKey.of(pod.metadata().namespace(), name);
        Optional<PersistentVolumeClaim> found = snapshot.get(Kinds.PERSISTENT_VOLUME_CLAIM, key);
        if (found.isEmpty()) {
            missing(volume, key);
            return;
        }
        PersistentVolumeClaim claim = found.get();
        if (volume.isEphemeral() && !isOwned(claim)) {
            ofAnother(volume, claim);
        } else if (claim.metadata().isDeleting()) {
            terminating(volume, claim);
        } else if (claim.status().phase() == ClaimPhase.LOST) {
            inherited(CauseCode.CLAIM_LOST, volume, claim);
        } else if (claim.status().phase() != ClaimPhase.BOUND) {
            inherited(CauseCode.CLAIM_PENDING, volume, claim);
        } else if (claim.spec().accessModes().contains(AccessMode.READ_WRITE_ONCE_POD)) {
            exclusive(volume, claim);
        }
    }

    private boolean isOwned(PersistentVolumeClaim claim) {
        return claim.metadata().ownerReferences().stream()
                .anyMatch(owner -> owner.uid().equals(pod.metadata().uid()));
    }

    private void missing(PodVolume volume, ObjectKey key) {
        if (volume.isEphemeral()) {
            findings.anotherCause(
                            CauseCode.CLAIM_MISSING,
                            named(volume) + " waits for claim " + key + ", which is made from the pod's template.")
                    .awaits("ephemeral-volume-controller", "claim " + key, since());
            return;
        }
        List<String> claims = snapshot.all(Kinds.PERSISTENT_VOLUME_CLAIM).stream()
                .map(ObjectKey::of)
                .filter(other -> other.namespace().equals(key.namespace()))
                .map(ObjectKey::name)
                .toList();
        String elsewhere = snapshot.all(Kinds.PERSISTENT_VOLUME_CLAIM).stream()
                .map(ObjectKey::of)
                .filter(other -> other.name().equals(key.name()))
                .findFirst()
                .map(other -> ". Namespace " + other.namespace()
                        + " has one of this name, but a pod uses only claims of its own")
                .orElse("");
        findings.anotherCause(
                        CauseCode.CLAIM_MISSING,
                        named(volume) + " needs claim " + key + ", which does not exist"
                                + LikelyNames.clause(key.name(), claims) + elsewhere + ".")
                .awaits("user", "claim " + key, since());
        findings.remedy(
                RemedyKind.MAKE_CLAIM,
                "Create claim " + key + ", with the storage class and the size that the pod needs.",
                new RemedyAction.Create(PersistentVolumeClaim.of(
                        key.namespace(),
                        key.name(),
                        PersistentVolumeClaimSpec.EMPTY
                                .withRequestedStorage(Quantity.parse("1Gi"))
                                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE)))));
        LikelyNames.nearest(key.name(), claims)
                .ifPresent(meant -> findings.remedy(
                        RemedyKind.REPLACE_POD,
                        "If claim " + meant + " is meant, create the pod, or what makes it, again with that name.",
                        look()));
    }

    private void ofAnother(PodVolume volume, PersistentVolumeClaim claim) {
        findings.anotherCause(
                        CauseCode.CLAIM_OF_ANOTHER,
                        named(volume) + " is ephemeral and needs a claim of its own, but claim " + ObjectKey.of(claim)
                                + " has that name and is not the pod's.")
                .awaits("user", "claim " + ObjectKey.of(claim) + " to go, or a pod of another name", since())
                .remedy(
                        RemedyKind.REPLACE_POD,
                        "Create the pod under another name. The claim of the other owner keeps its data.",
                        look())
                .remedy(
                        RemedyKind.DELETE_CLAIM,
                        "If nothing needs the data of claim " + ObjectKey.of(claim)
                                + ", delete it. Policy Delete destroys its storage:",
                        new RemedyAction.Delete(Kinds.PERSISTENT_VOLUME_CLAIM, List.of(ObjectKey.of(claim))));
    }

    private void terminating(PodVolume volume, PersistentVolumeClaim claim) {
        ObjectKey key = ObjectKey.of(claim);
        List<Pod> others = ExplainedNodes.users(snapshot, key).stream()
                .filter(other -> !ObjectKey.of(other).equals(ObjectKey.of(pod))
                        && !other.spec().nodeName().isEmpty())
                .toList();
        findings.anotherCause(
                        CauseCode.CLAIM_TERMINATING,
                        named(volume) + " needs claim " + key + ", which is being deleted"
                                + (others.isEmpty()
                                        ? "; no pod starts with it."
                                        : " and goes when " + ExplainedNodes.names(others) + " has ended."))
                .awaits(
                        "user",
                        "claim " + key + " to go, and to be created again",
                        claim.metadata().deletionTimestamp());
        findings.remedy(
                RemedyKind.REPLACE_CLAIM,
                "Delete the pods that name the claim, create the claim again when it has gone, and then the pod."
                        + " A volume with policy Delete goes with the claim: set Retain first to keep the data.",
                new RemedyAction.Replace(
                        ClaimRemedies.fresh(claim.withSpec(claim.spec().withVolumeName("")))),
                new RemedyAction.Create(again()));
    }

    /** What keeps the claim keeps the pod; what ends when the pod gets a node is told with the pod's node. */
    private void inherited(CauseCode code, PodVolume volume, PersistentVolumeClaim claim) {
        Explanation why = cluster.claim(ObjectKey.of(claim)).orElseThrow();
        if (pod.spec().nodeName().isEmpty()
                && why.causes().stream().allMatch(cause -> BY_SCHEDULING.contains(cause.code()))) {
            return;
        }
        boolean first = true;
        for (Explanation.Cause cause : why.causes()) {
            findings.anotherCause(
                    first ? code : cause.code(),
                    first
                            ? named(volume) + " needs claim " + ObjectKey.of(claim) + ", which is "
                                    + claim.status().phase().wireName() + ": " + cause.text()
                            : cause.text());
            first = false;
        }
        why.awaited().forEach(awaited -> findings.awaits(awaited.actor(), awaited.what(), awaited.since()));
        for (Remedy remedy : why.remedies()) {
            if (remedy.kind() != RemedyKind.START_POD) {
                findings.remedy(remedy);
            }
        }
    }

    private void exclusive(PodVolume volume, PersistentVolumeClaim claim) {
        List<Pod> others = ExplainedNodes.users(snapshot, ObjectKey.of(claim)).stream()
                .filter(other -> !ObjectKey.of(other).equals(ObjectKey.of(pod))
                        && !other.spec().nodeName().isEmpty()
                        && !other.hasEnded())
                .toList();
        if (others.isEmpty()) {
            return;
        }
        boolean leaving = others.stream().allMatch(other -> other.metadata().isDeleting());
        findings.anotherCause(
                        CauseCode.CLAIM_EXCLUSIVE,
                        named(volume) + " needs claim " + ObjectKey.of(claim) + ", which is ReadWriteOncePod, and "
                                + ExplainedNodes.use(others) + (leaving ? ExplainedNodes.leaving(others) : "."))
                .awaits(
                        leaving ? "node " + others.get(0).spec().nodeName() : "user",
                        ExplainedNodes.names(others) + " to end",
                        since());
        if (!leaving) {
            PodRemedies.delete(findings, snapshot, ObjectKey.of(claim), others);
        }
    }

    private RemedyAction look() {
        return new RemedyAction.Look(
                "kubectl get pod -n " + ShellWords.quoted(pod.metadata().namespace()) + " "
                        + ShellWords.quoted(pod.metadata().name()) + " -o yaml");
    }

    private KubernetesObject again() {
        return again(pod);
    }

    /** The pod as it may be created again, for the scheduler to place. */
    static Pod again(Pod pod) {
        Pod fresh = Pod.of(
                pod.metadata().namespace(), pod.metadata().name(), pod.spec().withNodeName(""));
        return fresh.withMetadata(fresh.metadata()
                        .withLabels(pod.metadata().labels())
                        .withAnnotations(pod.metadata().annotations()))
                .withStatus(PodStatus.EMPTY);
    }

    private static String named(PodVolume volume) {
        return "Volume " + volume.name();
    }

    private Optional<Instant> since() {
        return pod.metadata().creationTimestamp();
    }
}
