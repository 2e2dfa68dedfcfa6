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
                                ExplainedObjects.ofClass("manuel"),
                                ExplainedObjects.storageClass("manual", "kubernetes.io/no-provisioner", NOW),
                                ExplainedObjects.spec(
                                        ExplainedObjects.volume("pv", "1Gi"),
                                        s -> s.withStorageClassName(Optional.of("manual")))),
                        "did you mean manual?",
                        CauseCode.CLASS_NOT_FOUND,
                        CauseCode.STORAGE_CLASS),
                row(
                        "class does not exist",
                        with(ExplainedObjects.ofClass("gold")),
                        "Storage class gold does not exist",
                        CauseCode.CLASS_NOT_FOUND,
                        CauseCode.NO_FREE_VOLUME),
                row(
                        "class without binding mode",
                        with(
                                ExplainedObjects.ofClass("gold"),
                                StorageClass.of("gold", "x.example.com").withVolumeBindingMode(Optional.empty())),
                        "no volumeBindingMode",
                        CauseCode.CLASS_WITHOUT_BINDING_MODE),
                row(
                        "class without provisioner, volume too small",
                        with(
                                ExplainedObjects.ofClass("local"),
                                ExplainedObjects.storageClass("local", "kubernetes.io/no-provisioner", NOW),
                                ExplainedObjects.spec(
                                        ExplainedObjects.volume("pv", "1Mi"),
                                        s -> s.withStorageClassName(Optional.of("local")))),
                        "short",
                        CauseCode.TOO_SMALL,
                        CauseCode.NO_PROVISIONER),
                row(
                        "plugin that does not exist here",
                        with(
                                ExplainedObjects.ofClass("old"),
                                ExplainedObjects.storageClass("old", "kubernetes.io/glusterfs", NOW)),
                        "kubernetes.io/glusterfs",
                        CauseCode.PROVISIONER_UNKNOWN),
                row(
                        "external provisioner silent for an hour",
                        with(
                                ExplainedObjects.ofClass("ebs"),
                                ExplainedObjects.storageClass("ebs", "ebs.csi.aws.com", NOW),
                                ExplainedObjects.volume("pv", "1Gi")),
                        "ebs.csi.aws.com has to make the volume, for 60 min now. No event says why it has not.",
                        CauseCode.EXTERNAL_PROVISIONER),
                row(
                        "in-tree plugin that a CSI driver took over",
                        with(
                                ExplainedObjects.annotated(
                                        ExplainedObjects.ofClass("ebs"),
                                        Annotations.STORAGE_PROVISIONER,
                                        "kubernetes.io/aws-ebs"),
                                ExplainedObjects.storageClass("ebs", "kubernetes.io/aws-ebs", NOW)),
                        "ebs.csi.aws.com has to make the volume",
                        CauseCode.EXTERNAL_PROVISIONER),
                row(
                        "waiting for the first consumer",
                        with(
                                ExplainedObjects.ofClass("wait"),
                                ExplainedObjects.storageClass("wait", "ebs.csi.aws.com", LATER)),
                        "no pod does",
                        CauseCode.WAITING_FOR_CONSUMER),
                row(
                        "waiting for the scheduler",
                        with(
                                ExplainedObjects.ofClass("wait"),
                                ExplainedObjects.storageClass("wait", "ebs.csi.aws.com", LATER),
                                ExplainedObjects.pod("web", "")),
                        "waiting for pod web",
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "node affinity that no node satisfies",
                        with(
                                ExplainedObjects.ofClass("local"),
                                ExplainedObjects.storageClass("local", "kubernetes.io/no-provisioner", LATER),
                                ExplainedObjects.pod("web", ""),
                                ExplainedObjects.node("n2"),
                                ExplainedObjects.reachedFrom(
                                        ExplainedObjects.spec(
                                                ExplainedObjects.volume("pv", "1Gi"),
                                                s -> s.withStorageClassName(Optional.of("local"))),
                                        "n1")),
                        "kubernetes.io/hostname In [n1] (nodes have [n2])",
                        CauseCode.NODE_AFFINITY,
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "attach limit of every node reached",
                        with(
                                ExplainedObjects.ofClass("ebs"),
                                ExplainedObjects.storageClass("ebs", "ebs.csi.aws.com", LATER),
                                ExplainedObjects.pod("web", ""),
                                ExplainedObjects.node("n1"),
                                csiNode("n1", "ebs.csi.aws.com", 1),
                                attachment("a", "ebs.csi.aws.com", "n1")),
                        "as many volumes of driver ebs.csi.aws.com",
                        CauseCode.ATTACH_LIMIT,
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "topology of the class",
                        with(
                                ExplainedObjects.ofClass("zonal"),
                                zonal(),
                                ExplainedObjects.pod("web", ""),
                                ExplainedObjects.node("n1")),
                        "no node has such labels",
                        CauseCode.TOPOLOGY,
                        CauseCode.WAITING_FOR_SCHEDULING),
                row(
                        "selected node gone",
                        with(
                                ExplainedObjects.annotated(
                                        ExplainedObjects.ofClass("wait"), Annotations.SELECTED_NODE, "n1"),
                                ExplainedObjects.storageClass("wait", "ebs.csi.aws.com", LATER),
                                ExplainedObjects.node("n2")),
                        "",
                        CauseCode.SELECTED_NODE_GONE),
                row(
                        "external populator",
                        with(
                                ExplainedObjects.spec(
                                        ExplainedObjects.ofClass("toy"),
                                        s -> s.withDataSourceRef(Optional.of(
                                                new TypedObjectReference("x.example.com", "Image", "debian", "")))),
                                ExplainedObjects.storageClass("toy", "ebs.csi.aws.com", NOW)),
                        "ebs.csi.aws.com",
                        CauseCode.EXTERNAL_PROVISIONER));
    }

    private static StorageClass zonal() {
        StorageClass storageClass = ExplainedObjects.storageClass("zonal", "ebs.csi.aws.com", LATER);
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
