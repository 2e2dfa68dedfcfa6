// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Why a volume is as it is. */
class VolumeCausesTest extends ExplainerWorld {
    static Stream<Arguments> volumes() {
        return Stream.of(
                row("free", with(ExplainedObjects.volume("pv", "1Gi")), "is free", CauseCode.NOTHING_WRONG),
                row(
                        "kept for a claim to come",
                        with(ExplainedObjects.claimedBy(ExplainedObjects.volume("pv", "1Gi"), "data", "")),
                        "does not exist yet",
                        CauseCode.WAITING_FOR_CLAIM),
                row(
                        "bound",
                        with(ExplainedObjects.bound("pv"), owned("pv")),
                        "bound to claim",
                        CauseCode.NOTHING_WRONG),
                row(
                        "being given back",
                        with(ExplainedObjects.bound("other"), owned("pv")),
                        "has got volume other",
                        CauseCode.BIND_DUE),
                row(
                        "retained",
                        with(ExplainedObjects.in(
                                ExplainedObjects.claimedBy(
                                        ExplainedObjects.volume("pv", "1Gi"), "data", ExplainedObjects.OTHER_UID),
                                PersistentVolumePhase.RELEASED)),
                        "policy Retain keeps",
                        CauseCode.RETAINED),
                row(
                        "retained after reclaiming had begun",
                        with(ExplainedObjects.annotated(
                                ExplainedObjects.in(
                                        ExplainedObjects.claimedBy(
                                                ExplainedObjects.volume("pv", "1Gi"),
                                                "data",
                                                ExplainedObjects.OTHER_UID),
                                        PersistentVolumePhase.RELEASED),
                                Annotations.RECLAIMING,
                                ExplainedObjects.OTHER_UID)),
                        "it is unknown whether the data is still there",
                        CauseCode.RETAINED),
                row(
                        "its claim was made again",
                        with(
                                ExplainedObjects.claim("1Gi"),
                                ExplainedObjects.in(
                                        ExplainedObjects.claimedBy(
                                                ExplainedObjects.volume("pv", "1Gi"),
                                                "data",
                                                ExplainedObjects.OTHER_UID),
                                        PersistentVolumePhase.RELEASED)),
                        ExplainedObjects.OTHER_UID,
                        CauseCode.CLAIM_REPLACED,
                        CauseCode.RETAINED),
                row(
                        "external deleter",
                        with(ExplainedObjects.in(
                                ExplainedObjects.csi(
                                        ExplainedObjects.claimedBy(
                                                ExplainedObjects.volume("pv", "1Gi"),
                                                "data",
                                                ExplainedObjects.OTHER_UID),
                                        "ebs.csi.aws.com"),
                                PersistentVolumePhase.RELEASED)),
                        "ebs.csi.aws.com has to destroy",
                        CauseCode.EXTERNAL_DELETER),
                row(
                        "released, attached",
                        with(
                                ExplainedObjects.in(
                                        ExplainedObjects.csi(
                                                ExplainedObjects.claimedBy(
                                                        ExplainedObjects.volume("pv", "1Gi"),
                                                        "data",
                                                        ExplainedObjects.OTHER_UID),
                                                "ebs.csi.aws.com"),
                                        PersistentVolumePhase.RELEASED),
                                attachment("pv", "ebs.csi.aws.com", "n1")),
                        "to be reclaimed, but is attached to n1",
                        CauseCode.ATTACHED),
                row("reclaiming failed", with(failed("pool is gone")), "pool is gone", CauseCode.RECLAIM_FAILED),
                row(
                        "terminating, bound",
                        with(
                                ExplainedObjects.bound("pv"),
                                ExplainedObjects.deleting(owned("pv"), Finalizers.PV_PROTECTION)),
                        "claim default/data is bound",
                        CauseCode.USED_BY_CLAIM),
                row(
                        "terminating, attached",
                        with(
                                ExplainedObjects.deleting(
                                        ExplainedObjects.volume("pv", "1Gi"), "external-attacher/ebs-csi-aws-com"),
                                attachment("pv", "ebs.csi.aws.com", "n1")),
                        "attached to n1",
                        CauseCode.ATTACHED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("volumes")
    void aVolumesCausesAreNamed(String situation, List<KubernetesObject> objects, String text, List<CauseCode> codes) {
        Explanation explanation = explainer().volume(snapshot(objects), "pv").orElseThrow();
        assertThat(explanation.codes()).isEqualTo(codes);
        assertThat(ExplanationText.of(explanation)).contains(text);
    }

    private static PersistentVolume failed(String message) {
        var volume = ExplainedObjects.spec(
                ExplainedObjects.claimedBy(ExplainedObjects.volume("pv", "1Gi"), "data", ExplainedObjects.OTHER_UID),
                s -> s.withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE));
        return volume.withStatus(
                volume.status().withPhase(PersistentVolumePhase.FAILED).withMessage(message));
    }
}
