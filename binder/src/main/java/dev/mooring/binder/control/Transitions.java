// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.ObjectReferenceBuilder;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects as they are to be, from the objects as they are: every write of the binder. Each method answers with its argument itself
 * if there is nothing to change.
 */
final class Transitions {
    private static final String YES = "yes";
    /** What stands on a volume while its storage is being reclaimed (D6). */
    private static final List<String> RECLAIM_MARKS =
            List.of(Annotations.RECLAIMING, NodeIntent.RECLAIM_ON, NodeIntent.RECLAIM_RESULT);

    private Transitions() {}

    /** M(pv, claim): the volume's claimRef names this claim, whether or not it has a uid (semantics/binder, head). */
    static boolean isFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec()
                .claimRef()
                .filter(ref -> names(ref, claim)
                        && (ref.uid().isEmpty()
                                || ref.uid().equals(claim.metadata().uid())))
                .isPresent();
    }

    /** Whether the volume's claimRef carries this claim's uid. */
    static boolean isBoundTo(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec()
                .claimRef()
                .filter(ref -> ref.uid().equals(claim.metadata().uid()))
                .isPresent();
    }

    private static boolean names(ObjectReference ref, PersistentVolumeClaim claim) {
        return ref.name().equals(claim.metadata().name())
                && ref.namespace().equals(claim.metadata().namespace());
    }

    /** Step 1 of a bind: the volume names the claim (§1.7). */
    static PersistentVolume claimed(PersistentVolume volume, PersistentVolumeClaim claim) {
        boolean chosenByUs = !isFor(volume, claim); // otherwise a user has written the claim there
        boolean complete = volume.spec()
                .claimRef()
                .filter(ref ->
                        names(ref, claim) && ref.uid().equals(claim.metadata().uid()))
                .isPresent();
        if (complete) {
            return volume;
        }
        PersistentVolume edited = volume.withSpec(volume.spec().withClaimRef(Optional.of(referenceTo(claim))));
        return chosenByUs
                ? edited.withMetadata(edited.metadata().withAnnotation(Annotations.BOUND_BY_CONTROLLER, YES))
                : edited;
    }

    /** A full reference to a claim, as upstream writes it. */
    static ObjectReference referenceTo(PersistentVolumeClaim claim) {
        ObjectMeta metadata = claim.metadata();
        return ObjectReferenceBuilder.builder()
                .kind("PersistentVolumeClaim")
                .namespace(metadata.namespace())
                .name(metadata.name())
                .uid(metadata.uid())
                .apiVersion("v1")
                .resourceVersion(metadata.resourceVersion())
                .fieldPath("")
                .build();
    }

    /** Step 3 of a bind: the claim names the volume, and is marked as bound (§1.7). */
    static PersistentVolumeClaim naming(PersistentVolumeClaim claim, PersistentVolume volume) {
        ObjectMeta metadata = claim.metadata();
        PersistentVolumeClaim edited = claim;
        String name = volume.metadata().name();
        if (!claim.spec().volumeName().equals(name)) {
            edited = edited.withSpec(claim.spec().withVolumeName(name));
            if (metadata.annotation(Annotations.BOUND_BY_CONTROLLER).isEmpty()) {
                metadata = metadata.withAnnotation(Annotations.BOUND_BY_CONTROLLER, YES);
            }
        }
        if (metadata.annotation(Annotations.BIND_COMPLETED).isEmpty()) {
            metadata = metadata.withAnnotation(Annotations.BIND_COMPLETED, YES);
        }
        if (metadata.hasFinalizer(Finalizers.PROVISIONING) && name.equals(ClaimProvisioning.volumeName(claim))) {
            metadata = metadata.withoutFinalizer(Finalizers.PROVISIONING); // its storage is the volume's now
        }
        return metadata.equals(claim.metadata()) ? edited : edited.withMetadata(metadata);
    }

    /** Step 4 of a bind: the claim shows what it got (§1.11). */
    static PersistentVolumeClaim showing(PersistentVolumeClaim claim, PersistentVolume volume) {
        PersistentVolumeClaimStatus status = claim.status();
        PersistentVolumeClaimStatus wanted =
                status.withAccessModes(volume.spec().accessModes());
        if (status.phase() != ClaimPhase.BOUND) {
            wanted = wanted.withPhase(ClaimPhase.BOUND).withCapacity(capacityShown(volume));
            if (status.phase() == ClaimPhase.PENDING) {
                wanted = wanted.withCurrentVolumeAttributesClassName(
                        volume.spec().volumeAttributesClassName().filter(name -> !name.isEmpty()));
            }
        }
        return wanted.equals(status) ? claim : claim.withStatus(wanted);
    }

    private static Map<String, Quantity> capacityShown(PersistentVolume volume) {
        Map<String, Quantity> capacity = new LinkedHashMap<>(volume.spec().capacity());
        volume.metadata()
                .annotation(Annotations.PRE_RESIZE_CAPACITY)
                .flatMap(Quantity::tryParse)
                .ifPresent(before -> capacity.put("storage", before));
        return capacity;
    }

    /** A claim without a volume: everything that a volume gave it is taken back (§1.11). */
    static PersistentVolumeClaim without(PersistentVolumeClaim claim, ClaimPhase phase) {
        PersistentVolumeClaimStatus wanted = claim.status()
                .withPhase(phase)
                .withAccessModes(List.of())
                .withCapacity(Map.of())
                .withCurrentVolumeAttributesClassName(Optional.empty());
        return wanted.equals(claim.status()) ? claim : claim.withStatus(wanted);
    }

    /** Another phase. Within one phase only a new failure message is written (D11). */
    static PersistentVolume inPhase(PersistentVolume volume, PersistentVolumePhase phase, String message) {
        boolean samePhase = volume.status().phase() == phase;
        boolean sameMessage = volume.status().message().equals(message);
        if (samePhase && (sameMessage || phase != PersistentVolumePhase.FAILED)) {
            return volume;
        }
        return volume.withStatus(
                volume.status().withPhase(phase).withMessage(message).withReason(""));
    }

    /** Undoes a bind (§1.8): what we wrote goes entirely; of what a user wrote only the uid. Marks of reclaiming go too. */
    static PersistentVolume unbound(PersistentVolume volume) {
        ObjectMeta metadata = withoutReclaimMarks(volume.metadata());
        Optional<ObjectReference> claimRef = volume.spec().claimRef();
        if (metadata.annotation(Annotations.BOUND_BY_CONTROLLER).isPresent()) {
            metadata = metadata.withoutAnnotation(Annotations.BOUND_BY_CONTROLLER);
            claimRef = Optional.empty();
        } else {
            claimRef = claimRef.map(ref -> ref.withUid(""));
        }
        PersistentVolume edited =
                NodeIntent.labelled(metadata.equals(volume.metadata()) ? volume : volume.withMetadata(metadata));
        return claimRef.equals(volume.spec().claimRef())
                ? edited
                : edited.withSpec(edited.spec().withClaimRef(claimRef));
    }

    /** Marks a released volume before a plugin touches its storage (D6). */
    static PersistentVolume reclaiming(PersistentVolume volume, String claimUid) {
        return volume.withMetadata(volume.metadata().withAnnotation(Annotations.RECLAIMING, claimUid));
    }

    /** Takes the marks of reclaiming away. */
    static PersistentVolume notReclaiming(PersistentVolume volume) {
        ObjectMeta metadata = withoutReclaimMarks(volume.metadata());
        return NodeIntent.labelled(metadata.equals(volume.metadata()) ? volume : volume.withMetadata(metadata));
    }

    private static ObjectMeta withoutReclaimMarks(ObjectMeta metadata) {
        ObjectMeta edited = metadata;
        for (String mark : RECLAIM_MARKS) {
            if (edited.annotation(mark).isPresent()) {
                edited = edited.withoutAnnotation(mark);
            }
        }
        return edited;
    }

    /** After the storage has been destroyed: the finalizer that waited for it goes (§1.9). */
    static PersistentVolume destroyed(PersistentVolume volume, String finalizer) {
        ObjectMeta metadata = volume.metadata();
        return metadata.hasFinalizer(finalizer) ? volume.withMetadata(metadata.withoutFinalizer(finalizer)) : volume;
    }
}
