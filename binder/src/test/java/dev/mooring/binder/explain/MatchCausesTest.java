// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.VolumeMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** What keeps a claim from the volumes that there are. */
class MatchCausesTest extends ClaimCausesTable {
    static Stream<Arguments> situations() {
        return Stream.of(
                row("no volume at all", with(ExplainedObjects.claim("1Gi")), "no volumes", CauseCode.NO_FREE_VOLUME),
                row(
                        "all volumes in use",
                        with(ExplainedObjects.claim("1Gi"), inUse("used")),
                        "in use",
                        CauseCode.NO_FREE_VOLUME),
                row(
                        "too small by one byte",
                        with(ExplainedObjects.claim("1Gi"), ExplainedObjects.volume("pv", "1073741823")),
                        "is 1 byte short",
                        CauseCode.TOO_SMALL),
                row(
                        "class differs",
                        with(
                                ExplainedObjects.claim("1Gi"),
                                ExplainedObjects.spec(
                                        ExplainedObjects.volume("pv", "1Gi"),
                                        s -> s.withStorageClassName(Optional.of("gold")))),
                        "storage class is gold and the claim requests none",
                        CauseCode.STORAGE_CLASS),
                row(
                        "access mode",
                        with(
                                ExplainedObjects.spec(
                                        ExplainedObjects.claim("1Gi"),
                                        s -> s.withAccessModes(List.of(AccessMode.READ_WRITE_MANY))),
                                ExplainedObjects.volume("pv", "1Gi")),
                        "access modes is ReadWriteOnce and the claim requests ReadWriteMany",
                        CauseCode.ACCESS_MODES),
                row(
                        "volume mode",
                        with(
                                ExplainedObjects.spec(
                                        ExplainedObjects.claim("1Gi"),
                                        s -> s.withVolumeMode(Optional.of(VolumeMode.BLOCK))),
                                ExplainedObjects.volume("pv", "1Gi")),
                        "volume mode is Filesystem and the claim requests Block",
                        CauseCode.VOLUME_MODE),
                row(
                        "volume attributes class",
                        with(
                                ExplainedObjects.spec(
                                        ExplainedObjects.claim("1Gi"),
                                        s -> s.withVolumeAttributesClassName(Optional.of("fast"))),
                                ExplainedObjects.volume("pv", "1Gi")),
                        "volume attributes class is none and the claim requests fast",
                        CauseCode.ATTRIBUTES_CLASS),
                row(
                        "selector",
                        with(
                                ExplainedObjects.spec(
                                        ExplainedObjects.claim("1Gi"),
                                        s -> s.withSelector(
                                                Optional.of(new LabelSelector(Map.of("zone", "a"), List.of())))),
                                ExplainedObjects.volume("pv", "1Gi")),
                        "selector requires {zone=a} and its labels are {}",
                        CauseCode.SELECTOR),
                row(
                        "invalid selector",
                        with(
                                ExplainedObjects.spec(
                                        ExplainedObjects.claim("1Gi"),
                                        s -> s.withSelector(Optional.of(new LabelSelector(
                                                Map.of(),
                                                List.of(new LabelSelectorRequirement("zone", "Near", List.of())))))),
                                ExplainedObjects.volume("pv", "1Gi")),
                        "Near",
                        CauseCode.SELECTOR_INVALID),
                row(
                        "released by an older claim of another name",
                        with(
                                ExplainedObjects.claim("1Gi"),
                                ExplainedObjects.in(
                                        ExplainedObjects.claimedBy(
                                                ExplainedObjects.volume("pv", "1Gi"),
                                                "old",
                                                ExplainedObjects.OTHER_UID),
                                        PersistentVolumePhase.RELEASED)),
                        "default/old, which was deleted",
                        CauseCode.RELEASED),
                row(
                        "released by an older claim of the same name",
                        with(
                                ExplainedObjects.claim("1Gi"),
                                ExplainedObjects.in(
                                        ExplainedObjects.claimedBy(
                                                ExplainedObjects.volume("pv", "1Gi"),
                                                "data",
                                                ExplainedObjects.OTHER_UID),
                                        PersistentVolumePhase.RELEASED)),
                        "default/data, which was deleted",
                        CauseCode.RELEASED),
                row(
                        "pre-bound to another claim",
                        with(
                                ExplainedObjects.claim("1Gi"),
                                ExplainedObjects.claimedBy(ExplainedObjects.volume("pv", "1Gi"), "other", "")),
                        "kept for claim default/other",
                        CauseCode.PRE_BOUND),
                row(
                        "volume terminating",
                        with(
                                ExplainedObjects.claim("1Gi"),
                                ExplainedObjects.deleting(
                                        ExplainedObjects.volume("pv", "1Gi"), Finalizers.PV_PROTECTION)),
                        "is being deleted",
                        CauseCode.VOLUME_TERMINATING),
                row(
                        "volume being reclaimed",
                        with(
                                ExplainedObjects.claim("1Gi"),
                                ExplainedObjects.annotated(
                                        ExplainedObjects.volume("pv", "1Gi"), Annotations.RECLAIMING, "x")),
                        "being reclaimed",
                        CauseCode.VOLUME_RECLAIMING),
                row(
                        "volume failed",
                        with(
                                ExplainedObjects.claim("1Gi"),
                                ExplainedObjects.in(
                                        ExplainedObjects.volume("pv", "1Gi"), PersistentVolumePhase.FAILED)),
                        "phase is Failed",
                        CauseCode.VOLUME_NOT_AVAILABLE),
                row(
                        "several rules exclude every volume",
                        with(
                                ExplainedObjects.claim("2Gi"),
                                ExplainedObjects.spec(
                                        ExplainedObjects.volume("pv", "1Gi"),
                                        s -> s.withStorageClassName(Optional.of("gold")))),
                        "more than one way",
                        CauseCode.NO_VOLUME_FITS),
                row(
                        "no default class",
                        with(
                                ExplainedObjects.spec(
                                        ExplainedObjects.claim("2Gi"), s -> s.withStorageClassName(Optional.empty())),
                                ExplainedObjects.volume("pv", "1Gi")),
                        "short",
                        CauseCode.TOO_SMALL,
                        CauseCode.NO_DEFAULT_CLASS),
                row(
                        "negative request",
                        with(ExplainedObjects.claim("-1Gi"), ExplainedObjects.volume("pv", "1Gi")),
                        "must be greater than zero",
                        CauseCode.INVALID));
    }
}
