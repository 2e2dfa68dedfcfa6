// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CSINodeDriverAllocatable;
import dev.mooring.storage.model.CSINodeSpec;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.TypedObjectReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** What keeps a claim from storage that its class would have made. */
class ProvisioningCausesTest extends ClaimCausesTable {
    static Stream<Arguments> situations() {
        return Stream.of(
                row(
                        "class is misspelt",
                        with(
                                World.ofClass("manuel"),
                                World.storageClass("manual", "kubernetes.io/no-provisioner", NOW),
                                World.spec(
                                        World.volume("pv", "1Gi"), s -> s.withStorageClassName(Optional.of("manual")))),
                        "did you mean manual?",
                        CauseCode.CLASS_NOT_FOUND,
                        CauseCode.STORAGE_CLASS),
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
                        "short",
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
                        "ebs.csi.aws.com has to make the volume, for 60 min now. No event says why it has not.",
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
                        "no node has such labels",
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
}
