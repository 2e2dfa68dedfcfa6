// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static dev.mooring.storage.model.AccessMode.READ_WRITE_ONCE;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.PersistentVolumeStatus;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Volumes and claims for tests: 5Gi, ReadWriteOnce, class "fast", free; then changed as the test needs. */
final class Fixtures {
    static final String CLASS = "fast";

    private Fixtures() {}

    static PersistentVolume volume(String name) {
        PersistentVolumeSpec spec = PersistentVolumeSpec.EMPTY
                .withCapacity(Map.of("storage", Quantity.parse("5Gi")))
                .withAccessModes(List.of(READ_WRITE_ONCE))
                .withStorageClassName(Optional.of(CLASS));
        return new PersistentVolume(
                ObjectMeta.named(name).withUid("uid-" + name),
                spec,
                PersistentVolumeStatus.EMPTY.withPhase(PersistentVolumePhase.AVAILABLE));
    }

    static PersistentVolume volume(String name, String capacity) {
        return sized(volume(name), capacity);
    }

    static PersistentVolume sized(PersistentVolume volume, String capacity) {
        return spec(volume, spec -> spec.withCapacity(Map.of("storage", Quantity.parse(capacity))));
    }

    static PersistentVolume modes(PersistentVolume volume, AccessMode... modes) {
        return spec(volume, spec -> spec.withAccessModes(List.of(modes)));
    }

    static PersistentVolume mode(PersistentVolume volume, VolumeMode mode) {
        return spec(volume, spec -> spec.withVolumeMode(Optional.of(mode)));
    }

    static PersistentVolume ofClass(PersistentVolume volume, String name) {
        return spec(volume, spec -> spec.withStorageClassName(Optional.of(name)));
    }

    static PersistentVolume attributes(PersistentVolume volume, String name) {
        return spec(volume, spec -> spec.withVolumeAttributesClassName(Optional.of(name)));
    }

    static PersistentVolume phase(PersistentVolume volume, PersistentVolumePhase phase) {
        return volume.withStatus(volume.status().withPhase(phase));
    }

    static PersistentVolume labels(PersistentVolume volume, Map<String, String> labels) {
        return volume.withMetadata(volume.metadata().withLabels(labels));
    }

    static PersistentVolume deleting(PersistentVolume volume) {
        return volume.withMetadata(volume.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH)));
    }

    static PersistentVolume reclaiming(PersistentVolume volume) {
        return volume.withMetadata(volume.metadata().withAnnotation(Annotations.RECLAIMING, "uid-old"));
    }

    /** For a claim made by {@link #claim}; with its uid, an empty or another one. */
    static PersistentVolume claimedBy(PersistentVolume volume, String claim, String uid) {
        ObjectReference reference =
                ObjectReference.EMPTY.withNamespace("ns").withName(claim).withUid(uid);
        return spec(volume, spec -> spec.withClaimRef(Optional.of(reference)));
    }

    /** The claimRef names a claim of the same name elsewhere. */
    static PersistentVolume ofOtherNamespace(PersistentVolume volume) {
        return spec(
                volume,
                spec -> spec.withClaimRef(spec.claimRef().map(reference -> reference.withNamespace("elsewhere"))));
    }

    static PersistentVolume unclaimed(PersistentVolume volume) {
        return spec(volume, spec -> spec.withClaimRef(Optional.empty()));
    }

    private static PersistentVolume spec(PersistentVolume volume, UnaryOperator<PersistentVolumeSpec> change) {
        return volume.withSpec(change.apply(volume.spec()));
    }

    static PersistentVolumeClaim claim(String name) {
        PersistentVolumeClaim claim = PersistentVolumeClaim.of(
                "ns",
                name,
                PersistentVolumeClaimSpec.EMPTY
                        .withAccessModes(List.of(READ_WRITE_ONCE))
                        .withStorageClassName(Optional.of(CLASS))
                        .withRequestedStorage(Quantity.parse("5Gi")));
        return claim.withMetadata(claim.metadata().withUid("uid-" + name));
    }

    static PersistentVolumeClaim claim(String name, String request) {
        return claim(name, spec -> spec.withRequestedStorage(Quantity.parse(request)));
    }

    static PersistentVolumeClaim claim(String name, UnaryOperator<PersistentVolumeClaimSpec> change) {
        PersistentVolumeClaim claim = claim(name);
        return claim.withSpec(change.apply(claim.spec()));
    }

    static PersistentVolumeClaim created(PersistentVolumeClaim claim, long second) {
        return claim.withMetadata(claim.metadata().withCreationTimestamp(Optional.of(Instant.ofEpochSecond(second))));
    }

    static Optional<LabelSelector> selector(Map<String, String> labels, LabelSelectorRequirement... expressions) {
        return Optional.of(new LabelSelector(labels, List.of(expressions)));
    }

    static LabelSelectorRequirement expression(String key, String operator, String... values) {
        return new LabelSelectorRequirement(key, operator, List.of(values));
    }

    /** Empty if there is no volume. */
    static String nameOf(Optional<PersistentVolume> volume) {
        return volume.map(found -> found.metadata().name()).orElse("");
    }
}
