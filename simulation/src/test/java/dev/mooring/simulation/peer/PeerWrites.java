// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.store.Change;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the peer's binder writes (semantics/binder §1.7, §1.8, §1.11). Each method answers with nothing if all is as it shall be. */
final class PeerWrites {
    private static final String YES = "yes";

    private PeerWrites() {}

    /** M(pv, claim). */
    static boolean isFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec()
                .claimRef()
                .filter(ref -> names(ref, claim)
                        && (ref.uid().isEmpty()
                                || ref.uid().equals(claim.metadata().uid())))
                .isPresent();
    }

    private static boolean names(ObjectReference ref, PersistentVolumeClaim claim) {
        return ref.name().equals(claim.metadata().name())
                && ref.namespace().equals(claim.metadata().namespace());
    }

    /** The first of the four writes of a bind that is missing; in their order, the first failure of which ends them. */
    static Optional<Effect> bind(PersistentVolume volume, PersistentVolumeClaim claim) {
        return claimVolume(volume, claim)
                .or(() -> phase(volume, PersistentVolumePhase.BOUND, ""))
                .or(() -> nameVolume(volume, claim))
                .or(() -> showVolume(volume, claim));
    }

    private static Optional<Effect> claimVolume(PersistentVolume volume, PersistentVolumeClaim claim) {
        boolean complete = volume.spec()
                .claimRef()
                .filter(ref ->
                        names(ref, claim) && ref.uid().equals(claim.metadata().uid()))
                .isPresent();
        if (complete) {
            return Optional.empty();
        }
        PersistentVolume edited = volume.withSpec(volume.spec().withClaimRef(Optional.of(reference(claim))));
        if (!isFor(volume, claim)) {
            edited = edited.withMetadata(edited.metadata().withAnnotation(Annotations.BOUND_BY_CONTROLLER, YES));
        }
        return Optional.of(update("claim-volume", volume, edited));
    }

    static ObjectReference reference(PersistentVolumeClaim claim) {
        ObjectMeta metadata = claim.metadata();
        return new ObjectReference(
                "PersistentVolumeClaim",
                metadata.namespace(),
                metadata.name(),
                metadata.uid(),
                "v1",
                metadata.resourceVersion(),
                "");
    }

    private static Optional<Effect> nameVolume(PersistentVolume volume, PersistentVolumeClaim claim) {
        PersistentVolumeClaim edited = claim;
        if (!claim.spec().volumeName().equals(volume.metadata().name())) {
            edited = edited.withSpec(
                            edited.spec().withVolumeName(volume.metadata().name()))
                    .withMetadata(edited.metadata().withAnnotation(Annotations.BOUND_BY_CONTROLLER, YES));
        }
        if (claim.metadata().annotation(Annotations.BIND_COMPLETED).isEmpty()) {
            edited = edited.withMetadata(edited.metadata().withAnnotation(Annotations.BIND_COMPLETED, YES));
        }
        return edited.equals(claim) ? Optional.empty() : Optional.of(update("name-volume", claim, edited));
    }

    private static Optional<Effect> showVolume(PersistentVolume volume, PersistentVolumeClaim claim) {
        PersistentVolumeClaimStatus status =
                claim.status().withAccessModes(volume.spec().accessModes());
        if (status.phase() != ClaimPhase.BOUND) {
            status = status.withPhase(ClaimPhase.BOUND)
                    .withCapacity(volume.spec().capacity());
        }
        return status(claim, status);
    }

    /** A claim without a volume. */
    static Optional<Effect> without(PersistentVolumeClaim claim, ClaimPhase phase) {
        return status(
                claim,
                claim.status().withPhase(phase).withAccessModes(List.of()).withCapacity(Map.of()));
    }

    private static Optional<Effect> status(PersistentVolumeClaim claim, PersistentVolumeClaimStatus status) {
        return status.equals(claim.status())
                ? Optional.empty()
                : Optional.of(new Effect.UpdateStatus<>(
                        "show-claim", Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, claim.withStatus(status))));
    }

    /** Another phase; the same one is not written, even if its message is another. */
    static Optional<Effect> phase(PersistentVolume volume, PersistentVolumePhase phase, String message) {
        return volume.status().phase() == phase
                ? Optional.empty()
                : Optional.of(new Effect.UpdateStatus<>(
                        "show-volume",
                        Kinds.PERSISTENT_VOLUME,
                        new Change<>(
                                volume,
                                volume.withStatus(
                                        volume.status().withPhase(phase).withMessage(message)))));
    }

    /** What a bind wrote is taken back: of what a user wrote only the uid. */
    static Effect unbind(PersistentVolume volume) {
        boolean ours =
                volume.metadata().annotation(Annotations.BOUND_BY_CONTROLLER).isPresent();
        PersistentVolume edited = volume.withMetadata(
                        volume.metadata().withoutAnnotation(Annotations.BOUND_BY_CONTROLLER))
                .withSpec(volume.spec()
                        .withClaimRef(
                                ours
                                        ? Optional.empty()
                                        : volume.spec().claimRef().map(ref -> ref.withUid(""))));
        return update("unbind", volume, edited);
    }

    static Effect update(String operation, PersistentVolume volume, PersistentVolume edited) {
        return new Effect.Update<>(operation, Kinds.PERSISTENT_VOLUME, new Change<>(volume, edited));
    }

    static Effect update(String operation, PersistentVolumeClaim claim, PersistentVolumeClaim edited) {
        return new Effect.Update<>(operation, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, edited));
    }
}
