// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** What keeps a claim from the volume that it names, or was bound to. */
class NamedVolumeCausesTest extends ClaimCausesTable {
    static Stream<Arguments> situations() {
        return Stream.of(
                row(
                        "named volume missing",
                        with(ExplainedObjects.spec(ExplainedObjects.claim("1Gi"), s -> s.withVolumeName("pv"))),
                        "names volume pv, which does not exist",
                        CauseCode.NAMED_VOLUME_MISSING),
                row(
                        "named volume misspelt",
                        with(
                                ExplainedObjects.spec(ExplainedObjects.claim("1Gi"), s -> s.withVolumeName("diks")),
                                ExplainedObjects.volume("disk", "1Gi")),
                        "does not exist; did you mean disk? There are: disk.",
                        CauseCode.NAMED_VOLUME_MISSING),
                row(
                        "named volume too small",
                        with(
                                ExplainedObjects.spec(ExplainedObjects.claim("2Gi"), s -> s.withVolumeName("pv")),
                                ExplainedObjects.volume("pv", "1Gi")),
                        "too small",
                        CauseCode.NAMED_VOLUME_MISMATCH),
                row(
                        "named volume taken",
                        with(
                                ExplainedObjects.spec(ExplainedObjects.claim("1Gi"), s -> s.withVolumeName("pv")),
                                ExplainedObjects.claimedBy(
                                        ExplainedObjects.volume("pv", "1Gi"), "other", ExplainedObjects.OTHER_UID)),
                        "claimed by default/other",
                        CauseCode.NAMED_VOLUME_TAKEN),
                row(
                        "lost its reference",
                        with(ExplainedObjects.bound("")),
                        "does not name its volume",
                        CauseCode.LOST_REFERENCE),
                row(
                        "lost its volume",
                        with(ExplainedObjects.bound("pv")),
                        "pv, which does not exist any more",
                        CauseCode.LOST_VOLUME),
                row(
                        "misbound",
                        with(
                                ExplainedObjects.bound("pv"),
                                ExplainedObjects.claimedBy(
                                        ExplainedObjects.volume("pv", "1Gi"), "other", ExplainedObjects.OTHER_UID)),
                        "which another claim has now",
                        CauseCode.MISBOUND),
                row(
                        "fits, not yet written",
                        with(ExplainedObjects.claim("1Gi"), ExplainedObjects.volume("pv", "1Gi")),
                        "Nothing keeps the claim",
                        CauseCode.BIND_DUE),
                row(
                        "bound",
                        with(ExplainedObjects.bound("pv"), owned("pv")),
                        "bound to volume pv",
                        CauseCode.NOTHING_WRONG),
                row(
                        "expanding",
                        with(has("1Gi", List.of()), owned("pv")),
                        "has 1Gi and requests 2Gi",
                        CauseCode.EXPANDING),
                row(
                        "expansion failed",
                        with(
                                has(
                                        "1Gi",
                                        List.of(new Condition(
                                                "ControllerResizeError",
                                                ConditionStatus.TRUE,
                                                "",
                                                "pool is full",
                                                Optional.empty(),
                                                Optional.empty(),
                                                Optional.empty()))),
                                owned("pv")),
                        "pool is full",
                        CauseCode.EXPANSION_FAILED),
                row(
                        "terminating, used by a pod that has ended",
                        with(
                                ExplainedObjects.deleting(ExplainedObjects.bound("pv"), Finalizers.PVC_PROTECTION),
                                owned("pv"),
                                ExplainedObjects.pod("web", "n1")),
                        "web",
                        CauseCode.USED_BY_PODS),
                row(
                        "terminating, held by a backup program's finalizer",
                        with(ExplainedObjects.deleting(ExplainedObjects.claim("1Gi"), "backup.example.com/keep")),
                        "backup.example.com/keep",
                        CauseCode.HELD_BY_FINALIZER));
    }

    private static PersistentVolumeClaim has(String size, List<Condition> conditions) {
        var claim =
                ExplainedObjects.spec(ExplainedObjects.bound("pv"), s -> s.withRequestedStorage(Quantity.parse("2Gi")));
        return claim.withStatus(claim.status()
                .withAccessModes(claim.spec().accessModes())
                .withCapacity(Map.of("storage", Quantity.parse(size)))
                .withConditions(conditions));
    }
}
