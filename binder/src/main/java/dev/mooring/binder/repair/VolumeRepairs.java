// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.repair;

import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Judges what people do by hand to a volume whose claim has gone: give it back to a claim of the same name, to any claim, or to
 * a claim that a restore has made (semantics/binder §5.9, §6 point 2).
 *
 * <p>Each is one write of the volume. It is refused while the data may still be in use, or while the data may be on its way out:
 * the reclaim mark is written with the volume's version as precondition (D6), so a repair that is written with the version that was
 * judged never crosses with it. Pure; thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VolumeRepairs {
    private final Snapshot live;
    private final PersistentVolume volume;

    /**
     * Prepares to judge one volume.
     *
     * @param live the cluster's volumes, claims, pods and VolumeAttachments, read for this purpose
     * @param volume the volume, as it is in {@code live}
     */
    public VolumeRepairs(Snapshot live, PersistentVolume volume) {
        this.live = live;
        this.volume = volume;
    }

    /** Lets the volume wait, with its data, for a claim of the namespace and name that it was bound to. */
    public Repair rebind() {
        List<String> objections = released();
        if (!objections.isEmpty()) {
            return Repair.refused(objections);
        }
        ObjectReference old = volume.spec().claimRef().orElseThrow();
        ObjectReference kept = old.withUid("").withResourceVersion("");
        List<String> consequences = new ArrayList<>();
        consequences.add("volume " + name() + " waits, with its data, for claim " + nameOf(old));
        consequences.add(
                "users who can create that claim in namespace " + old.namespace() + " get the data, and no others");
        named(old)
                .ifPresent(claim -> consequences.add("claim " + nameOf(old) + " exists with uid "
                        + claim.metadata().uid() + " and gets it, if it has no volume yet"));
        return Repair.of(volume, withClaim(Optional.of(kept)), consequences);
    }

    /** Gives the volume, with the data that is on it, to the next claim that fits. */
    public Repair discard() {
        List<String> objections = new ArrayList<>(isWaiting() ? awaited() : released());
        if (objections.isEmpty()) {
            ObjectReference old = volume.spec().claimRef().orElseThrow();
            objections.addAll(users(old));
            objections.addAll(attachments());
        }
        if (!objections.isEmpty()) {
            return Repair.refused(objections);
        }
        ObjectReference old = volume.spec().claimRef().orElseThrow();
        List<String> consequences = new ArrayList<>();
        consequences.add("volume " + name() + " is free for any claim that fits, in any namespace");
        named(old)
                .ifPresent(claim -> consequences.add("claim " + nameOf(old) + " exists again with uid "
                        + claim.metadata().uid() + ", and another claim may get the volume before it: adopt or --rebind"
                        + " gives it to this claim"));
        consequences.add("nothing is erased: the claim that gets it can read what " + nameOf(old) + " left on it");
        return Repair.of(volume, withClaim(Optional.empty()), consequences);
    }

    /**
     * Gives the volume, with its data, to a claim that exists, such as one that a restore made under its old name.
     *
     * @param wanted the claim; empty for the one of the name that the volume was bound to
     */
    public Repair adopt(Optional<ObjectKey> wanted) {
        Optional<ObjectReference> old = volume.spec().claimRef();
        Optional<ObjectKey> key = wanted.or(() -> old.map(ref -> ObjectKey.of(ref.namespace(), ref.name())));
        if (key.isEmpty()) {
            return Repair.refused(List.of("volume " + name() + " was never bound to a claim: name one"));
        }
        Optional<PersistentVolumeClaim> claim = live.get(Kinds.PERSISTENT_VOLUME_CLAIM, key.get());
        List<String> inWork = inWork();
        List<String> objections = new ArrayList<>(inWork);
        old.flatMap(this::owner)
                .filter(owner -> !ObjectKey.of(owner).equals(key.get()))
                .ifPresent(owner -> objections.add(owned(owner)));
        if (claim.isEmpty()) {
            objections.add("there is no claim " + key.get());
        } else {
            objections.addAll(unfit(claim.get(), inWork.isEmpty()));
        }
        old.filter(ref -> !ObjectKey.of(ref.namespace(), ref.name()).equals(key.get()))
                .ifPresent(ref -> objections.addAll(users(ref)));
        if (!objections.isEmpty()) {
            return Repair.refused(objections);
        }
        ObjectReference reference = ObjectReference.EMPTY
                .withKind("PersistentVolumeClaim")
                .withApiVersion("v1")
                .withNamespace(claim.get().metadata().namespace())
                .withName(claim.get().metadata().name())
                .withUid(claim.get().metadata().uid());
        return Repair.of(
                volume,
                withClaim(Optional.of(reference)),
                List.of("claim " + key.get() + " gets volume " + name() + ", with the data that is on it"));
    }

    // ---- objections ----

    private List<String> released() {
        Optional<ObjectReference> claimRef = volume.spec().claimRef();
        List<String> objections = new ArrayList<>(inWork());
        if (claimRef.isEmpty()) {
            objections.add("volume " + name() + " is free: there is no claim to release it from");
        } else if (isWaiting()) {
            objections.add("volume " + name() + " waits for claim " + nameOf(claimRef.get()) + " already");
        } else {
            owner(claimRef.get()).ifPresent(owner -> objections.add(owned(owner)));
        }
        return objections;
    }

    /** Kept for a claim by its name, by a person or by {@link #rebind}; no claim has it. */
    private boolean isWaiting() {
        return volume.spec().claimRef().filter(ref -> ref.uid().isEmpty()).isPresent();
    }

    /** A claim of that name may be about to get it; one that comes later changes the volume, and so meets the precondition. */
    private List<String> awaited() {
        List<String> objections = new ArrayList<>(inWork());
        volume.spec()
                .claimRef()
                .flatMap(this::named)
                .ifPresent(claim -> objections.add("volume " + name() + " is kept for claim " + ObjectKey.of(claim)
                        + ", which exists: delete the claim first"));
        return objections;
    }

    /** What makes it uncertain whether the data is, or will be, there. */
    private List<String> inWork() {
        List<String> objections = new ArrayList<>();
        if (volume.metadata().isDeleting()) {
            objections.add("volume " + name() + " is being deleted (metadata.deletionTimestamp)");
        }
        if (volume.metadata().annotation(Annotations.RECLAIMING).isPresent()) {
            objections.add("the storage of volume " + name() + " is being reclaimed (annotation "
                    + Annotations.RECLAIMING + "): what is left of it is uncertain");
        } else if (volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE && !hasOwner()) {
            objections.add(
                    "volume " + name() + " has policy Delete, and its provisioner may be destroying the storage: set"
                            + " spec.persistentVolumeReclaimPolicy to Retain first");
        }
        return objections;
    }

    private boolean hasOwner() {
        return volume.spec()
                .claimRef()
                .map(ref -> ref.uid().isEmpty() || owner(ref).isPresent())
                .orElse(true);
    }

    /**
     * What speaks against a claim.
     *
     * @param lasts whether the data will be there; else whether it fits is no question
     */
    private List<String> unfit(PersistentVolumeClaim claim, boolean lasts) {
        List<String> objections = new ArrayList<>();
        String key = ObjectKey.of(claim).toString();
        if (claim.metadata().isDeleting()) {
            objections.add("claim " + key + " is being deleted (metadata.deletionTimestamp)");
        }
        String other = claim.spec().volumeName();
        if (!other.isEmpty() && !other.equals(name())) {
            objections.add("claim " + key + " has volume " + other + " (spec.volumeName)");
        }
        if (lasts) {
            DryRun.prebindProblem(volume, claim)
                    .ifPresent(problem ->
                            objections.add("claim " + key + " does not fit volume " + name() + ": " + problem));
        }
        return objections;
    }

    private List<String> users(ObjectReference old) {
        return live.all(Kinds.POD).stream()
                .filter(pod -> pod.metadata().namespace().equals(old.namespace()) && mayWrite(pod))
                .filter(pod -> pod.spec().volumes().stream()
                        .anyMatch(used -> used.claimName(pod.metadata().name()).equals(Optional.of(old.name()))))
                .map(pod -> "pod " + ObjectKey.of(pod) + " may still use the volume through claim " + nameOf(old))
                .toList();
    }

    private static boolean mayWrite(Pod pod) {
        return !pod.status().phase().isTerminal();
    }

    private List<String> attachments() {
        return live.all(Kinds.VOLUME_ATTACHMENT).stream()
                .filter(attachment ->
                        attachment.spec().source().persistentVolumeName().equals(Optional.of(name())))
                .map(VolumeRepairs::attached)
                .toList();
    }

    private static String attached(VolumeAttachment attachment) {
        return "the volume is attached to node " + attachment.spec().nodeName() + " (VolumeAttachment "
                + attachment.metadata().name() + ")";
    }

    // ---- words and parts ----

    private Optional<PersistentVolumeClaim> named(ObjectReference claimRef) {
        return live.get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(claimRef.namespace(), claimRef.name()));
    }

    private Optional<PersistentVolumeClaim> owner(ObjectReference claimRef) {
        return named(claimRef).filter(claim -> claim.metadata().uid().equals(claimRef.uid()));
    }

    private String owned(PersistentVolumeClaim owner) {
        return "volume " + name() + " belongs to claim " + ObjectKey.of(owner)
                + ", which exists: delete the claim first, with policy"
                + " Retain on the volume to keep the data";
    }

    /** The binder must not take back by itself what a person has written (invariant I8), so its own mark goes. */
    private PersistentVolume withClaim(Optional<ObjectReference> claimRef) {
        return volume.withSpec(volume.spec().withClaimRef(claimRef))
                .withMetadata(volume.metadata().withoutAnnotation(Annotations.BOUND_BY_CONTROLLER));
    }

    private String name() {
        return volume.metadata().name();
    }

    private static String nameOf(ObjectReference claimRef) {
        return claimRef.namespace() + "/" + claimRef.name();
    }
}
