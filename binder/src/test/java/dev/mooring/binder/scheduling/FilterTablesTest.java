// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.Rejection.Status.UNSCHEDULABLE;
import static dev.mooring.binder.scheduling.Rejection.Status.UNSCHEDULABLE_AND_UNRESOLVABLE;
import static dev.mooring.binder.scheduling.SchedulingObjects.annotated;
import static dev.mooring.binder.scheduling.SchedulingObjects.at;
import static dev.mooring.binder.scheduling.SchedulingObjects.bound;
import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.claimedBy;
import static dev.mooring.binder.scheduling.SchedulingObjects.delayed;
import static dev.mooring.binder.scheduling.SchedulingObjects.forOnePod;
import static dev.mooring.binder.scheduling.SchedulingObjects.inline;
import static dev.mooring.binder.scheduling.SchedulingObjects.keepingAccount;
import static dev.mooring.binder.scheduling.SchedulingObjects.labelled;
import static dev.mooring.binder.scheduling.SchedulingObjects.limit;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.on;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.pool;
import static dev.mooring.binder.scheduling.SchedulingObjects.uid;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One row per rule of semantics/binder §3.6 to §3.9, with Kubernetes' words and status. */
class FilterTablesTest {
    private static final String NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
    private static final String VOLUME_GONE =
            "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
    private static final String BIND_CONFLICT = "node(s) didn't find available persistent volumes to bind";
    private static final String NO_SPACE = "node(s) did not have enough free storage";
    private static final String ZONE = "node(s) had no available volume zone";
    private static final String DISK = "node(s) had no available disk";
    private static final String ONE_POD = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod"
            + " access mode already in-use by another pod";
    private static final String LIMIT = "node(s) exceed max volume count";

    /** A row: pods go to node {@code n1} in zone {@code a}. */
    private record Row(
            String rule, Pod pod, List<KubernetesObject> world, Rejection.Status status, List<String> reasons) {
        @Override
        public String toString() {
            return rule;
        }
    }

    private static Row fits(String rule, Pod pod, KubernetesObject... world) {
        return new Row(rule, pod, List.of(world), UNSCHEDULABLE, List.of());
    }

    private static Row never(String rule, String reason, Pod pod, KubernetesObject... world) {
        return new Row(rule, pod, List.of(world), UNSCHEDULABLE_AND_UNRESOLVABLE, List.of(reason));
    }

    private static Row later(String rule, String reason, Pod pod, KubernetesObject... world) {
        return new Row(rule, pod, List.of(world), UNSCHEDULABLE, List.of(reason));
    }

    static Stream<Row> rows() {
        return Stream.of(binding(), static_(), provisioning(), zones(), restrictions(), limits())
                .flatMap(rows -> rows);
    }

    private static PersistentVolumeClaim ephemeral(String owner) {
        PersistentVolumeClaim claim = claim("p-scratch", "1Gi");
        return claim.withMetadata(claim.metadata()
                .withOwnerReferences(
                        List.of(new dev.mooring.storage.model.OwnerReference("v1", "Pod", "p", owner, true, true))));
    }

    private static Stream<Row> binding() {
        PersistentVolumeClaim c = claim("c", "1Gi");
        Pod scratch = inline("p", "ephemeral", Map.of("volumeClaimTemplate", Map.of()));
        Pod named = scratch.withSpec(scratch.spec()
                .withVolumes(List.of(
                        SchedulingObjects.podVolume("scratch", new VolumeSource("ephemeral", Document.of(Map.of()))))));
        StorageClass at = StorageClass.of("now", SchedulingObjects.DRIVER);
        return Stream.of(
                fits("no claims", pod("p")),
                never("claim missing", "persistentvolumeclaim \"c\" not found", pod("p", "c")),
                never(
                        "ephemeral claim missing",
                        "waiting for ephemeral volume controller to create the persistentvolumeclaim \"p-scratch\"",
                        named),
                never(
                        "ephemeral claim of another pod",
                        "PVC default/p-scratch was not created for pod default/p (pod is not owner)",
                        named,
                        ephemeral("other"),
                        local()),
                never(
                        "claim lost",
                        "persistentvolumeclaim \"c\" bound to non-existent persistentvolume \"v\"",
                        pod("p", "c"),
                        lost(bound(c, "v")),
                        volume("v", "1Gi")),
                never(
                        "claim deleting",
                        "persistentvolumeclaim \"c\" is being deleted",
                        pod("p", "c"),
                        deleting(c),
                        local()),
                new Row(
                        "immediate claim",
                        pod("p", "c"),
                        List.of(ofClass(c, "now"), at),
                        UNSCHEDULABLE_AND_UNRESOLVABLE,
                        List.of("pod has unbound immediate PersistentVolumeClaims", "PersistentVolume had no name")),
                never(
                        "delayed claim that names a volume counts as immediate",
                        "pod has unbound immediate PersistentVolumeClaims",
                        pod("p", "c"),
                        c.withSpec(c.spec().withVolumeName("v")),
                        volume("v", "1Gi"),
                        local()),
                fits("bound, no affinity", pod("p", "c"), bound(c, "v"), volume("v", "1Gi")),
                fits("bound, in reach", pod("p", "c"), bound(c, "v"), on(volume("v", "1Gi"), "n1")),
                never("bound, out of reach", NODE_CONFLICT, pod("p", "c"), bound(c, "v"), on(volume("v", "1Gi"), "n2")),
                new Row(
                        "bound, volume gone",
                        pod("p", "c"),
                        List.of(bound(c, "v")),
                        UNSCHEDULABLE_AND_UNRESOLVABLE,
                        List.of(VOLUME_GONE, "persistentvolume \"v\" not found")));
    }

    private static Stream<Row> static_() {
        PersistentVolumeClaim c = claim("c", "1Gi");
        PersistentVolumeClaim d = claim("d", "2Gi");
        return Stream.of(
                fits("S2 a volume is in reach", pod("p", "c"), c, local(), on(volume("v", "1Gi"), "n1")),
                never("S2 none is in reach", BIND_CONFLICT, pod("p", "c"), c, local(), on(volume("v", "1Gi"), "n2")),
                never("S2 too small", BIND_CONFLICT, pod("p", "c"), c, local(), volume("v", "1023Mi")),
                fits(
                        "S2 two claims, two volumes",
                        pod("p", "c", "d"),
                        c,
                        d,
                        local(),
                        volume("v", "2Gi"),
                        volume("w", "2Gi")),
                never(
                        "S2 two claims, one volume",
                        BIND_CONFLICT,
                        pod("p", "c", "d"),
                        c,
                        d,
                        local(),
                        volume("v", "2Gi")),
                never(
                        "F9 its own volume is elsewhere",
                        BIND_CONFLICT,
                        pod("p", "c"),
                        uid(c, "u"),
                        local(),
                        volume("v", "1Gi"),
                        claimedBy(on(volume("w", "1Gi"), "n2"), uid(c, "u"))),
                fits(
                        "F9 its own volume of another class (T8)",
                        pod("p", "c"),
                        uid(c, "u"),
                        local(),
                        claimedBy(ofClass(volume("w", "1Gi"), "x"), uid(c, "u"))));
    }

    private static Stream<Row> provisioning() {
        PersistentVolumeClaim c = ofClass(claim("c", "60Gi"), "gold");
        PersistentVolumeClaim d = ofClass(claim("d", "60Gi"), "gold");
        StorageClass gold = delayed("gold", SchedulingObjects.DRIVER);
        KubernetesObject account = keepingAccount(SchedulingObjects.DRIVER);
        PersistentVolumeClaim here = annotated(c, Annotations.SELECTED_NODE, "n1");
        PersistentVolumeClaim there = annotated(c, Annotations.SELECTED_NODE, "n2");
        return Stream.of(
                fits("S3 a class that provisions", pod("p", "c"), c, gold),
                fits("S1 selected here", pod("p", "c"), here, gold),
                never("S1 selected elsewhere", BIND_CONFLICT, pod("p", "c"), there, gold),
                never(
                        "S1 selected here, no provisioner",
                        BIND_CONFLICT,
                        pod("p", "c"),
                        ofClass(here, "local"),
                        local(),
                        volume("v", "100Gi")),
                fits(
                        "S3 topology allowed",
                        pod("p", "c"),
                        c,
                        SchedulingObjects.allowing(gold, SchedulingObjects.ZONE, "a", "b")),
                never(
                        "S3 topology not allowed",
                        BIND_CONFLICT,
                        pod("p", "c"),
                        c,
                        SchedulingObjects.allowing(gold, SchedulingObjects.ZONE, "b")),
                never(
                        "S3 an empty term allows nothing",
                        BIND_CONFLICT,
                        pod("p", "c"),
                        c,
                        gold.withAllowedTopologies(List.of(Document.empty()))),
                fits("S4 no driver keeps account", pod("p", "c"), c, gold, pool("a", "gold", "n1", "1Gi")),
                never("S4 no space told of", NO_SPACE, pod("p", "c"), c, gold, account),
                fits("S4 enough", pod("p", "c"), c, gold, account, pool("a", "gold", "n1", "60Gi")),
                never("S4 too little", NO_SPACE, pod("p", "c"), c, gold, account, pool("a", "gold", "n1", "59Gi")),
                never("S4 of another node", NO_SPACE, pod("p", "c"), c, gold, account, pool("a", "gold", "n2", "60Gi")),
                never("S4 of another class", NO_SPACE, pod("p", "c"), c, gold, account, pool("a", "x", "n1", "60Gi")),
                never(
                        "S4 no topology matches nothing",
                        NO_SPACE,
                        pod("p", "c"),
                        c,
                        gold,
                        account,
                        pool("a", "gold", "n1", "60Gi").withNodeTopology(Optional.empty())),
                never(
                        "S4 the largest volume is too small",
                        NO_SPACE,
                        pod("p", "c"),
                        c,
                        gold,
                        account,
                        pool("a", "gold", "n1", "100Gi")
                                .withMaximumVolumeSize(Optional.of(dev.mooring.storage.model.Quantity.parse("1Gi")))),
                never(
                        "#111755 two claims, one pool",
                        NO_SPACE,
                        pod("p", "c", "d"),
                        c,
                        d,
                        gold,
                        account,
                        pool("a", "gold", "n1", "100Gi")),
                fits(
                        "#111755 two claims, two pools",
                        pod("p", "c", "d"),
                        c,
                        d,
                        gold,
                        account,
                        pool("a", "gold", "n1", "100Gi"),
                        pool("b", "gold", "n1", "60Gi")));
    }

    private static Stream<Row> zones() {
        PersistentVolumeClaim c = bound(claim("c", "1Gi"), "v");
        String beta = "failure-domain.beta.kubernetes.io/zone";
        PersistentVolumeClaim unbound = claim("c", "1Gi");
        return Stream.of(
                fits("VolumeZone same", pod("p", "c"), c, labelled(volume("v", "1Gi"), SchedulingObjects.ZONE, "a")),
                fits(
                        "VolumeZone one of several",
                        pod("p", "c"),
                        c,
                        labelled(volume("v", "1Gi"), SchedulingObjects.ZONE, "b__a")),
                fits("VolumeZone beta label", pod("p", "c"), c, labelled(volume("v", "1Gi"), beta, "a")),
                never(
                        "VolumeZone another",
                        ZONE,
                        pod("p", "c"),
                        c,
                        labelled(volume("v", "1Gi"), SchedulingObjects.ZONE, "b")),
                never(
                        "VolumeZone the node has no region",
                        ZONE,
                        pod("p", "c"),
                        c,
                        labelled(volume("v", "1Gi"), "topology.kubernetes.io/region", "r")),
                new Row(
                        "VolumeZone unbound without class",
                        pod("p", "c"),
                        List.of(unbound.withSpec(unbound.spec().withStorageClassName(Optional.empty()))),
                        UNSCHEDULABLE_AND_UNRESOLVABLE,
                        List.of(
                                "pod has unbound immediate PersistentVolumeClaims",
                                "PersistentVolumeClaim had no pv name and storageClass name")),
                new Row(
                        "VolumeZone class missing",
                        pod("p", "c"),
                        List.of(ofClass(unbound, "x")),
                        UNSCHEDULABLE_AND_UNRESOLVABLE,
                        List.of(
                                "pod has unbound immediate PersistentVolumeClaims",
                                "storageclass.storage.k8s.io \"x\" not found")),
                new Row(
                        "VolumeZone class without mode",
                        pod("p", "c"),
                        List.of(unbound, local().withVolumeBindingMode(Optional.empty())),
                        UNSCHEDULABLE_AND_UNRESOLVABLE,
                        List.of(
                                "pod has unbound immediate PersistentVolumeClaims",
                                "VolumeBindingMode not set for StorageClass \"local\"")));
    }

    private static Row disk(String rule, boolean conflict, String type, Map<String, ?> ours, Map<String, ?> theirs) {
        Pod other = at(inline("other", type, theirs), "n1");
        return conflict
                ? later(rule, DISK, inline("p", type, ours), other)
                : fits(rule, inline("p", type, ours), other);
    }

    private static Stream<Row> restrictions() {
        Map<String, Object> gce = Map.of("pdName", "d");
        Map<String, Object> gceReadOnly = Map.of("pdName", "d", "readOnly", true);
        Map<String, Object> ebs = Map.of("volumeID", "d", "readOnly", true);
        Map<String, Object> iscsi = Map.of("iqn", "q", "lun", 1);
        Map<String, Object> rbd = Map.of("monitors", List.of("m1", "m2"), "image", "i");
        PersistentVolumeClaim one = bound(forOnePod(claim("c", "1Gi")), "v");
        return Stream.of(
                disk("GCE PD same", true, "gcePersistentDisk", gce, gce),
                disk("GCE PD one writes", true, "gcePersistentDisk", gceReadOnly, gce),
                disk("GCE PD both read", false, "gcePersistentDisk", gceReadOnly, gceReadOnly),
                disk("GCE PD another", false, "gcePersistentDisk", gce, Map.of("pdName", "e")),
                disk("AWS EBS even if both read", true, "awsElasticBlockStore", ebs, ebs),
                disk("ISCSI same target, another lun", true, "iscsi", iscsi, Map.of("iqn", "q", "lun", 2)),
                disk(
                        "RBD overlapping monitors",
                        true,
                        "rbd",
                        rbd,
                        Map.of("monitors", List.of("m2"), "image", "i", "pool", "rbd")),
                disk("RBD other monitors", false, "rbd", rbd, Map.of("monitors", List.of("m3"), "image", "i")),
                disk("RBD other pool", false, "rbd", rbd, Map.of("monitors", List.of("m1"), "image", "i", "pool", "x")),
                fits(
                        "disk of a pod elsewhere",
                        inline("p", "gcePersistentDisk", gce),
                        at(inline("o", "gcePersistentDisk", gce), "n2")),
                fits("RWOP alone", pod("p", "c"), one, volume("v", "1Gi")),
                fits("RWOP the other has no node", pod("p", "c"), one, volume("v", "1Gi"), pod("o", "c")),
                later(
                        "RWOP the other is on any node",
                        ONE_POD,
                        pod("p", "c"),
                        one,
                        volume("v", "1Gi"),
                        at(pod("o", "c"), "n2")),
                fits(
                        "RWOP the other is finished",
                        pod("p", "c"),
                        one,
                        volume("v", "1Gi"),
                        finished(at(pod("o", "c"), "n2"))));
    }

    private static Stream<Row> limits() {
        PersistentVolumeClaim c = bound(claim("c", "1Gi"), "v");
        PersistentVolumeClaim d = bound(claim("d", "1Gi"), "w");
        KubernetesObject v = volume("v", "1Gi");
        KubernetesObject w = volume("w", "1Gi");
        StorageClass gold = delayed("gold", SchedulingObjects.DRIVER);
        StorageClass old = delayed("old", "kubernetes.io/aws-ebs");
        PersistentVolume cloud = volume("cloud", "1Gi");
        VolumeSource ebs = new VolumeSource("awsElasticBlockStore", Document.of(Map.of("volumeID", "vol-1")));
        KubernetesObject taken = cloud.withSpec(cloud.spec().withSource(Optional.of(ebs)));
        VolumeAttachment attached = new VolumeAttachment(
                ObjectMeta.named("a"),
                new VolumeAttachmentSpec(
                        SchedulingObjects.DRIVER, "n1", new VolumeAttachmentSource(Optional.of("w"), Optional.empty())),
                VolumeAttachmentStatus.EMPTY);
        return Stream.of(
                fits("limit not reached", pod("p", "c"), c, v, limit("n1", 1)),
                later(
                        "limit reached by a pod",
                        LIMIT,
                        pod("p", "c"),
                        c,
                        v,
                        d,
                        w,
                        limit("n1", 1),
                        at(pod("o", "d"), "n1")),
                fits("limit of another node", pod("p", "c"), c, v, d, w, limit("n2", 1), at(pod("o", "d"), "n1")),
                later("limit reached by an attachment", LIMIT, pod("p", "c"), c, v, w, limit("n1", 1), attached),
                fits(
                        "attachment and pod are one volume",
                        pod("p", "c"),
                        c,
                        v,
                        d,
                        w,
                        limit("n1", 2),
                        attached,
                        at(pod("o", "d"), "n1")),
                fits("brings no new volume", pod("p", "d"), d, w, limit("n1", 1), attached),
                later("two new ones", LIMIT, pod("p", "c", "d"), c, v, d, w, limit("n1", 1)),
                later("limit 0", LIMIT, pod("p", "c"), c, v, limit("n1", 0)),
                later(
                        "#141076 a chosen volume counts for its driver",
                        LIMIT,
                        pod("p", "e"),
                        claim("e", "1Gi"),
                        local(),
                        v,
                        w,
                        limit("n1", 1),
                        attached),
                later(
                        "a volume counts for the driver that took its plugin over",
                        LIMIT,
                        pod("p", "f"),
                        bound(claim("f", "1Gi"), "cloud"),
                        taken,
                        limit("n1", "ebs.csi.aws.com", 0)),
                later(
                        "a claim counts for the driver that took its class's plugin over",
                        LIMIT,
                        pod("p", "f"),
                        ofClass(claim("f", "1Gi"), "old"),
                        old,
                        limit("n1", "ebs.csi.aws.com", 0)),
                later(
                        "an unbound claim counts for its class",
                        LIMIT,
                        pod("p", "g"),
                        ofClass(claim("g", "1Gi"), "gold"),
                        gold,
                        w,
                        limit("n1", 1),
                        attached));
    }

    private static PersistentVolumeClaim lost(PersistentVolumeClaim claim) {
        return claim.withStatus(claim.status().withPhase(ClaimPhase.LOST));
    }

    private static PersistentVolumeClaim deleting(PersistentVolumeClaim claim) {
        return claim.withMetadata(claim.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH)));
    }

    private static Pod finished(Pod pod) {
        return pod.withStatus(pod.status().withPhase(dev.mooring.storage.model.PodPhase.SUCCEEDED));
    }

    private static NodeFit fit(Row row) {
        Known known = Known.of(row.world().toArray(KubernetesObject[]::new));
        Node n1 = labelled(node("n1"), SchedulingObjects.ZONE, "a");
        known.put(n1, row.pod());
        PodFilters filters = new PodFilters(row.pod(), known.view());
        return filters.fit(n1, filters.plan(n1));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void saysWhatKubernetesSays(Row row) {
        NodeFit fit = fit(row);
        assertThat(fit.reasons()).isEqualTo(row.reasons());
        assertThat(fit.rejections()).allMatch(rejection -> rejection.status() == row.status());
        assertThat(fit.fits()).isEqualTo(row.reasons().isEmpty());
    }
}
