// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.explain.Explanation.Remedy;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Why a volume is in its state (semantics/binder §1.6, §1.9). */
final class VolumeCauses {
    /** Larger than any request. */
    private static final Quantity LARGEST = Quantity.parse("1000000Ei");

    private final Snapshot snapshot;
    private final DryRun run;
    private final PersistentVolume volume;
    private final ExplanationFindings findings;

    VolumeCauses(Snapshot snapshot, DryRun run, PersistentVolume volume, ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.run = run;
        this.volume = volume;
        this.findings = findings;
    }

    void explain() {
        Optional<ObjectReference> claimRef = volume.spec().claimRef();
        boolean used = claimRef.flatMap(this::owner).isPresent();
        Optional<String> problem = DryRun.problem(volume);
        problem.ifPresent(this::malformed);
        if (volume.metadata().isDeleting() && (used || claimRef.isEmpty())) {
            new DeletionCauses(snapshot, findings).ofVolume(volume);
        } else if (problem.isPresent()) {
            return;
        } else if (claimRef.isEmpty() && isMarked()) {
            markedWithoutClaim();
        } else if (claimRef.isEmpty()) {
            findings.cause(CauseCode.NOTHING_WRONG, "The volume is free: no claim has it.");
        } else if (claimRef.get().uid().isEmpty()) {
            waiting(claimRef.get());
        } else if (used) {
            bound(claimRef.get());
        } else {
            released(claimRef.get());
        }
    }

    private void malformed(String problem) {
        PersistentVolume large = volume.withSpec(volume.spec().withStorage(LARGEST));
        List<ObjectKey> takers = volume.spec().claimRef().isEmpty() ? remedies().receiver(large) : List.of();
        String who = takers.isEmpty()
                ? " Any claim that fits may get it then."
                : VolumeRemedies.who(takers) + " It gets it only if the volume is large enough.";
        findings.cause(CauseCode.INVALID, "The volume is left alone, since it is malformed: " + problem + ".")
                .awaits("administrator", "a volume that is well-formed", Optional.empty())
                .remedy(new Remedy(
                        RemedyKind.CORRECT_VOLUME,
                        "Correct this field of the volume."
                                + (volume.spec().claimRef().isEmpty() ? who : ""),
                        List.of(new RemedyAction.Edit(Kinds.PERSISTENT_VOLUME, ObjectKey.of(volume))),
                        takers));
    }

    /** No claim gets it, and its reclaim does not go on. */
    private void markedWithoutClaim() {
        findings.cause(
                        CauseCode.RECLAIMING,
                        "No claim has the volume, but its storage was being reclaimed when the claim was taken out of it."
                                + " Until the mark " + Annotations.RECLAIMING + " is removed, no claim gets it.")
                .awaits("persistentvolume-controller", "the end of the reclaim, if one is under way", since());
        remedies().delete();
        remedies().unmark();
    }

    private Optional<PersistentVolumeClaim> named(ObjectReference claimRef) {
        return snapshot.get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(claimRef.namespace(), claimRef.name()));
    }

    private Optional<PersistentVolumeClaim> owner(ObjectReference claimRef) {
        return named(claimRef).filter(claim -> claim.metadata().uid().equals(claimRef.uid()));
    }

    private void waiting(ObjectReference claimRef) {
        String claim = claimRef.namespace() + "/" + claimRef.name();
        Optional<String> other = named(claimRef)
                .map(found -> found.spec().volumeName())
                .filter(name ->
                        !name.isEmpty() && !name.equals(volume.metadata().name()));
        if (other.isPresent()) {
            findings.cause(
                            CauseCode.WAITING_FOR_CLAIM,
                            "The volume is kept for claim " + claim + ", but the claim that has this name has volume "
                                    + other.get() + ".")
                    .awaits("user", "the next claim " + claim, since());
            remedies().free(claim);
        } else if (named(claimRef).isPresent()) {
            findings.cause(CauseCode.BIND_DUE, "The volume is kept for claim " + claim + ", which exists.")
                    .awaits("persistentvolume-controller", "claim " + claim + " to be bound", since());
        } else {
            findings.cause(
                            CauseCode.WAITING_FOR_CLAIM,
                            "The volume is kept for claim " + claim + ", which does not exist yet.")
                    .awaits("user", "claim " + claim, since())
                    .remedy(
                            RemedyKind.MAKE_CLAIM,
                            "Make claim " + claim + " with volumeName "
                                    + volume.metadata().name() + ".",
                            new RemedyAction.Create(ClaimRemedies.fitted(
                                    PersistentVolumeClaim.of(
                                            claimRef.namespace(),
                                            claimRef.name(),
                                            PersistentVolumeClaimSpec.EMPTY
                                                    .withRequestedStorage(
                                                            volume.spec().storage())
                                                    .withAccessModes(
                                                            volume.spec().accessModes())),
                                    volume)));
        }
    }

    private void bound(ObjectReference claimRef) {
        PersistentVolumeClaim claim = owner(claimRef).orElseThrow();
        String name = ObjectKey.of(claim).toString();
        if (claim.spec().volumeName().equals(volume.metadata().name())) {
            findings.cause(CauseCode.NOTHING_WRONG, "The volume is bound to claim " + name + ".");
        } else {
            findings.cause(
                            CauseCode.BIND_DUE,
                            claim.spec().volumeName().isEmpty()
                                    ? "Claim " + name + " is being bound to the volume."
                                    : "Claim " + name + " has got volume "
                                            + claim.spec().volumeName() + "; this one is being given back.")
                    .awaits("persistentvolume-controller", "the other half to be written", since());
        }
    }

    private void released(ObjectReference claimRef) {
        ReclaimPolicy policy = volume.spec().persistentVolumeReclaimPolicy();
        String claim = claimRef.namespace() + "/" + claimRef.name();
        named(claimRef).ifPresent(other -> {
            findings.cause(
                    CauseCode.CLAIM_REPLACED,
                    "The volume belongs to claim " + claim + " with uid " + claimRef.uid()
                            + ", which was deleted; the claim that has this name now has uid "
                            + other.metadata().uid() + ".");
            remedies().toSuccessor(other);
        });
        boolean failed = volume.status().phase() == PersistentVolumePhase.FAILED;
        if (failed) {
            findings.cause(
                    CauseCode.RECLAIM_FAILED,
                    "Reclaiming the volume failed: " + volume.status().message() + ".");
        }
        if (isMarked() && policy == ReclaimPolicy.RETAIN) {
            retainedTooLate();
        } else if (failed && policy != ReclaimPolicy.RETAIN) {
            findings.awaits("persistentvolume-controller", "another try", since());
            retain("To keep the data, set the policy to Retain. Then reclaiming is not tried again.", policy);
        } else if (isMarked()) {
            findings.cause(CauseCode.RECLAIMING, "The volume's storage is being reclaimed." + told())
                    .awaits("persistentvolume-controller", "the storage to be reclaimed", since());
        } else {
            byPolicy(policy, claimRef);
        }
        if (volume.metadata().isDeleting()) {
            new DeletionCauses(snapshot, findings).ofVolume(volume);
        }
    }

    private VolumeRemedies remedies() {
        return new VolumeRemedies(snapshot, run, volume, findings);
    }

    private void retain(String text, ReclaimPolicy policy) {
        if (policy != ReclaimPolicy.RETAIN) {
            findings.remedy(RemedyKind.RETAIN, text, VolumeRemedies.retain(volume));
        }
    }

    private boolean isMarked() {
        return volume.metadata().annotation(Annotations.RECLAIMING).isPresent();
    }

    /** The policy was changed while the storage was being reclaimed; that does not go on, and is not called back (D6, R1). */
    private void retainedTooLate() {
        findings.cause(
                CauseCode.RETAINED,
                "The volume's policy is Retain now, but became that after the storage had begun to be reclaimed:"
                        + " it is unknown whether the data is still there. Until the mark "
                        + Annotations.RECLAIMING + " is removed, no claim gets the volume.");
        remedies().unmark();
    }

    private void byPolicy(ReclaimPolicy policy, ObjectReference claimRef) {
        String claim = claimRef.namespace() + "/" + claimRef.name();
        switch (policy) {
            case RETAIN -> {
                findings.cause(
                        CauseCode.RETAINED,
                        "Claim " + claim + " was deleted, and policy Retain keeps the volume and its data.");
                if (named(claimRef).isEmpty() && !volume.metadata().isDeleting()) {
                    remedies().release(claim);
                }
            }
            case DELETE, RECYCLE -> reclaiming(policy);
            default -> {
                findings.cause(CauseCode.POLICY_UNKNOWN, "The volume's reclaim policy is not known here.")
                        .awaits("administrator", "a known policy", since());
                retain("Set the policy to Retain; the data stays.", policy);
            }
        }
    }

    private void reclaiming(ReclaimPolicy policy) {
        Optional<String> external = externalDeleter();
        List<String> nodes = ExplainedNodes.holding(snapshot, volume);
        if (!nodes.isEmpty()) {
            findings.cause(
                            CauseCode.ATTACHED,
                            "The volume's storage is to be reclaimed, but is attached to " + String.join(", ", nodes)
                                    + ".")
                    .awaits("attach-detach controller", "the volume to be detached", since());
        } else if (policy == ReclaimPolicy.DELETE && external.isPresent()) {
            findings.cause(
                            CauseCode.EXTERNAL_DELETER,
                            "The external provisioner " + external.get() + " has to destroy the volume's storage."
                                    + told())
                    .awaits("provisioner " + external.get(), "the storage to be destroyed", since());
        } else {
            findings.cause(CauseCode.RECLAIMING, "The volume's storage is to be reclaimed." + told())
                    .awaits("persistentvolume-controller", "the storage to be reclaimed", since());
        }
    }

    /** What the last event says of the reclaim, for example that a pod still uses the volume. */
    private String told() {
        return snapshot.lastEvent(
                        Kinds.PERSISTENT_VOLUME,
                        volume,
                        List.of("VolumeFailedDelete", "VolumeFailedRecycle", "VolumeDelete"))
                .map(event -> " Its last event says: \"" + event.message() + "\"")
                .orElse("");
    }

    private Optional<String> externalDeleter() {
        Optional<String> provisioner = volume.metadata()
                .annotation(Annotations.MIGRATED_TO)
                .or(() -> volume.metadata().annotation(Annotations.PROVISIONED_BY))
                .or(() -> volume.spec()
                        .source()
                        .filter(source -> source.type().equals(CsiSource.TYPE))
                        .flatMap(source -> source.attributes().text("driver")));
        return provisioner.filter(name -> run.plugins().named(name).isEmpty());
    }

    private Optional<Instant> since() {
        return volume.status()
                .lastPhaseTransitionTime()
                .or(() -> volume.metadata().creationTimestamp());
    }
}
