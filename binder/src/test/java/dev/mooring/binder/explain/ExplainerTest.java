// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an explanation is in whole, whatever it explains. */
class ExplainerTest extends ExplainerWorld {
    @Test
    void everyVolumeIsCountedOnceAndTheNearestComeFirst() {
        List<KubernetesObject> objects = new ArrayList<>(List.of(ExplainedObjects.claim("8Gi")));
        for (int i = 0; i < 5; i++) {
            objects.add(ExplainedObjects.volume("small" + i, (i + 1) + "Gi"));
        }
        for (int i = 0; i < 4; i++) {
            objects.add(ExplainedObjects.spec(
                    ExplainedObjects.volume("gold" + i, "8Gi"), s -> s.withStorageClassName(Optional.of("gold"))));
        }
        objects.add(inUse("used"));
        Explanation explanation = claim(objects);
        assertThat(explanation.volumes()).isEqualTo(10);
        assertThat(explanation.excluded())
                .containsExactly(
                        new Explanation.Excluded("F3", "claimed by other claims", 1),
                        new Explanation.Excluded("F4", "too small", 5),
                        new Explanation.Excluded("F13", "of another storage class", 4));
        assertThat(explanation.nearest())
                .extracting(Explanation.NearMiss::volume)
                .containsExactly("small4", "small3", "small2");
    }

    /** Advice about one volume of each kind is enough, however many there are. */
    @Test
    void theAdviceIsOfBoundedLength() {
        List<KubernetesObject> objects = new ArrayList<>(List.of(ExplainedObjects.claim("8Gi")));
        for (int i = 0; i < 1000; i++) {
            objects.add(ExplainedObjects.spec(
                    ExplainedObjects.volume("gold" + i, "8Gi"), s -> s.withStorageClassName(Optional.of("gold"))));
            objects.add(ExplainedObjects.in(
                    ExplainedObjects.claimedBy(
                            ExplainedObjects.volume("old" + i, "8Gi"), "old" + i, ExplainedObjects.OTHER_UID),
                    PersistentVolumePhase.RELEASED));
        }
        Explanation explanation = claim(objects);
        assertThat(explanation.codes()).containsExactlyInAnyOrder(CauseCode.STORAGE_CLASS, CauseCode.RELEASED);
        assertThat(explanation.remedies())
                .as("one for the class, one for the released volumes, one for a new volume")
                .hasSize(3);
    }

    @Test
    void aMalformedVolumeIsSaidToBeMalformed() {
        PersistentVolume empty = ExplainedObjects.volume("pv", "0");
        Explanation ofVolume =
                explainer().volume(snapshot(List.of(empty)), "pv").orElseThrow();
        assertThat(ofVolume.codes()).containsExactly(CauseCode.INVALID);
        Explanation ofClaim =
                claim(with(ExplainedObjects.spec(ExplainedObjects.claim("1Gi"), s -> s.withVolumeName("pv")), empty));
        assertThat(ofClaim.codes()).containsExactly(CauseCode.NAMED_VOLUME_MISMATCH);
        assertThat(ExplanationText.of(ofClaim)).contains("spec.capacity");
    }

    @Test
    void aBoundClaimWhoseVolumeIsBeingReclaimedIsToldSo() {
        PersistentVolume marked = ExplainedObjects.annotated(
                ExplainedObjects.volume("pv", "1Gi"), Annotations.RECLAIMING, ExplainedObjects.OTHER_UID);
        Explanation explanation = claim(with(ExplainedObjects.bound("pv"), marked));
        assertThat(explanation.codes()).containsExactly(CauseCode.NAMED_VOLUME_MISMATCH);
        assertThat(explanation.causes().get(0).text()).contains("being reclaimed");
    }

    /** A claim found no volume and has an event: no provisioner was asked, so none has failed. */
    @Test
    void aClassThatMakesNoVolumesTriesNothing() {
        Explanation explanation = explainer()
                .explain(
                        snapshot(
                                with(
                                        ExplainedObjects.ofClass("local"),
                                        ExplainedObjects.storageClass("local", "kubernetes.io/no-provisioner", NOW),
                                        StuckSituation.event(
                                                "PersistentVolumeClaim",
                                                "data",
                                                "ProvisioningFailed",
                                                "no volume plugin matched name: kubernetes.io/no-provisioner: there are no volumes"))),
                        Kinds.STORAGE_CLASS,
                        ObjectKey.cluster("local"))
                .orElseThrow();
        assertThat(explanation.codes()).containsExactly(CauseCode.NOTHING_WRONG);
        assertThat(explanation.awaited()).isEmpty();
    }

    /** Trying again does not help: a person has to make the class again. */
    @Test
    void parametersThatAProvisionerObjectsToAreCorrectedInTheClass() {
        Explanation explanation = claim(with(
                ExplainedObjects.ofClass("fast"),
                ExplainedObjects.storageClass("fast", "made.example.com", NOW),
                StuckSituation.event("PersistentVolumeClaim", "data", "ProvisioningFailed", "invalid parameter qota")));
        assertThat(explanation.awaited()).extracting(Explanation.Awaited::actor).containsExactly("administrator");
        assertThat(explanation.remedies().get(0).text())
                .startsWith("A class cannot be changed. Correct the parameters in its manifest");
    }

    @Test
    void aNodeThatNeverReportedIsNotSaidToBeReady() {
        Explanation explanation = explainer()
                .explain(snapshot(List.of(ExplainedObjects.node("worker"))), Kinds.NODE, ObjectKey.cluster("worker"))
                .orElseThrow();
        assertThat(explanation.phase()).isEqualTo("Unknown");
        assertThat(explanation.facts()).contains("No agent has ever reported whether it is ready.");
    }

    @Test
    void provisioningThatIsSwitchedOffIsSaid() {
        BinderOptions off = BinderOptions.DEFAULT.without(BinderSwitch.DYNAMIC_PROVISIONING);
        List<KubernetesObject> objects =
                with(ExplainedObjects.ofClass("ebs"), ExplainedObjects.storageClass("ebs", "ebs.csi.aws.com", NOW));
        Explanation explanation = new Explainer(off, PluginRegistry.EMPTY)
                .claim(snapshot(objects), ObjectKey.of("default", "data"))
                .orElseThrow();
        assertThat(explanation.codes()).startsWith(CauseCode.PROVISIONING_OFF);
    }

    @Test
    void whatIsNotThereIsNotExplained() {
        assertThat(explainer().claim(snapshot(List.of()), ObjectKey.of("default", "data")))
                .isEmpty();
        assertThat(explainer().volume(snapshot(List.of()), "pv")).isEmpty();
    }
}
