// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.control.DryRun;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Why a volume is in its state (semantics/binder §1.6, §1.9). */
final class VolumeCauses {
    private final Snapshot snapshot;
    private final PluginRegistry plugins;
    private final PersistentVolume volume;
    private final Findings findings;

    VolumeCauses(Snapshot snapshot, PluginRegistry plugins, PersistentVolume volume, Findings findings) {
        this.snapshot = snapshot;
        this.plugins = plugins;
        this.volume = volume;
        this.findings = findings;
    }

    void explain() {
        Optional<ObjectReference> claimRef = volume.spec().claimRef();
        boolean used = claimRef.flatMap(this::owner).isPresent();
        Optional<String> problem = DryRun.problem(volume);
        if (problem.isPresent()) {
            findings.cause(
                    CauseCode.INVALID, "The volume is left alone, since it is malformed: " + problem.get() + ".");
        }
        if (volume.metadata().isDeleting() && (used || claimRef.isEmpty())) {
            new DeletionCauses(snapshot, findings).ofVolume(volume);
        } else if (problem.isPresent()) {
            return;
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

    private Optional<PersistentVolumeClaim> named(ObjectReference claimRef) {
        return snapshot.get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(claimRef.namespace(), claimRef.name()));
    }

    private Optional<PersistentVolumeClaim> owner(ObjectReference claimRef) {
        return named(claimRef).filter(claim -> claim.metadata().uid().equals(claimRef.uid()));
    }

    private void waiting(ObjectReference claimRef) {
        String claim = claimRef.namespace() + "/" + claimRef.name();
        if (named(claimRef).isPresent()) {
            findings.cause(CauseCode.BIND_DUE, "The volume is kept for claim " + claim + ", which exists.")
                    .awaits("persistentvolume-controller", "claim " + claim + " to be bound", since());
        } else {
            findings.cause(
                            CauseCode.WAITING_FOR_CLAIM,
                            "The volume is kept for claim " + claim + ", which does not exist yet.")
                    .awaits("user", "claim " + claim, since());
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
        named(claimRef)
                .ifPresent(other -> findings.cause(
                                CauseCode.CLAIM_REPLACED,
                                "The volume belongs to claim " + claim + " with uid " + claimRef.uid()
                                        + ", which has gone; the claim of that name that there is now has uid "
                                        + other.metadata().uid() + ".")
                        .releases(
                                "If the new claim may have the data, let the volume wait for a claim of that name.",
                                volume,
                                "rebind",
                                "{\"spec\":{\"claimRef\":{\"uid\":null,\"resourceVersion\":null}}}"));
        if (volume.status().phase() == PersistentVolumePhase.FAILED) {
            findings.cause(
                    CauseCode.RECLAIM_FAILED,
                    "Reclaiming the volume failed: " + volume.status().message() + ".");
        } else if (isMarked() && policy == ReclaimPolicy.RETAIN) {
            retainedTooLate();
        } else if (isMarked()) {
            findings.cause(CauseCode.RECLAIMING, "The volume's storage is being reclaimed.")
                    .awaits("persistentvolume-controller", "the storage to be reclaimed", since());
        } else {
            byPolicy(policy, claim);
        }
        if (volume.metadata().isDeleting()) {
            new DeletionCauses(snapshot, findings).ofVolume(volume);
        }
    }

    private boolean isMarked() {
        return volume.metadata().annotation(Annotations.RECLAIMING).isPresent();
    }

    /** The policy was changed while the storage was being reclaimed; nobody goes on with that, and nobody calls it back (D6, R1). */
    private void retainedTooLate() {
        findings.cause(
                        CauseCode.RETAINED,
                        "The volume's policy is Retain now, but became that after the storage had begun to be reclaimed:"
                                + " nobody can tell whether the data is still there. Until the mark "
                                + Annotations.RECLAIMING + " is gone no claim gets the volume.")
                .remedy(
                        "When you have looked at the storage, and nothing is at work on it any more, take the mark away.",
                        Commands.unmarkVolume(volume));
    }

    private void byPolicy(ReclaimPolicy policy, String claim) {
        switch (policy) {
            case RETAIN ->
                findings.cause(
                                CauseCode.RETAINED,
                                "Claim " + claim + " has gone, and policy Retain keeps the volume and its data.")
                        .releases(
                                "To give the volume to the next claim that fits, with its data, take the claim out of it.",
                                volume,
                                "discard",
                                "{\"spec\":{\"claimRef\":null}}")
                        .remedy(
                                "To give up the volume, delete it; the data stays where it is.",
                                "kubectl delete pv " + volume.metadata().name());
            case DELETE, RECYCLE -> reclaiming(policy);
            default -> findings.cause(CauseCode.POLICY_UNKNOWN, "The volume's reclaim policy is not known here.");
        }
    }

    private void reclaiming(ReclaimPolicy policy) {
        Optional<String> external = externalDeleter();
        List<String> nodes = Nodes.holding(snapshot, volume);
        if (!nodes.isEmpty()) {
            findings.cause(
                            CauseCode.ATTACHED,
                            "The volume's storage is to be reclaimed, but is attached to " + String.join(", ", nodes)
                                    + ".")
                    .awaits("attach-detach controller", "the volume to be detached", since());
        } else if (policy == ReclaimPolicy.DELETE && external.isPresent()) {
            findings.cause(
                            CauseCode.EXTERNAL_DELETER,
                            "The external provisioner " + external.get() + " has to destroy the volume's storage.")
                    .awaits("provisioner " + external.get(), "the storage to be destroyed", since());
        } else {
            findings.cause(CauseCode.RECLAIMING, "The volume's storage is to be reclaimed.")
                    .awaits("persistentvolume-controller", "the storage to be reclaimed", since());
        }
    }

    private Optional<String> externalDeleter() {
        Optional<String> provisioner = volume.metadata()
                .annotation(Annotations.MIGRATED_TO)
                .or(() -> volume.metadata().annotation(Annotations.PROVISIONED_BY))
                .or(() -> volume.spec()
                        .source()
                        .filter(source -> source.type().equals(CsiSource.TYPE))
                        .flatMap(source -> source.attributes().text("driver")));
        return provisioner.filter(name -> plugins.named(name).isEmpty());
    }

    private Optional<Instant> since() {
        return volume.status()
                .lastPhaseTransitionTime()
                .or(() -> volume.metadata().creationTimestamp());
    }
}
