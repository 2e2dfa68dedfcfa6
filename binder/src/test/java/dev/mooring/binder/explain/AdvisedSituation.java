// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.control.FollowedWorld;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.TypedObjectReference;
import dev.mooring.storage.model.VolumeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * A situation that is explained and in which the advice is followed.
 *
 * @param volume the volume that is asked about; empty for claim {@code default/data}
 */
record AdvisedSituation(
        String name,
        List<KubernetesObject> objects,
        Optional<String> volume,
        BinderOptions options,
        PluginRegistry plugins) {
    static final ObjectKey ASKER = ObjectKey.of("default", "data");
    private static final String GONE = "00000000-0000-4000-8000-00000000000c";

    /** Those of the tables of causes, and those that only advice tells apart. */
    static List<AdvisedSituation> all() {
        List<AdvisedSituation> all = new ArrayList<>();
        Stream.of(
                        MatchCausesTest.situations(),
                        NamedVolumeCausesTest.situations(),
                        ProvisioningCausesTest.situations(),
                        ConsumerCausesTest.situations())
                .flatMap(rows -> rows)
                .map(row -> of(row, Optional.empty()))
                .forEach(all::add);
        VolumeCausesTest.volumes().map(row -> of(row, Optional.of("pv"))).forEach(all::add);
        all.addAll(predecessors());
        all.addAll(others());
        all.addAll(ofPlugins());
        all.addAll(moments());
        return all;
    }

    @SuppressWarnings("unchecked") // rows of tables
    private static AdvisedSituation of(Arguments row, Optional<String> volume) {
        return new AdvisedSituation(
                (String) row.get()[0],
                (List<KubernetesObject>) row.get()[1],
                volume,
                BinderOptions.DEFAULT,
                PluginRegistry.EMPTY);
    }

    private static AdvisedSituation claim(String name, KubernetesObject... objects) {
        return new AdvisedSituation(
                name, List.of(objects), Optional.empty(), BinderOptions.DEFAULT, PluginRegistry.EMPTY);
    }

    private AdvisedSituation askedOfTheVolume() {
        return new AdvisedSituation(name + ", asked of the volume", objects, Optional.of("pv"), options, plugins);
    }

    /** Claims that were deleted and made again under their names. */
    private static List<AdvisedSituation> predecessors() {
        PersistentVolume old = released("data");
        PersistentVolume manual = ExplainedObjects.spec(old, spec -> spec.withStorageClassName(Optional.of("man")));
        PersistentVolumeClaim named =
                ExplainedObjects.spec(ExplainedObjects.claim("1Gi"), spec -> spec.withVolumeName("pv"));
        PersistentVolumeClaim lost = ExplainedObjects.bound("pv")
                .withStatus(ExplainedObjects.bound("pv").status().withPhase(ClaimPhase.LOST));
        List<AdvisedSituation> claims = List.of(
                claim(
                        "made again, of a class that makes nothing",
                        ExplainedObjects.ofClass("man"),
                        ExplainedObjects.storageClass("man", "kubernetes.io/no-provisioner", ExplainerWorld.NOW),
                        manual),
                claim(
                        "made again, of a class that waits for a pod",
                        ExplainedObjects.ofClass("man"),
                        ExplainedObjects.storageClass("man", "kubernetes.io/no-provisioner", ExplainerWorld.LATER),
                        manual),
                claim(
                        "made again, of a class whose provisioner is silent",
                        ExplainedObjects.ofClass("man"),
                        ExplainedObjects.storageClass("man", "ebs.csi.aws.com", ExplainerWorld.NOW),
                        manual),
                claim(
                        "made again, and its volume still shows Bound",
                        ExplainedObjects.claim("1Gi"),
                        ExplainedObjects.in(old, PersistentVolumePhase.BOUND)),
                claim("made again with volumeName", named, old),
                claim("restored as bound", ExplainedObjects.bound("pv"), old),
                claim("restored as Lost", lost, old),
                claim("restored as bound without volumeName", ExplainedObjects.bound(""), old),
                claim("made again, larger", ExplainedObjects.claim("2Gi"), old),
                claim(
                        "made again with volumeName, larger",
                        ExplainedObjects.spec(named, spec -> spec.withRequestedStorage(Quantity.parse("2Gi"))),
                        old),
                claim(
                        "made again, of another class, larger and with a free volume that is too small",
                        ExplainedObjects.claim("2Gi"),
                        manual,
                        ExplainedObjects.volume("small", "1Mi")),
                claim(
                        "made again, policy Delete, the deleter is silent",
                        ExplainedObjects.claim("1Gi"),
                        ExplainedObjects.csi(old, "ebs.csi.aws.com")),
                claim(
                        "made again, policy became Retain too late",
                        ExplainedObjects.claim("1Gi"),
                        ExplainedObjects.annotated(old, Annotations.RECLAIMING, GONE)),
                claim(
                        "made again twice",
                        ExplainedObjects.claim("1Gi"),
                        old,
                        ExplainedObjects.claimedBy(
                                ExplainedObjects.in(
                                        ExplainedObjects.volume("pv1", "1Gi"), PersistentVolumePhase.RELEASED),
                                "data",
                                GONE)),
                claim(
                        "made again, and its pod waits",
                        ExplainedObjects.claim("1Gi"),
                        old,
                        ExplainedObjects.pod("web", "n1")));
        List<AdvisedSituation> all = new ArrayList<>(claims);
        claims.forEach(one -> all.add(one.askedOfTheVolume()));
        return all;
    }

    /** What belongs to a claim of another name. */
    private static List<AdvisedSituation> others() {
        PersistentVolume estate = released("yesterday");
        PersistentVolumeClaim named =
                ExplainedObjects.spec(ExplainedObjects.claim("1Gi"), spec -> spec.withVolumeName("pv"));
        return List.of(
                claim("names the volume of a claim that has gone", named, estate),
                claim("was bound to what is another's that has gone", ExplainedObjects.bound("pv"), estate),
                claim(
                        "names another's, and another volume is free",
                        named,
                        ExplainerWorld.inUse("pv"),
                        owner(),
                        ExplainedObjects.volume("free", "1Gi")),
                claim(
                        "names another's, and its class provisions",
                        ExplainedObjects.spec(named, spec -> spec.withStorageClassName(Optional.of("ebs"))),
                        ExplainedObjects.storageClass("ebs", "ebs.csi.aws.com", ExplainerWorld.NOW),
                        ExplainedObjects.spec(
                                ExplainerWorld.inUse("pv"), spec -> spec.withStorageClassName(Optional.of("ebs"))),
                        ExplainedObjects.spec(owner(), spec -> spec.withStorageClassName(Optional.of("ebs")))),
                claim(
                        "names what is kept for another",
                        named,
                        ExplainedObjects.claimedBy(ExplainedObjects.volume("pv", "1Gi"), "other", "")),
                claim("lost its name, and the volume knows it", ExplainedObjects.bound(""), ExplainerWorld.owned("pv")),
                claim(
                        "names what is being reclaimed no more",
                        named,
                        ExplainedObjects.annotated(
                                ExplainedObjects.claimedBy(ExplainedObjects.volume("pv", "1Gi"), "data", ""),
                                Annotations.RECLAIMING,
                                GONE)),
                claim(
                        "no class, and one that provisions",
                        ExplainedObjects.spec(
                                ExplainedObjects.claim("1Gi"), spec -> spec.withStorageClassName(Optional.empty())),
                        ExplainedObjects.storageClass("ebs", "ebs.csi.aws.com", ExplainerWorld.NOW)),
                claim(
                        "released by another, of which a pod still runs",
                        ExplainedObjects.claim("1Gi"),
                        released("yesterday"),
                        podOf("yesterday"),
                        ExplainedObjects.volume("tiny", "1Mi")),
                claim(
                        "selected node not ready",
                        ExplainedObjects.annotated(ExplainedObjects.ofClass("wait"), Annotations.SELECTED_NODE, "n1"),
                        ExplainedObjects.storageClass("wait", "ebs.csi.aws.com", ExplainerWorld.LATER),
                        notReady()),
                new AdvisedSituation(
                        "retained, and a claim of the name has another volume",
                        List.of(ExplainedObjects.bound("mine"), ExplainerWorld.owned("mine"), released("data")),
                        Optional.of("pv"),
                        BinderOptions.DEFAULT,
                        PluginRegistry.EMPTY),
                new AdvisedSituation(
                        "free but for the mark of a reclaim",
                        List.of(ExplainedObjects.annotated(
                                ExplainedObjects.volume("pv", "1Gi"), Annotations.RECLAIMING, GONE)),
                        Optional.of("pv"),
                        BinderOptions.DEFAULT,
                        PluginRegistry.EMPTY),
                new AdvisedSituation(
                        "malformed",
                        List.of(ExplainedObjects.volume("pv", "0")),
                        Optional.of("pv"),
                        BinderOptions.DEFAULT,
                        PluginRegistry.EMPTY),
                new AdvisedSituation(
                        "unknown policy",
                        List.of(ExplainedObjects.spec(
                                released("data"),
                                spec -> spec.withPersistentVolumeReclaimPolicy(ReclaimPolicy.UNKNOWN))),
                        Optional.of("pv"),
                        BinderOptions.DEFAULT,
                        PluginRegistry.EMPTY),
                new AdvisedSituation(
                        "provisioning switched off",
                        List.of(
                                ExplainedObjects.ofClass("ebs"),
                                ExplainedObjects.storageClass("ebs", "ebs.csi.aws.com", ExplainerWorld.NOW)),
                        Optional.empty(),
                        BinderOptions.DEFAULT.without(BinderSwitch.DYNAMIC_PROVISIONING),
                        PluginRegistry.EMPTY));
    }

    private static List<AdvisedSituation> ofPlugins() {
        KubernetesObject toy = ExplainedObjects.storageClass("toy", FollowedWorld.TOY, ExplainerWorld.NOW);
        return Stream.of(
                        claim("a plugin makes the volume", ExplainedObjects.ofClass("toy"), toy),
                        claim(
                                "a class of attributes that does not exist",
                                ExplainedObjects.spec(
                                        ExplainedObjects.ofClass("toy"),
                                        spec -> spec.withVolumeAttributesClassName(Optional.of("fast"))),
                                toy),
                        claim(
                                "a populator fills the volume",
                                ExplainedObjects.spec(
                                        ExplainedObjects.ofClass("toy"),
                                        spec -> spec.withDataSourceRef(Optional.of(
                                                new TypedObjectReference("x.example.com", "Image", "debian", "")))),
                                toy),
                        new AdvisedSituation(
                                "a volume is deleted under its claim, whose data goes with it",
                                List.of(
                                        ExplainedObjects.bound("pv"),
                                        ExplainedObjects.spec(
                                                ExplainedObjects.deleting(
                                                        ExplainedObjects.claimedBy(
                                                                ExplainedObjects.volume("pv", "1Gi"),
                                                                "data",
                                                                ExplainedObjects.UID),
                                                        Finalizers.PV_PROTECTION),
                                                spec -> spec.withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE))),
                                Optional.of("pv"),
                                BinderOptions.DEFAULT,
                                PluginRegistry.EMPTY),
                        new AdvisedSituation(
                                "a plugin destroys the storage",
                                List.of(ExplainedObjects.spec(
                                        released("data"),
                                        spec -> spec.withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE))),
                                Optional.of("pv"),
                                BinderOptions.DEFAULT,
                                PluginRegistry.EMPTY))
                .map(one -> new AdvisedSituation(
                        one.name(), one.objects(), one.volume(), one.options(), FollowedWorld.plugins()))
                .toList();
    }

    /** What passes by itself, if no person acts before. */
    private static List<AdvisedSituation> moments() {
        PersistentVolumeClaim named =
                ExplainedObjects.spec(ExplainedObjects.claim("1Gi"), spec -> spec.withVolumeName("pv"));
        PersistentVolume deletable = ExplainedObjects.spec(
                released("data"), spec -> spec.withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE));
        PersistentVolume local = ExplainedObjects.spec(
                ExplainedObjects.volume("pv", "1Gi"), spec -> spec.withStorageClassName(Optional.of("local")));
        List<AdvisedSituation> ofVolumes = Stream.of(
                        claim(
                                "kept for a claim that exists",
                                ExplainedObjects.claim("1Gi"),
                                ExplainedObjects.claimedBy(ExplainedObjects.volume("pv", "1Gi"), "data", "")),
                        claim("half bound", ExplainedObjects.claim("1Gi"), ExplainerWorld.owned("pv")),
                        claim(
                                "free, deleted, and nothing keeps it",
                                ExplainedObjects.deleting(
                                        ExplainedObjects.volume("pv", "1Gi"), Finalizers.PV_PROTECTION)),
                        claim(
                                "its reclaim is under way",
                                ExplainedObjects.annotated(deletable, Annotations.RECLAIMING, GONE)),
                        claim(
                                "deleted, and its provisioner keeps it",
                                ExplainedObjects.deleting(deletable, Finalizers.EXTERNAL_PROVISIONER)))
                .map(one -> new AdvisedSituation(
                        one.name(), one.objects(), Optional.of("pv"), one.options(), FollowedWorld.plugins()))
                .toList();
        List<AdvisedSituation> ofClaims = List.of(
                claim(
                        "the scheduler has chosen a node, and not yet the volume",
                        ExplainedObjects.annotated(ExplainedObjects.ofClass("local"), Annotations.SELECTED_NODE, "n1"),
                        ExplainedObjects.storageClass("local", "kubernetes.io/no-provisioner", ExplainerWorld.LATER),
                        ExplainedObjects.node("n1"),
                        ExplainedObjects.pod("web", ""),
                        ExplainedObjects.reachedFrom(local, "n1")),
                claim(
                        "names what is being reclaimed",
                        named,
                        ExplainedObjects.annotated(
                                ExplainedObjects.spec(
                                        ExplainedObjects.claimedBy(ExplainedObjects.volume("pv", "1Gi"), "data", ""),
                                        spec -> spec.withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE)),
                                Annotations.RECLAIMING,
                                GONE)),
                claim(
                        "names another's, and the default class provisions",
                        ExplainedObjects.spec(named, spec -> spec.withStorageClassName(Optional.empty())),
                        byDefault(ExplainedObjects.storageClass("ebs", "ebs.csi.aws.com", ExplainerWorld.NOW)),
                        ExplainerWorld.inUse("pv"),
                        owner()),
                claim(
                        "deleted while storage was made",
                        ExplainedObjects.deleting(ExplainedObjects.ofClass("toy"), Finalizers.PROVISIONING),
                        ExplainedObjects.storageClass("toy", FollowedWorld.TOY, ExplainerWorld.NOW)),
                claim(
                        "the node has to grow the file system",
                        growing(),
                        ExplainedObjects.spec(
                                ExplainerWorld.owned("pv"), spec -> spec.withStorage(Quantity.parse("2Gi")))));
        return Stream.concat(ofVolumes.stream(), ofClaims.stream()).toList();
    }

    private static PersistentVolumeClaim growing() {
        PersistentVolumeClaim claim = ExplainedObjects.spec(
                ExplainedObjects.bound("pv"), spec -> spec.withRequestedStorage(Quantity.parse("2Gi")));
        return claim.withStatus(claim.status()
                .withCapacity(Map.of("storage", Quantity.parse("1Gi")))
                .withConditions(List.of(condition("FileSystemResizePending", ConditionStatus.TRUE))));
    }

    private static StorageClass byDefault(StorageClass storageClass) {
        return storageClass.withMetadata(storageClass.metadata().withAnnotation(Annotations.IS_DEFAULT_CLASS, "true"));
    }

    private static Condition condition(String type, ConditionStatus status) {
        return new Condition(type, status, "", "", Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static PersistentVolume released(String claim) {
        return ExplainedObjects.in(
                ExplainedObjects.claimedBy(ExplainedObjects.volume("pv", "1Gi"), claim, ExplainedObjects.OTHER_UID),
                PersistentVolumePhase.RELEASED);
    }

    private static PersistentVolumeClaim owner() {
        PersistentVolumeClaim claim = ExplainedObjects.spec(
                ExplainedObjects.bound("pv"), spec -> spec.withRequestedStorage(Quantity.parse("8Gi")));
        return claim.withMetadata(claim.metadata().withName("user").withUid(ExplainedObjects.OTHER_UID));
    }

    private static Pod podOf(String claim) {
        VolumeSource source = new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", claim)));
        return Pod.of(
                "default",
                "late",
                PodSpec.EMPTY.withNodeName("n1").withVolumes(List.of(new PodVolume("v", Optional.of(source)))));
    }

    private static Node notReady() {
        Node node = ExplainedObjects.node("n1");
        return node.withStatus(node.status().withConditions(List.of(condition("Ready", ConditionStatus.FALSE))));
    }

    // ---- what is asked ----

    /** What is said of the objects before the binder has seen them. */
    Explanation asWritten() {
        Snapshot snapshot = Snapshot.of(objects, ExplainedObjects.START.plus(Duration.ofHours(1)));
        Explainer explainer = new Explainer(options, plugins);
        return volume.map(name -> explainer.volume(snapshot, name))
                .orElseGet(() -> explainer.claim(snapshot, ASKER))
                .orElseThrow();
    }

    /** Whether the volume in question has the data of an earlier claim of the name, which is there again. */
    boolean predecessor() {
        return name.startsWith("made again") || name.startsWith("restored");
    }

    /** Whether who asks wants to go. */
    boolean leaves() {
        return objects.stream()
                .filter(PersistentVolumeClaim.class::isInstance)
                .anyMatch(object ->
                        ObjectKey.of(object).equals(ASKER) && object.metadata().isDeleting());
    }

    /** The world of the situation; crowded with others who wait for whatever they can get, and who have something. */
    FollowedWorld world(boolean crowded) {
        List<KubernetesObject> all = new ArrayList<>(objects);
        if (crowded) {
            all.addAll(crowd());
        }
        return new FollowedWorld(options, plugins, all);
    }

    private List<KubernetesObject> crowd() {
        List<KubernetesObject> crowd = new ArrayList<>();
        Optional<PersistentVolumeClaim> asker = objects.stream()
                .filter(PersistentVolumeClaim.class::isInstance)
                .map(PersistentVolumeClaim.class::cast)
                .filter(claim -> ObjectKey.of(claim).equals(ASKER))
                .findFirst();
        crowd.add(stranger("aaa", ExplainedObjects.claim("1Gi"), "d1"));
        crowd.add(stranger(
                "bare",
                ExplainedObjects.spec(
                        ExplainedObjects.claim("1Gi"), spec -> spec.withStorageClassName(Optional.empty())),
                "d2"));
        asker.ifPresent(claim -> StorageClasses.nameOf(claim)
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> crowd.add(stranger("same", ExplainedObjects.ofClass(name), "d3"))));
        PersistentVolumeClaim owner = stranger("keeper", ExplainedObjects.bound("kept"), "d4");
        crowd.add(owner);
        crowd.add(ExplainedObjects.in(
                claimedBy(ExplainedObjects.volume("kept", "1Gi"), owner), PersistentVolumePhase.BOUND));
        PersistentVolume estate = claimedBy(
                ExplainedObjects.volume("estate", "1Gi"), stranger("gone", ExplainedObjects.claim("1Gi"), "d5"));
        crowd.add(ExplainedObjects.in(
                ExplainedObjects.spec(estate, spec -> spec.withStorageClassName(Optional.of("estate"))),
                PersistentVolumePhase.RELEASED));
        return crowd;
    }

    /** Older than who asks, so that the binder serves it first. */
    private static PersistentVolumeClaim stranger(String name, PersistentVolumeClaim claim, String uid) {
        return claim.withMetadata(claim.metadata()
                .withNamespace("other")
                .withName(name)
                .withUid("00000000-0000-4000-8000-0000000000" + uid)
                .withCreationTimestamp(Optional.of(ExplainedObjects.START.minus(Duration.ofDays(1)))));
    }

    private static PersistentVolume claimedBy(PersistentVolume volume, PersistentVolumeClaim claim) {
        return ExplainedObjects.spec(
                volume,
                spec -> spec.withClaimRef(Optional.of(ObjectReference.EMPTY
                        .withKind("PersistentVolumeClaim")
                        .withApiVersion("v1")
                        .withNamespace("other")
                        .withName(claim.metadata().name())
                        .withUid(claim.metadata().uid()))));
    }
}
