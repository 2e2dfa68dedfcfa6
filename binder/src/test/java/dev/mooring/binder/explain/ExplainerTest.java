// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CSINodeDriverAllocatable;
import dev.mooring.storage.model.CSINodeSpec;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.TypedObjectReference;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each situation has exactly the causes that apply, the true one first. */
class ExplainerTest {
    private static final VolumeBindingMode NOW = VolumeBindingMode.IMMEDIATE;
    private static final VolumeBindingMode LATER = VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER;

    private static Arguments row(String situation, List<KubernetesObject> objects, String text, CauseCode... codes) {
        return Arguments.of(situation, objects, text, List.of(codes));
    }

    private static List<KubernetesObject> with(KubernetesObject... objects) {
        return List.of(objects);
    }

    static Stream<Arguments> matching() {
        return Stream.of(
                row("no volume at all", with(World.claim("1Gi")), "no volumes", CauseCode.NO_FREE_VOLUME),
                row("all volumes in use", with(World.claim("1Gi"), inUse("used")), "in use", CauseCode.NO_FREE_VOLUME),
                row(
                        "too small by one byte",
                        with(World.claim("1Gi"), World.volume("pv", "1073741823")),
                        "too small by 1 byte",
                        CauseCode.TOO_SMALL),
                row(
                        "class differs",
                        with(
                                World.claim("1Gi"),
                                World.spec(
                                        World.volume("pv", "1Gi"), s -> s.withStorageClassName(Optional.of("gold")))),
                        "storage class is gold and the claim wants none",
                        CauseCode.STORAGE_CLASS),
                row(
                        "access mode",
                        with(
                                World.spec(
                                        World.claim("1Gi"),
                                        s -> s.withAccessModes(List.of(AccessMode.READ_WRITE_MANY))),
                                World.volume("pv", "1Gi")),
                        "access modes is ReadWriteOnce and the claim wants ReadWriteMany",
                        CauseCode.ACCESS_MODES),
                row(
                        "volume mode",
                        with(
                                World.spec(World.claim("1Gi"), s -> s.withVolumeMode(Optional.of(VolumeMode.BLOCK))),
                                World.volume("pv", "1Gi")),
                        "volume mode is Filesystem and the claim wants Block",
                        CauseCode.VOLUME_MODE),
                row(
                        "volume attributes class",
                        with(
                                World.spec(
                                        World.claim("1Gi"), s -> s.withVolumeAttributesClassName(Optional.of("fast"))),
                                World.volume("pv", "1Gi")),
                        "volume attributes class is none and the claim wants fast",
                        CauseCode.ATTRIBUTES_CLASS),
                row(
                        "selector",
                        with(
                                World.spec(
                                        World.claim("1Gi"),
                                        s -> s.withSelector(
                                                Optional.of(new LabelSelector(Map.of("zone", "a"), List.of())))),
                                World.volume("pv", "1Gi")),
                        "selector wants {zone=a} and its labels are {}",
                        CauseCode.SELECTOR),
                row(
                        "invalid selector",
                        with(
                                World.spec(
                                        World.claim("1Gi"),
                                        s -> s.withSelector(Optional.of(new LabelSelector(
                                                Map.of(),
                                                List.of(new LabelSelectorRequirement("zone", "Near", List.of())))))),
                                World.volume("pv", "1Gi")),
                        "Near",
                        CauseCode.SELECTOR_INVALID),
                row(
                        "released by an older claim of another name",
                        with(
                                World.claim("1Gi"),
                                World.in(
                                        World.claimedBy(World.volume("pv", "1Gi"), "old", World.OTHER_UID),
                                        PersistentVolumePhase.RELEASED)),
                        "default/old, which has gone",
                        CauseCode.RELEASED),
                row(
                        "released by an older claim of the same name",
                        with(
                                World.claim("1Gi"),
                                World.in(
                                        World.claimedBy(World.volume("pv", "1Gi"), "data", World.OTHER_UID),
                                        PersistentVolumePhase.RELEASED)),
                        "default/data, which has gone",
                        CauseCode.RELEASED),
                row(
                        "pre-bound to someone else",
                        with(World.claim("1Gi"), World.claimedBy(World.volume("pv", "1Gi"), "other", "")),
                        "kept for claim default/other",
                        CauseCode.PRE_BOUND),
                row(
                        "volume terminating",
                        with(World.claim("1Gi"), World.deleting(World.volume("pv", "1Gi"), Finalizers.PV_PROTECTION)),
                        "is being deleted",
                        CauseCode.VOLUME_TERMINATING),
                row(
                        "volume being reclaimed",
                        with(
                                World.claim("1Gi"),
                                World.annotated(World.volume("pv", "1Gi"), Annotations.RECLAIMING, "x")),
                        "being reclaimed",
                        CauseCode.VOLUME_RECLAIMING),
                row(
                        "volume failed",
                        with(World.claim("1Gi"), World.in(World.volume("pv", "1Gi"), PersistentVolumePhase.FAILED)),
                        "phase is Failed",
                        CauseCode.VOLUME_NOT_AVAILABLE),
                row(
                        "several rules exclude every volume",
                        with(
                                World.claim("2Gi"),
                                World.spec(
                                        World.volume("pv", "1Gi"), s -> s.withStorageClassName(Optional.of("gold")))),
                        "more than one way",
                        CauseCode.NO_VOLUME_FITS),
                row(
                        "no default class",
                        with(
                                World.spec(World.claim("2Gi"), s -> s.withStorageClassName(Optional.empty())),
                                World.volume("pv", "1Gi")),
                        "too small",
                        CauseCode.TOO_SMALL,
                        CauseCode.NO_DEFAULT_CLASS),
                row(
                        "negative request",
                        with(World.claim("-1Gi"), World.volume("pv", "1Gi")),
                        "must be greater than zero",
                        CauseCode.INVALID));
    }

    static Stream<Arguments> classes() {
        return Stream.of(
                row(
                        "class does not exist",
                        with(World.ofClass("gold")),
                        "Storage class gold does not exist",
                        CauseCode.CLASS_NOT_FOUND,
                        CauseCode.NO_FREE_VOLUME),
                row(
                        "class without binding mode",
                        with(
                                World.ofClass("gold"),
                                StorageClass.of("gold", "x.example.com").withVolumeBindingMode(Optional.empty())),
                        "no volumeBindingMode",
                        CauseCode.CLASS_WITHOUT_BINDING_MODE),
                row(
                        "class without provisioner, volume too small",
                        with(
                                World.ofClass("local"),
                                World.storageClass("local", "kubernetes.io/no-provisioner", NOW),
                                World.spec(
                                        World.volume("pv", "1Mi"), s -> s.withStorageClassName(Optional.of("local")))),
                        "too small",
                        CauseCode.TOO_SMALL,
                        CauseCode.NO_PROVISIONER),
                row(
                        "plugin that does not exist here",
                        with(World.ofClass("old"), World.storageClass("old", "kubernetes.io/glusterfs", NOW)),
                        "kubernetes.io/glusterfs",
                        CauseCode.PROVISIONER_UNKNOWN),
                row(
                        "external provisioner silent for an hour",
                        with(
                                World.ofClass("ebs"),
                                World.storageClass("ebs", "ebs.csi.aws.com", NOW),
                                World.volume("pv", "1Gi")),
                        "ebs.csi.aws.com has to make the volume, for 60 min now, and has said nothing",
                        CauseCode.EXTERNAL_PROVISIONER),
                row(
                        "in-tree plugin that a CSI driver took over",
                        with(
                                World.annotated(
                                        World.ofClass("ebs"), Annotations.STORAGE_PROVISIONER, "kubernetes.io/aws-ebs"),
                                World.storageClass("ebs", "kubernetes.io/aws-ebs", NOW)),
                        "ebs.csi.aws.com has to make the volume",
                        CauseCode.EXTERNAL_PROVISIONER),
                row(
                        "waiting for the first consumer",
                        with(World.ofClass("wait"), World.storageClass("wait", "ebs.csi.aws.com", LATER)),
                        "no pod does",
                        CauseCode.WAITING_FOR_CONSUMER),
                row(
                        "waiting for the scheduler",
                        with(
                                World.ofClass("wait"),
                                World.storageClass("wait", "ebs.csi.aws.com", LATER),
                                World.pod("web", "")),
                        "waiting for pod web",
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "node affinity that no node satisfies",
                        with(
                                World.ofClass("local"),
                                World.storageClass("local", "kubernetes.io/no-provisioner", LATER),
                                World.pod("web", ""),
                                World.node("n2"),
                                World.reachedFrom(
                                        World.spec(
                                                World.volume("pv", "1Gi"),
                                                s -> s.withStorageClassName(Optional.of("local"))),
                                        "n1")),
                        "kubernetes.io/hostname In [n1] (nodes have [n2])",
                        CauseCode.NODE_AFFINITY,
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "attach limit of every node reached",
                        with(
                                World.ofClass("ebs"),
                                World.storageClass("ebs", "ebs.csi.aws.com", LATER),
                                World.pod("web", ""),
                                World.node("n1"),
                                csiNode("n1", "ebs.csi.aws.com", 1),
                                attachment("a", "ebs.csi.aws.com", "n1")),
                        "as many volumes of driver ebs.csi.aws.com",
                        CauseCode.ATTACH_LIMIT,
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "topology of the class",
                        with(World.ofClass("zonal"), zonal(), World.pod("web", ""), World.node("n1")),
                        "where no node is",
                        CauseCode.TOPOLOGY,
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "selected node gone",
                        with(
                                World.annotated(World.ofClass("wait"), Annotations.SELECTED_NODE, "n1"),
                                World.storageClass("wait", "ebs.csi.aws.com", LATER),
                                World.node("n2")),
                        "",
                        CauseCode.SELECTED_NODE_GONE),
                row(
                        "external populator",
                        with(
                                World.spec(
                                        World.ofClass("toy"),
                                        s -> s.withDataSourceRef(Optional.of(
                                                new TypedObjectReference("x.example.com", "Image", "debian", "")))),
                                World.storageClass("toy", "ebs.csi.aws.com", NOW)),
                        "ebs.csi.aws.com",
                        CauseCode.EXTERNAL_PROVISIONER));
    }

    static Stream<Arguments> named() {
        return Stream.of(
                row(
                        "named volume missing",
                        with(World.spec(World.claim("1Gi"), s -> s.withVolumeName("pv"))),
                        "names volume pv, which does not exist",
                        CauseCode.NAMED_VOLUME_MISSING),
                row(
                        "named volume too small",
                        with(World.spec(World.claim("2Gi"), s -> s.withVolumeName("pv")), World.volume("pv", "1Gi")),
                        "too small",
                        CauseCode.NAMED_VOLUME_MISMATCH),
                row(
                        "named volume taken",
                        with(
                                World.spec(World.claim("1Gi"), s -> s.withVolumeName("pv")),
                                World.claimedBy(World.volume("pv", "1Gi"), "other", World.OTHER_UID)),
                        "claimed by default/other",
                        CauseCode.NAMED_VOLUME_TAKEN),
                row("lost its reference", with(World.bound("")), "does not name its volume", CauseCode.LOST_REFERENCE),
                row(
                        "lost its volume",
                        with(World.bound("pv")),
                        "pv, which does not exist any more",
                        CauseCode.LOST_VOLUME),
                row(
                        "misbound",
                        with(World.bound("pv"), World.claimedBy(World.volume("pv", "1Gi"), "other", World.OTHER_UID)),
                        "which another claim has got",
                        CauseCode.MISBOUND),
                row(
                        "fits, not yet written",
                        with(World.claim("1Gi"), World.volume("pv", "1Gi")),
                        "Nothing keeps the claim",
                        CauseCode.BIND_DUE),
                row("bound", with(World.bound("pv"), owned("pv")), "bound to volume pv", CauseCode.NOTHING_WRONG),
                row(
                        "expanding",
                        with(has("1Gi", List.of()), owned("pv")),
                        "has 1Gi and wants 2Gi",
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
                                World.deleting(World.bound("pv"), Finalizers.PVC_PROTECTION),
                                owned("pv"),
                                World.pod("web", "n1")),
                        "web",
                        CauseCode.USED_BY_PODS),
                row(
                        "terminating, held by somebody's finalizer",
                        with(World.deleting(World.claim("1Gi"), "backup.example.com/keep")),
                        "backup.example.com/keep",
                        CauseCode.HELD_BY_FINALIZER));
    }

    static Stream<Arguments> consumers() {
        KubernetesObject local = World.storageClass("local", "kubernetes.io/no-provisioner", LATER);
        PersistentVolumeClaim claim = World.ofClass("local");
        PersistentVolume fits =
                World.spec(World.volume("pv", "1Gi"), s -> s.withStorageClassName(Optional.of("local")));
        Pod ended = World.pod("web", "");
        return Stream.of(
                row(
                        "a default class that claims have not got yet",
                        with(
                                World.spec(World.claim("1Gi"), s -> s.withStorageClassName(Optional.empty())),
                                byDefault(World.storageClass("std", "ebs.csi.aws.com", NOW))),
                        "Rule U5",
                        CauseCode.BIND_DUE),
                row(
                        "the only consumer has ended",
                        with(claim, local, ended.withStatus(ended.status().withPhase(PodPhase.SUCCEEDED))),
                        "no pod does",
                        CauseCode.WAITING_FOR_CONSUMER),
                row(
                        "the consumer was placed past the scheduler",
                        with(claim, local, World.pod("web", "n1")),
                        Annotations.SELECTED_NODE + "=n1",
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "a consumer, but the only local volume is too small",
                        with(
                                World.spec(claim, s -> s.withRequestedStorage(Quantity.parse("2Gi"))),
                                local,
                                World.pod("web", ""),
                                fits),
                        "too small by 1073741824 bytes",
                        CauseCode.TOO_SMALL,
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "the selected node does not reach the volume that fits",
                        with(
                                World.annotated(claim, Annotations.SELECTED_NODE, "n2"),
                                local,
                                World.node("n2"),
                                World.reachedFrom(fits, "n1")),
                        "node n2, which was selected, reaches none",
                        CauseCode.NODE_AFFINITY),
                row(
                        "only malformed volumes",
                        with(World.claim("1Gi"), World.volume("pv", "0")),
                        "malformed",
                        CauseCode.NO_FREE_VOLUME),
                row(
                        "kept for an older claim of the same name",
                        with(
                                World.claim("1Gi"),
                                World.in(
                                        World.claimedBy(World.volume("pv", "1Gi"), "data", World.OTHER_UID),
                                        PersistentVolumePhase.RELEASED)),
                        "claim is default/data (uid " + World.OTHER_UID + "), wanted default/data (uid " + World.UID,
                        CauseCode.RELEASED),
                row(
                        "selector by expression",
                        with(
                                World.spec(
                                        World.claim("1Gi"),
                                        s -> s.withSelector(Optional.of(new LabelSelector(
                                                Map.of(),
                                                List.of(new LabelSelectorRequirement("zone", "In", List.of("a"))))))),
                                World.volume("pv", "1Gi")),
                        "selector wants zone In [a] and its labels are {}",
                        CauseCode.SELECTOR));
    }

    private static StorageClass byDefault(StorageClass storageClass) {
        return storageClass.withMetadata(storageClass.metadata().withAnnotation(Annotations.IS_DEFAULT_CLASS, "true"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"matching", "classes", "named", "consumers"})
    void aClaimsCausesAreNamed(String situation, List<KubernetesObject> objects, String text, List<CauseCode> codes) {
        Explanation explanation = claim(objects);
        assertThat(explanation.codes()).isEqualTo(codes);
        assertThat(ExplanationText.of(explanation)).contains(text);
        assertThat(ExplanationDocument.of(explanation).asMap()).containsEntry("name", "data");
    }

    static Stream<Arguments> volumes() {
        return Stream.of(
                row("free", with(World.volume("pv", "1Gi")), "is free", CauseCode.NOTHING_WRONG),
                row(
                        "kept for a claim to come",
                        with(World.claimedBy(World.volume("pv", "1Gi"), "data", "")),
                        "does not exist yet",
                        CauseCode.WAITING_FOR_CLAIM),
                row("bound", with(World.bound("pv"), owned("pv")), "bound to claim", CauseCode.NOTHING_WRONG),
                row(
                        "being given back",
                        with(World.bound("other"), owned("pv")),
                        "has got volume other",
                        CauseCode.BIND_DUE),
                row(
                        "retained",
                        with(World.in(
                                World.claimedBy(World.volume("pv", "1Gi"), "data", World.OTHER_UID),
                                PersistentVolumePhase.RELEASED)),
                        "policy Retain keeps",
                        CauseCode.RETAINED),
                row(
                        "its claim was made again",
                        with(
                                World.claim("1Gi"),
                                World.in(
                                        World.claimedBy(World.volume("pv", "1Gi"), "data", World.OTHER_UID),
                                        PersistentVolumePhase.RELEASED)),
                        World.OTHER_UID,
                        CauseCode.CLAIM_REPLACED,
                        CauseCode.RETAINED),
                row(
                        "external deleter",
                        with(World.in(
                                World.csi(
                                        World.claimedBy(World.volume("pv", "1Gi"), "data", World.OTHER_UID),
                                        "ebs.csi.aws.com"),
                                PersistentVolumePhase.RELEASED)),
                        "ebs.csi.aws.com has to destroy",
                        CauseCode.EXTERNAL_DELETER),
                row(
                        "released, attached",
                        with(
                                World.in(
                                        World.csi(
                                                World.claimedBy(World.volume("pv", "1Gi"), "data", World.OTHER_UID),
                                                "ebs.csi.aws.com"),
                                        PersistentVolumePhase.RELEASED),
                                attachment("pv", "ebs.csi.aws.com", "n1")),
                        "to be reclaimed, but is attached to n1",
                        CauseCode.ATTACHED),
                row("reclaiming failed", with(failed("pool is gone")), "pool is gone", CauseCode.RECLAIM_FAILED),
                row(
                        "terminating, bound",
                        with(World.bound("pv"), World.deleting(owned("pv"), Finalizers.PV_PROTECTION)),
                        "claim default/data is bound",
                        CauseCode.USED_BY_CLAIM),
                row(
                        "terminating, attached",
                        with(
                                World.deleting(World.volume("pv", "1Gi"), "external-attacher/ebs-csi-aws-com"),
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

    @Test
    void everyVolumeIsCountedOnceAndTheNearestComeFirst() {
        List<KubernetesObject> objects = new ArrayList<>(List.of(World.claim("8Gi")));
        for (int i = 0; i < 5; i++) {
            objects.add(World.volume("small" + i, (i + 1) + "Gi"));
        }
        for (int i = 0; i < 4; i++) {
            objects.add(World.spec(World.volume("gold" + i, "8Gi"), s -> s.withStorageClassName(Optional.of("gold"))));
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
        List<KubernetesObject> objects = new ArrayList<>(List.of(World.claim("8Gi")));
        for (int i = 0; i < 1000; i++) {
            objects.add(World.spec(World.volume("gold" + i, "8Gi"), s -> s.withStorageClassName(Optional.of("gold"))));
            objects.add(World.in(
                    World.claimedBy(World.volume("old" + i, "8Gi"), "old" + i, World.OTHER_UID),
                    PersistentVolumePhase.RELEASED));
        }
        Explanation explanation = claim(objects);
        assertThat(explanation.codes()).containsExactlyInAnyOrder(CauseCode.STORAGE_CLASS, CauseCode.RELEASED);
        assertThat(explanation.remedies()).hasSize(2);
    }

    @Test
    void aMalformedVolumeIsSaidToBeMalformed() {
        PersistentVolume empty = World.volume("pv", "0");
        Explanation ofVolume =
                explainer().volume(snapshot(List.of(empty)), "pv").orElseThrow();
        assertThat(ofVolume.codes()).containsExactly(CauseCode.INVALID);
        Explanation ofClaim = claim(with(World.spec(World.claim("1Gi"), s -> s.withVolumeName("pv")), empty));
        assertThat(ofClaim.codes()).containsExactly(CauseCode.NAMED_VOLUME_MISMATCH);
        assertThat(ExplanationText.of(ofClaim)).contains("spec.capacity");
    }

    @Test
    void aBoundClaimWhoseVolumeIsBeingReclaimedIsToldSo() {
        PersistentVolume marked = World.annotated(World.volume("pv", "1Gi"), Annotations.RECLAIMING, World.OTHER_UID);
        Explanation explanation = claim(with(World.bound("pv"), marked));
        assertThat(explanation.codes()).containsExactly(CauseCode.NAMED_VOLUME_MISMATCH);
        assertThat(explanation.causes().get(0).text()).contains("being reclaimed");
    }

    @Test
    void provisioningThatIsSwitchedOffIsSaid() {
        BinderOptions off = BinderOptions.DEFAULT.without(BinderSwitch.DYNAMIC_PROVISIONING);
        List<KubernetesObject> objects = with(World.ofClass("ebs"), World.storageClass("ebs", "ebs.csi.aws.com", NOW));
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

    private static Explanation claim(List<KubernetesObject> objects) {
        return explainer()
                .claim(snapshot(objects), ObjectKey.of("default", "data"))
                .orElseThrow();
    }

    private static Explainer explainer() {
        return new Explainer(BinderOptions.DEFAULT, PluginRegistry.EMPTY);
    }

    private static Snapshot snapshot(List<KubernetesObject> objects) {
        return Snapshot.of(objects, World.START.plus(Duration.ofHours(1)));
    }

    // ---- rarer objects ----

    private static dev.mooring.storage.model.PersistentVolume inUse(String name) {
        return World.in(
                World.claimedBy(World.volume(name, "8Gi"), "user", World.OTHER_UID), PersistentVolumePhase.BOUND);
    }

    private static dev.mooring.storage.model.PersistentVolume owned(String name) {
        return World.in(World.claimedBy(World.volume(name, "1Gi"), "data", World.UID), PersistentVolumePhase.BOUND);
    }

    private static dev.mooring.storage.model.PersistentVolume failed(String message) {
        var volume = World.spec(
                World.claimedBy(World.volume("pv", "1Gi"), "data", World.OTHER_UID),
                s -> s.withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE));
        return volume.withStatus(
                volume.status().withPhase(PersistentVolumePhase.FAILED).withMessage(message));
    }

    private static dev.mooring.storage.model.PersistentVolumeClaim has(String size, List<Condition> conditions) {
        var claim = World.spec(World.bound("pv"), s -> s.withRequestedStorage(Quantity.parse("2Gi")));
        return claim.withStatus(claim.status()
                .withAccessModes(claim.spec().accessModes())
                .withCapacity(Map.of("storage", Quantity.parse(size)))
                .withConditions(conditions));
    }

    private static StorageClass zonal() {
        StorageClass storageClass = World.storageClass("zonal", "ebs.csi.aws.com", LATER);
        return storageClass.withAllowedTopologies(List.of(Document.of(Map.of(
                "matchLabelExpressions",
                List.of(Map.of("key", "topology.kubernetes.io/zone", "values", List.of("a")))))));
    }

    private static CSINode csiNode(String node, String driver, long count) {
        return new CSINode(
                ObjectMeta.named(node),
                new CSINodeSpec(List.of(new CSINodeDriver(
                        driver, node, List.of(), Optional.of(new CSINodeDriverAllocatable(Optional.of(count)))))));
    }

    private static VolumeAttachment attachment(String volume, String driver, String node) {
        return new VolumeAttachment(
                ObjectMeta.named("csi-" + volume),
                new VolumeAttachmentSpec(
                        driver, node, new VolumeAttachmentSource(Optional.of(volume), Optional.empty())),
                VolumeAttachmentStatus.EMPTY);
    }
}
