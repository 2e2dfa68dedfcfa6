// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.BinderObjects;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.VolumeMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a volume must be like to be bound to the claim that names it (semantics/binder §1.4, checkVolumeSatisfyClaim). */
class PrebindCheckTest {
    private static PersistentVolume volume(UnaryOperator<PersistentVolumeSpec> edit) {
        PersistentVolume volume = BinderObjects.volume("pv", "1Gi");
        return volume.withSpec(edit.apply(volume.spec()));
    }

    private static PersistentVolumeClaim claim(UnaryOperator<PersistentVolumeClaimSpec> edit) {
        return BinderObjects.data().withSpec(edit.apply(BinderObjects.data().spec()));
    }

    private static Optional<String> problem(UnaryOperator<PersistentVolumeSpec> edit) {
        return PrebindCheck.problem(volume(edit), BinderObjects.data());
    }

    @Test
    void whatFitsFits() {
        assertThat(problem(spec -> spec)).isEmpty();
        assertThat(problem(spec -> spec.withStorageClassName(Optional.of("")))).isEmpty();
        assertThat(problem(spec -> spec.withVolumeAttributesClassName(Optional.of(""))))
                .isEmpty();
        assertThat(problem(spec -> spec.withVolumeMode(Optional.of(VolumeMode.FILESYSTEM))))
                .isEmpty();
        assertThat(problem(
                        spec -> spec.withAccessModes(List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY))))
                .isEmpty();
    }

    /** Each fault alone is told; of several the first in this order. */
    @Test
    void theFirstFaultIsTold() {
        List<UnaryOperator<PersistentVolume>> faults = List.of(
                v -> v.withMetadata(v.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH))),
                v -> v.withSpec(v.spec()
                        .withStorage(BinderObjects.volume("pv", "1023Mi").spec().storage())),
                v -> v.withSpec(v.spec().withStorageClassName(Optional.of("gold"))),
                v -> v.withSpec(v.spec().withVolumeAttributesClassName(Optional.of("fast"))),
                v -> v.withSpec(v.spec().withVolumeMode(Optional.of(VolumeMode.BLOCK))),
                v -> v.withSpec(v.spec().withAccessModes(List.of(AccessMode.READ_ONLY_MANY))));
        List<String> told = List.of(
                "the volume is marked for deletion \"pv\"",
                "requested PV is too small",
                "storageClassName does not match",
                "volumeAttributesClassName does not match",
                "incompatible volumeMode",
                "incompatible accessMode");
        List<UnaryOperator<PersistentVolume>> fromTheLast = new ArrayList<>(faults);
        Collections.reverse(fromTheLast);
        PersistentVolume broken = BinderObjects.volume("pv", "1Gi");
        for (int i = 0; i < faults.size(); i++) {
            PersistentVolume one = faults.get(i).apply(BinderObjects.volume("pv", "1Gi"));
            assertThat(PrebindCheck.problem(one, BinderObjects.data())).contains(told.get(i));
            broken = fromTheLast.get(i).apply(broken);
            assertThat(PrebindCheck.problem(broken, BinderObjects.data())).contains(told.get(faults.size() - 1 - i));
        }
    }

    @Test
    void selectorAndPhaseDoNotMatter() {
        PersistentVolumeClaim choosy =
                claim(spec -> spec.withSelector(Optional.of(new LabelSelector(Map.of("zone", "a"), List.of()))));
        for (PersistentVolumePhase phase : PersistentVolumePhase.values()) {
            assertThat(PrebindCheck.problem(BinderObjects.inPhase(BinderObjects.volume("pv", "1Gi"), phase), choosy))
                    .isEmpty();
        }
    }

    @ParameterizedTest(name = "{0} for {1}: {2}")
    @CsvSource({
        "1500m, 1600m, false",
        "1, 1001m, false",
        "9223372036854775807, 9223372036854775808, false",
        "10E, 10E, true"
    })
    void sizesAreComparedExactly(String capacity, String request, boolean fits) { // D14
        PersistentVolumeClaim asking = claim(spec -> spec.withRequestedStorage(
                BinderObjects.claim("c", request).spec().requestedStorage()));
        assertThat(PrebindCheck.problem(BinderObjects.volume("pv", capacity), asking)
                        .isEmpty())
                .isEqualTo(fits);
    }

    @Test
    void noClaimGetsStorageThatIsBeingReclaimed() { // D6
        PersistentVolume marked = BinderObjects.annotated(
                BinderObjects.volume("pv", "1Gi"), Annotations.RECLAIMING, BinderObjects.OTHER_UID);
        assertThat(PrebindCheck.problem(marked, BinderObjects.data())).contains("its storage is being reclaimed");
    }
}
