// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a claim shows of the volume that it has, and what it no longer shows without one (semantics/binder §1.11). */
class ClaimStatusTest {
    private static final Condition CONDITION = new Condition(
            "Resizing", ConditionStatus.TRUE, "", "", Optional.empty(), Optional.empty(), Optional.empty());

    private static PersistentVolumeClaim claim(UnaryOperator<PersistentVolumeClaimStatus> edit) {
        return BinderObjects.data().withStatus(edit.apply(BinderObjects.data().status()));
    }

    private static PersistentVolume volume() {
        PersistentVolume volume = BinderObjects.volume("pv", "5Gi");
        return volume.withSpec(volume.spec()
                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY))
                .withVolumeAttributesClassName(Optional.of("fast")));
    }

    @Test
    void aClaimThatBecomesBoundShowsWhatItGot() {
        PersistentVolumeClaimStatus status = Transitions.showing(
                        claim(s -> s.withConditions(List.of(CONDITION))), volume())
                .status();
        assertThat(status.phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(status.capacity()).isEqualTo(Map.of("storage", Quantity.parse("5Gi")));
        assertThat(status.accessModes()).containsExactly(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY);
        assertThat(status.currentVolumeAttributesClassName()).contains("fast");
        assertThat(status.conditions()).as("none of ours").containsExactly(CONDITION);
    }

    @Test
    void ofAClaimThatIsBoundOnlyTheAccessModesFollowTheVolume() {
        PersistentVolumeClaim bound = claim(s -> s.withPhase(ClaimPhase.BOUND)
                .withCapacity(Map.of("storage", Quantity.parse("1Gi")))
                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE)));
        PersistentVolumeClaimStatus status =
                Transitions.showing(bound, volume()).status();
        assertThat(status)
                .isEqualTo(bound.status().withAccessModes(volume().spec().accessModes()));
    }

    @Test
    void aClaimThatWasLostShowsNoClassOfAttributes() {
        PersistentVolumeClaimStatus status = Transitions.showing(claim(s -> s.withPhase(ClaimPhase.LOST)), volume())
                .status();
        assertThat(status.phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(status.capacity()).isNotEmpty();
        assertThat(status.currentVolumeAttributesClassName()).isEmpty();
    }

    @ParameterizedTest(name = "before the resize: {0}")
    @CsvSource({"2Gi, 2Gi", "many, 5Gi"})
    void anExpansionThatWaitsForItsNodeIsNotShownYet(String annotation, String shown) {
        PersistentVolume grown = BinderObjects.annotated(volume(), Annotations.PRE_RESIZE_CAPACITY, annotation);
        assertThat(Transitions.showing(BinderObjects.data(), grown).status().capacity())
                .isEqualTo(Map.of("storage", Quantity.parse(shown)));
    }

    @ParameterizedTest
    @EnumSource(
            value = ClaimPhase.class,
            names = {"PENDING", "LOST"})
    void withoutAVolumeAllThatItGaveIsTakenBack(ClaimPhase phase) {
        PersistentVolumeClaim bound = Transitions.showing(claim(s -> s.withConditions(List.of(CONDITION))), volume());
        PersistentVolumeClaim without = Transitions.without(bound, phase);
        assertThat(without.status())
                .isEqualTo(claim(s -> s.withPhase(phase).withConditions(List.of(CONDITION)))
                        .status());
        assertThat(Transitions.without(without, phase)).as("nothing changed").isSameAs(without);
    }
}
