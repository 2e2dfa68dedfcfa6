// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.explain.Explanation.Remedy;
import dev.mooring.binder.repair.Repair;
import dev.mooring.binder.repair.VolumeRepairs;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What helps with a volume whose claim has gone, and whose data may still be wanted. A claim of the namespace and name that the volume
 * was bound to comes first; data goes to another claim only by a remedy that names it. What {@link VolumeRepairs} refuses is not advised.
 */
final class VolumeRemedies {
    private final Snapshot snapshot;
    private final DryRun run;
    private final PersistentVolume volume;
    private final ExplanationFindings findings;

    VolumeRemedies(Snapshot snapshot, DryRun run, PersistentVolume volume, ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.run = run;
        this.volume = volume;
        this.findings = findings;
    }

    // ---- to a claim that exists ----

    /** To the claim that has the name of the volume's earlier claim. */
    void toSuccessor(PersistentVolumeClaim successor) {
        ObjectKey key = ObjectKey.of(successor);
        RemedyAction adopt = new RemedyAction.Adopt(name(), key, false);
        Repair judged = new VolumeRepairs(snapshot, volume).adopt(Optional.of(key));
        if (judged.change().isPresent()) {
            findings.remedy(
                    RemedyKind.ADOPT,
                    "Give volume " + name() + " to claim " + key + ", with the data that the earlier claim of this name"
                            + " left on it. No other claim gets it:",
                    steps(adopt, successor));
            rebind("Or let the volume wait for a claim of that name; claim " + key + " then gets it:", successor);
            return;
        }
        if (isMarked()) {
            unmark();
            return;
        }
        PersistentVolume retained =
                volume.withSpec(volume.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN));
        boolean other = !successor.spec().volumeName().isEmpty()
                && !successor.spec().volumeName().equals(name());
        PersistentVolumeClaim fitting =
                DryRun.prebindProblem(retained, successor).isPresent() && !isBound(successor)
                        ? ClaimRemedies.fitted(successor, retained)
                        : successor;
        boolean keep = volume.spec().persistentVolumeReclaimPolicy() != ReclaimPolicy.RETAIN;
        boolean replace = !fitting.equals(successor);
        List<String> left = run.given(
                List.of(retained, fitting),
                () -> new VolumeRepairs(snapshot, retained)
                        .adopt(Optional.of(key))
                        .objections());
        if (other) {
            release(key.toString());
            return;
        }
        if (!left.isEmpty()) {
            left.forEach(objection -> findings.awaits("user", "this to end first: " + objection, Optional.empty()));
            return;
        }
        List<RemedyAction> actions = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        if (keep) {
            actions.add(retain(volume));
            text.append("To keep the data, set the volume's policy to Retain before its storage is destroyed. ");
        }
        if (replace) {
            actions.add(new RemedyAction.Replace(fitting));
            text.append("Claim ")
                    .append(key)
                    .append(" does not fit: ")
                    .append(DryRun.prebindProblem(retained, successor).orElse(""))
                    .append(". Delete it and create it again with ")
                    .append(ClaimRemedies.changes(successor, fitting))
                    .append(". ");
        }
        actions.add(adopt);
        text.append("Then give it volume ").append(name()).append(", with the data that is on it:");
        findings.remedy(RemedyKind.PREPARE_AND_ADOPT, text.toString(), actions.toArray(RemedyAction[]::new));
    }

    /** A claim that was bound without a name has to name its volume as well. */
    private RemedyAction[] steps(RemedyAction adopt, PersistentVolumeClaim claim) {
        boolean nameless = isBound(claim) && claim.spec().volumeName().isEmpty();
        return nameless ? new RemedyAction[] {adopt, nameVolume(claim, name())} : new RemedyAction[] {adopt};
    }

    static RemedyAction nameVolume(PersistentVolumeClaim claim, String volume) {
        return new RemedyAction.Patch(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                ObjectKey.of(claim),
                Document.empty().with(volume, "spec", "volumeName"));
    }

    private static boolean isBound(PersistentVolumeClaim claim) {
        return claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent();
    }

    private void rebind(String text, PersistentVolumeClaim successor) {
        RemedyAction patch = patch(Document.empty()
                .with(JsonNull.NULL, "spec", "claimRef", "uid")
                .with(JsonNull.NULL, "spec", "claimRef", "resourceVersion"));
        findings.remedy(RemedyKind.REBIND, text, steps(new RemedyAction.Rebind(name()), successor))
                .remedy(
                        RemedyKind.REBIND_BY_PATCH,
                        "Or the same by kubectl, which does not check whether the volume may still be in use:",
                        steps(patch, successor));
    }

    /** To a claim that waits, though the data is that of a claim of another name. */
    void toAnother(PersistentVolumeClaim claim, String owner) {
        ObjectKey key = ObjectKey.of(claim);
        Repair judged = new VolumeRepairs(snapshot, volume).adopt(Optional.of(key));
        if (judged.change().isPresent()) {
            findings.remedy(
                    RemedyKind.ADOPT_FROM_OTHER,
                    "If claim " + key + " may have the data that claim " + owner + " left on volume " + name()
                            + ", give it that volume. Only claim " + key + " gets it:",
                    new RemedyAction.Adopt(name(), key, true));
        } else if (isMarked() && volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.RETAIN) {
            unmark();
        } else {
            judged.objections()
                    .forEach(objection -> findings.awaits(
                            "user",
                            "this to end, before the claim may get the volume: " + objection,
                            Optional.empty()));
        }
    }

    // ---- without a claim that exists ----

    /** The volume is retained, and no claim has the name of its earlier one, or that claim has another volume. */
    void release(String owner) {
        RemedyAction patch = patch(Document.empty()
                .with(JsonNull.NULL, "spec", "claimRef", "uid")
                .with(JsonNull.NULL, "spec", "claimRef", "resourceVersion"));
        findings.remedy(
                        RemedyKind.REBIND,
                        "Let the volume wait, with its data, for the next claim " + owner
                                + ". This is refused while the storage is being reclaimed:",
                        new RemedyAction.Rebind(name()))
                .remedy(RemedyKind.REBIND_BY_PATCH, "Or the same without that check:", patch);
        delete();
        discard(owner);
    }

    /** Policy Retain leaves the data where it is. */
    void delete() {
        if (volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.RETAIN) {
            findings.remedy(
                    RemedyKind.DELETE_VOLUME,
                    "To give up the volume, delete it; the data stays where it is.",
                    new RemedyAction.Delete(Kinds.PERSISTENT_VOLUME, List.of(key())));
        }
    }

    /** The claim that would get the volume, by the binder's own matching, if it were as it is here. */
    List<ObjectKey> receiver(PersistentVolume changed) {
        PersistentVolume offered = changed.withStatus(changed.status().withPhase(PersistentVolumePhase.AVAILABLE));
        return run.given(
                List.of(offered),
                () -> run.takers(name()).stream().limit(1).map(ObjectKey::of).toList());
    }

    static String who(List<ObjectKey> receiver) {
        return receiver.isEmpty()
                ? " No claim that waits now takes it; the next claim that fits, of any namespace, does."
                : " Claim " + receiver.get(0) + " waits and gets it.";
    }

    private PersistentVolume freed() {
        return volume.withSpec(volume.spec().withClaimRef(Optional.empty()))
                .withMetadata(volume.metadata().withoutAnnotation(Annotations.BOUND_BY_CONTROLLER));
    }

    /** The volume is kept for a claim that has another one. */
    void free(String owner) {
        delete();
        List<ObjectKey> takers = receiver(freed());
        findings.remedy(new Remedy(
                RemedyKind.DISCARD_BY_PATCH,
                "Or, if any claim may have the data on volume " + name() + ", do not keep it for claim " + owner
                        + " any more." + who(takers),
                List.of(patch(Document.empty().with(JsonNull.NULL, "spec", "claimRef"))),
                takers));
    }

    private void discard(String owner) {
        List<ObjectKey> takers = receiver(freed());
        String text =
                "Only if any claim may have the data: free the volume for any claim that fits. This hands what claim "
                        + owner + " left on volume " + name() + " to another claim." + who(takers);
        RemedyAction discard = new RemedyAction.Discard(name());
        if (new VolumeRepairs(snapshot, volume).discard().change().isPresent()) {
            findings.remedy(new Remedy(
                            RemedyKind.DISCARD,
                            text + " This is refused while the volume may still be in use:",
                            List.of(discard),
                            takers))
                    .remedy(new Remedy(
                            RemedyKind.DISCARD_BY_PATCH,
                            "Or the same, also to "
                                    + (takers.isEmpty() ? "any claim that fits" : "claim " + takers.get(0))
                                    + ", by kubectl, which does not check whether the volume may still be in use:",
                            List.of(patch(Document.empty().with(JsonNull.NULL, "spec", "claimRef"))),
                            takers));
        }
    }

    /** Takes away what stands on a volume while its storage is being reclaimed; a volume without a claim is free then. */
    void unmark() {
        boolean released =
                volume.spec().claimRef().filter(ref -> !ref.uid().isEmpty()).isPresent();
        if (released && volume.spec().persistentVolumeReclaimPolicy() != ReclaimPolicy.RETAIN) {
            return; // the binder is at work on it, or goes on with it
        }
        boolean unclaimed = volume.spec().claimRef().isEmpty();
        List<ObjectKey> takers = unclaimed
                ? receiver(volume.withMetadata(volume.metadata().withoutAnnotation(Annotations.RECLAIMING)))
                : List.of();
        Map<String, Object> marks = new LinkedHashMap<>();
        List.of(Annotations.RECLAIMING, NodeIntent.RECLAIM_ON, NodeIntent.RECLAIM_RESULT)
                .forEach(mark -> marks.put(mark, JsonNull.NULL));
        findings.remedy(new Remedy(
                RemedyKind.UNMARK,
                "When you have looked at the storage of volume " + name()
                        + ", and no program works on it any more, remove the mark."
                        + (unclaimed ? " The volume is free then." + who(takers) : ""),
                List.of(patch(Document.empty().with(marks, "metadata", "annotations"))),
                takers));
    }

    static RemedyAction retain(PersistentVolume volume) {
        return new RemedyAction.Patch(
                Kinds.PERSISTENT_VOLUME,
                ObjectKey.of(volume),
                Document.empty().with("Retain", "spec", "persistentVolumeReclaimPolicy"));
    }

    private RemedyAction patch(Document merge) {
        return new RemedyAction.Patch(Kinds.PERSISTENT_VOLUME, key(), merge);
    }

    private boolean isMarked() {
        return volume.metadata().annotation(Annotations.RECLAIMING).isPresent();
    }

    private ObjectKey key() {
        return ObjectKey.of(volume);
    }

    private String name() {
        return volume.metadata().name();
    }
}
