// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pure edits of which binding consists: what each writes, and that it writes nothing where all is as it shall be. */
class TransitionsTest {
    private static final PersistentVolume FREE = BinderObjects.volume("pv", "1Gi");

    // ---- the volume names the claim ----

    @Test
    void aVolumeThatWasChosenIsMarkedAsChosen() {
        PersistentVolume claimed = Transitions.claimed(FREE, BinderObjects.data());
        assertThat(claimed.spec().claimRef().map(ObjectReference::uid)).contains(BinderObjects.UID);
        assertThat(claimed.metadata().annotation(Annotations.BOUND_BY_CONTROLLER))
                .contains("yes");
        assertThat(Transitions.claimed(claimed, BinderObjects.data())).isEqualTo(claimed);
    }

    @Test
    void aVolumeThatAUserHasTiedToTheClaimOnlyGetsItsUid() {
        PersistentVolume claimed = Transitions.claimed(BinderObjects.claimedBy(FREE, "data", ""), BinderObjects.data());
        assertThat(claimed.spec().claimRef().map(ObjectReference::uid)).contains(BinderObjects.UID);
        assertThat(claimed.metadata().annotation(Annotations.BOUND_BY_CONTROLLER))
                .isEmpty();
    }

    // ---- the claim names the volume ----

    @Test
    void aClaimThatGetsAVolumeIsMarkedAndOneThatNamedItIsNotMarkedAsChosenFor() {
        PersistentVolumeClaim chosen = Transitions.naming(BinderObjects.data(), FREE);
        assertThat(chosen.spec().volumeName()).isEqualTo("pv");
        assertThat(chosen.metadata().annotations())
                .containsEntry(Annotations.BOUND_BY_CONTROLLER, "yes")
                .containsEntry(Annotations.BIND_COMPLETED, "yes");
        assertThat(Transitions.naming(chosen, FREE)).isEqualTo(chosen);

        PersistentVolumeClaim itself = Transitions.naming(BinderObjects.naming(BinderObjects.data(), "pv"), FREE);
        assertThat(itself.metadata().annotations())
                .containsEntry(Annotations.BIND_COMPLETED, "yes")
                .doesNotContainKey(Annotations.BOUND_BY_CONTROLLER);
    }

    @ParameterizedTest(name = "bound to {0}")
    @CsvSource({"pvc-" + BinderObjects.UID + ", false", "another, true"})
    void theClaimIsHeldBackForItsStorageUntilItHasTheVolumeOfThat(String volume, boolean held) {
        PersistentVolumeClaim claim = BinderObjects.data();
        PersistentVolumeClaim guarded = claim.withMetadata(claim.metadata().withFinalizer(Finalizers.PROVISIONING));
        assertThat(Transitions.naming(guarded, BinderObjects.volume(volume, "1Gi"))
                        .metadata()
                        .hasFinalizer(Finalizers.PROVISIONING))
                .isEqualTo(held);
    }

    // ---- what the claim shows ----

    @Test
    void aClaimShowsTheVolumesSizeWhenItBecomesBoundAndLaterOnlyItsAccessModes() {
        PersistentVolumeClaim shown = Transitions.showing(BinderObjects.data(), FREE);
        assertThat(shown.status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(shown.status().capacity()).isEqualTo(Map.of("storage", Quantity.parse("1Gi")));
        assertThat(shown.status().accessModes()).isEqualTo(FREE.spec().accessModes());
        assertThat(Transitions.showing(shown, BinderObjects.volume("pv", "3Gi")))
                .isEqualTo(shown);
    }

    @Test
    void aVolumeWhoseFileSystemHasNotGrownYetShowsTheOldSize() {
        PersistentVolume growing =
                BinderObjects.annotated(BinderObjects.volume("pv", "3Gi"), Annotations.PRE_RESIZE_CAPACITY, "1Gi");
        assertThat(Transitions.showing(BinderObjects.data(), growing).status().capacity())
                .isEqualTo(Map.of("storage", Quantity.parse("1Gi")));
    }

    @ParameterizedTest(name = "was {0}")
    @CsvSource({"PENDING, gold", "LOST, "})
    void theAttributesClassIsShownAtTheFirstBindOnly(ClaimPhase before, String shown) {
        PersistentVolume volume = FREE.withSpec(FREE.spec().withVolumeAttributesClassName(Optional.of("gold")));
        assertThat(Transitions.showing(BinderObjects.inPhase(BinderObjects.data(), before), volume)
                        .status()
                        .currentVolumeAttributesClassName())
                .isEqualTo(Optional.ofNullable(shown));
        PersistentVolume withoutClass = FREE.withSpec(FREE.spec().withVolumeAttributesClassName(Optional.of("")));
        assertThat(Transitions.showing(BinderObjects.inPhase(BinderObjects.data(), before), withoutClass)
                        .status()
                        .currentVolumeAttributesClassName())
                .isEmpty();
    }

    @Test
    void aClaimWithoutAVolumeShowsNothingOfOne() {
        PersistentVolumeClaim shown = Transitions.showing(BinderObjects.data(), FREE);
        PersistentVolumeClaim lost = Transitions.without(shown, ClaimPhase.LOST);
        assertThat(lost.status().phase()).isEqualTo(ClaimPhase.LOST);
        assertThat(lost.status().capacity()).isEmpty();
        assertThat(lost.status().accessModes()).isEmpty();
        assertThat(Transitions.without(lost, ClaimPhase.LOST)).isEqualTo(lost);
    }

    // ---- the volume's phase ----

    @Test
    void anotherPhaseIsWrittenAndWithinFailedAnotherMessage() {
        PersistentVolume bound = Transitions.inPhase(FREE, PersistentVolumePhase.BOUND, "");
        assertThat(bound.status().phase()).isEqualTo(PersistentVolumePhase.BOUND);
        assertThat(Transitions.inPhase(bound, PersistentVolumePhase.BOUND, "news"))
                .as("D11")
                .isEqualTo(bound);

        PersistentVolume failed = Transitions.inPhase(bound, PersistentVolumePhase.FAILED, "full");
        assertThat(failed.status().message()).isEqualTo("full");
        assertThat(Transitions.inPhase(failed, PersistentVolumePhase.FAILED, "full"))
                .isEqualTo(failed);
        assertThat(Transitions.inPhase(failed, PersistentVolumePhase.FAILED, "denied")
                        .status()
                        .message())
                .isEqualTo("denied");
        assertThat(Transitions.inPhase(failed, PersistentVolumePhase.RELEASED, "full")
                        .status()
                        .phase())
                .isEqualTo(PersistentVolumePhase.RELEASED);
    }

    // ---- back again ----

    @Test
    void whatWasChosenIsFreeAgainAndOfWhatAUserTiedOnlyTheUidGoes() {
        PersistentVolume chosen =
                Transitions.reclaiming(Transitions.claimed(FREE, BinderObjects.data()), BinderObjects.UID);
        assertThat(Transitions.unbound(chosen)).isEqualTo(FREE);

        PersistentVolume tied = BinderObjects.claimedBy(FREE, "data", "");
        assertThat(Transitions.unbound(BinderObjects.claimedBy(FREE, "data", BinderObjects.UID)))
                .isEqualTo(tied);
        assertThat(Transitions.unbound(tied)).isEqualTo(tied);
    }

    @Test
    void theMarksOfReclaimingGoTogether() {
        PersistentVolume marked = Transitions.reclaiming(FREE, BinderObjects.UID);
        assertThat(marked.metadata().annotation(Annotations.RECLAIMING)).contains(BinderObjects.UID);
        assertThat(Transitions.notReclaiming(marked)).isEqualTo(FREE);
        assertThat(Transitions.notReclaiming(FREE)).isEqualTo(FREE);
    }

    @Test
    void destroyedStorageHoldsItsVolumeNoMore() {
        PersistentVolume held = FREE.withMetadata(FREE.metadata().withFinalizer(Finalizers.PV_CONTROLLER));
        assertThat(Transitions.destroyed(held, Finalizers.PV_CONTROLLER)).isEqualTo(FREE);
        assertThat(Transitions.destroyed(FREE, Finalizers.PV_CONTROLLER)).isEqualTo(FREE);
    }
}
