// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** What a claim waits for whose class waits for a consumer. */
class ConsumerCausesTest extends ClaimCausesTable {
    static Stream<Arguments> situations() {
        KubernetesObject local = ExplainedObjects.storageClass("local", "kubernetes.io/no-provisioner", LATER);
        PersistentVolumeClaim claim = ExplainedObjects.ofClass("local");
        PersistentVolume fits = ExplainedObjects.spec(
                ExplainedObjects.volume("pv", "1Gi"), s -> s.withStorageClassName(Optional.of("local")));
        Pod ended = ExplainedObjects.pod("web", "");
        return Stream.of(
                row(
                        "a default class that claims have not got yet",
                        with(
                                ExplainedObjects.spec(
                                        ExplainedObjects.claim("1Gi"), s -> s.withStorageClassName(Optional.empty())),
                                byDefault(ExplainedObjects.storageClass("std", "ebs.csi.aws.com", NOW))),
                        "Rule U5",
                        CauseCode.BIND_DUE),
                row(
                        "the only consumer has ended",
                        with(claim, local, ended.withStatus(ended.status().withPhase(PodPhase.SUCCEEDED))),
                        "no pod does",
                        CauseCode.WAITING_FOR_CONSUMER),
                row(
                        "the consumer was placed past the scheduler",
                        with(claim, local, ExplainedObjects.pod("web", "n1")),
                        Annotations.SELECTED_NODE + "\":\"n1\"",
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "a consumer, but the only local volume is too small",
                        with(
                                ExplainedObjects.spec(claim, s -> s.withRequestedStorage(Quantity.parse("2Gi"))),
                                local,
                                ExplainedObjects.pod("web", ""),
                                fits),
                        "is 1Gi short",
                        CauseCode.TOO_SMALL,
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "the selected node does not reach the volume that fits",
                        with(
                                ExplainedObjects.annotated(claim, Annotations.SELECTED_NODE, "n2"),
                                local,
                                ExplainedObjects.node("n2"),
                                ExplainedObjects.reachedFrom(fits, "n1")),
                        "node n2, which was selected, reaches none",
                        CauseCode.NODE_AFFINITY),
                row(
                        "only malformed volumes",
                        with(ExplainedObjects.claim("1Gi"), ExplainedObjects.volume("pv", "0")),
                        "malformed",
                        CauseCode.NO_FREE_VOLUME),
                row(
                        "kept for an older claim of the same name",
                        with(
                                ExplainedObjects.claim("1Gi"),
                                ExplainedObjects.in(
                                        ExplainedObjects.claimedBy(
                                                ExplainedObjects.volume("pv", "1Gi"),
                                                "data",
                                                ExplainedObjects.OTHER_UID),
                                        PersistentVolumePhase.RELEASED)),
                        "claim is default/data (uid " + ExplainedObjects.OTHER_UID + "), wanted default/data (uid "
                                + ExplainedObjects.UID,
                        CauseCode.RELEASED),
                row(
                        "selector by expression",
                        with(
                                ExplainedObjects.spec(
                                        ExplainedObjects.claim("1Gi"),
                                        s -> s.withSelector(Optional.of(new LabelSelector(
                                                Map.of(),
                                                List.of(new LabelSelectorRequirement("zone", "In", List.of("a"))))))),
                                ExplainedObjects.volume("pv", "1Gi")),
                        "selector requires zone In [a] and its labels are {}",
                        CauseCode.SELECTOR));
    }

    private static StorageClass byDefault(StorageClass storageClass) {
        return storageClass.withMetadata(storageClass.metadata().withAnnotation(Annotations.IS_DEFAULT_CLASS, "true"));
    }
}
