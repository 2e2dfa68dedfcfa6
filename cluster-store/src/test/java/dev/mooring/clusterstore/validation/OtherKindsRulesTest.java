// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static dev.mooring.clusterstore.validation.Rows.ATTACHMENT;
import static dev.mooring.clusterstore.validation.Rows.CLASS;
import static dev.mooring.clusterstore.validation.Rows.POD;
import static dev.mooring.clusterstore.validation.Rows.named;
import static dev.mooring.clusterstore.validation.Rows.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.validation.Rows.Row;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;

/** One row per rule about classes, pods, attachments, drivers and what else there is. */
class OtherKindsRulesTest extends RulesTable {
    static Stream<Named<Row>> objects() {
        Document anonymous = POD.with(List.of(Map.of("name", "v")), "spec", "volumes");
        return Stream.of(
                row("no provisioner", Kinds.STORAGE_CLASS, CLASS.without("provisioner"), "provisioner: Required value"),
                row(
                        "recycling",
                        Kinds.STORAGE_CLASS,
                        CLASS.with("Recycle", "reclaimPolicy"),
                        "reclaimPolicy: Unsupported value"),
                row(
                        "no mode",
                        Kinds.STORAGE_CLASS,
                        CLASS.without("volumeBindingMode"),
                        "volumeBindingMode: Required value"),
                row(
                        "late",
                        Kinds.STORAGE_CLASS,
                        CLASS.with("Late", "volumeBindingMode"),
                        "volumeBindingMode: Unsupported value"),
                row(
                        "a topology without values",
                        Kinds.STORAGE_CLASS,
                        CLASS.with(
                                List.of(Map.of("matchLabelExpressions", List.of(Map.of("key", "zone")))),
                                "allowedTopologies"),
                        "allowedTopologies[0].matchLabelExpressions[0].values: Required value"),
                row(
                        "a topology that says a value twice",
                        Kinds.STORAGE_CLASS,
                        CLASS.with(
                                List.of(Map.of(
                                        "matchLabelExpressions",
                                        List.of(Map.of("key", "zone", "values", List.of("a", "a"))))),
                                "allowedTopologies"),
                        "allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: \"a\""),
                row(
                        "less than no volumes",
                        Kinds.CSI_NODE,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", "n"),
                                "spec",
                                Map.of(
                                        "drivers",
                                        List.of(Map.of(
                                                "name", "d", "nodeID", "n", "allocatable", Map.of("count", -1)))))),
                        "spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0"),
                row(
                        "topology by an odd key",
                        Kinds.CSI_NODE,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", "n"),
                                "spec",
                                Map.of(
                                        "drivers",
                                        List.of(Map.of(
                                                "name", "d", "nodeID", "n", "topologyKeys", List.of("a key")))))),
                        "spec.drivers[0].topologyKeys: Invalid value: \"a key\": name part must consist of"),
                row(
                        "a topology key twice",
                        Kinds.CSI_NODE,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", "n"),
                                "spec",
                                Map.of(
                                        "drivers",
                                        List.of(Map.of(
                                                "name", "d", "nodeID", "n", "topologyKeys", List.of("z", "z")))))),
                        "spec.drivers[0].topologyKeys: Duplicate value: \"z\""),
                row(
                        "tokens for a minute",
                        Kinds.CSI_DRIVER,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", "d"),
                                "spec",
                                Map.of("tokenRequests", List.of(Map.of("audience", "", "expirationSeconds", 60))))),
                        "spec.tokenRequests[0].expirationSeconds: Invalid value: 60: may not specify a duration less"),
                row(
                        "tokens in secrets, and no tokens",
                        Kinds.CSI_DRIVER,
                        Document.of(Map.of(
                                "metadata", Map.of("name", "d"), "spec", Map.of("serviceAccountTokenInSecrets", true))),
                        "spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no"),
                row(
                        "a count that is asked for all the time",
                        Kinds.CSI_DRIVER,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", "d"),
                                "spec",
                                Map.of("nodeAllocatableUpdatePeriodSeconds", 9))),
                        "spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 s"),
                row(
                        "no container",
                        Kinds.POD,
                        POD.with(List.of(), "spec", "containers"),
                        "spec.containers: Required value"),
                row("no source", Kinds.POD, anonymous, "spec.volumes[0]: Required value: must specify a volume type"),
                row(
                        "a mount of nothing",
                        Kinds.POD,
                        POD.without("spec", "volumes"),
                        "spec.containers[0].volumeMounts[0].name: Not found: \"v\""),
                row(
                        "no attacher",
                        Kinds.VOLUME_ATTACHMENT,
                        ATTACHMENT.without("spec", "attacher"),
                        "spec.attacher: Required value"),
                row(
                        "nothing to attach",
                        Kinds.VOLUME_ATTACHMENT,
                        ATTACHMENT.without("spec", "source"),
                        "spec.source: Required value"),
                row(
                        "no parameters",
                        Kinds.VOLUME_ATTRIBUTES_CLASS,
                        Document.of(Map.of("metadata", Map.of("name", "v"), "driverName", "d")),
                        "parameters: Required value: must contain at least one key/value pair"),
                row(
                        "a driver twice",
                        Kinds.CSI_NODE,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", "n"),
                                "spec",
                                Map.of("drivers", List.of(driver(), driver())))),
                        "spec.drivers[1].name: Duplicate value: \"d\""),
                row(
                        "a policy",
                        Kinds.CSI_DRIVER,
                        Document.of(Map.of("metadata", Map.of("name", "d"), "spec", Map.of("fsGroupPolicy", "x"))),
                        "spec.fsGroupPolicy: Unsupported value"),
                row(
                        "an event elsewhere",
                        Kinds.EVENT,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", "e", "namespace", "x"),
                                "involvedObject",
                                Map.of("namespace", "y"))),
                        "involvedObject.namespace: Invalid value: \"y\": does not match event.namespace"),
                row(
                        "a lease of no time",
                        Kinds.LEASE,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", "l", "namespace", "x"),
                                "spec",
                                Map.of("leaseDurationSeconds", 0))),
                        "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"),
                row(
                        "a taint",
                        Kinds.NODE,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", "n"),
                                "spec",
                                Map.of("taints", List.of(Map.of("key", "k", "effect", "Nothing"))))),
                        "metadata.taints[0].effect: Unsupported value"),
                row(
                        "a taint without effect",
                        Kinds.NODE,
                        tainted(Map.of("key", "k")),
                        "metadata.taints[0].effect: Required value"),
                row(
                        "a value of a taint",
                        Kinds.NODE,
                        tainted(Map.of("key", "k", "value", "a b", "effect", "NoExecute")),
                        "metadata.taints[0].value: Invalid value: \"a b\": a valid label must be"),
                row(
                        "a taint twice",
                        Kinds.NODE,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", "n"),
                                "spec",
                                Map.of(
                                        "taints",
                                        List.of(
                                                Map.of("key", "k", "effect", "NoSchedule"),
                                                Map.of("key", "k", "effect", "NoExecute"),
                                                Map.of("key", "k", "effect", "NoSchedule", "value", "v"))))),
                        "metadata.taints[2]: Duplicate value: {"),
                row(
                        "a key",
                        Kinds.SECRET,
                        Document.of(Map.of(
                                "metadata", Map.of("name", "s", "namespace", "x"), "data", Map.of("a b", "eA=="))),
                        "data[a b]: Invalid value"),
                row(
                        "a key that only the kubelet may use for its files",
                        Kinds.CONFIG_MAP,
                        Document.of(Map.of(
                                "metadata", Map.of("name", "s", "namespace", "x"), "data", Map.of("..data", "x"))),
                        "data[..data]: Invalid value: \"..data\": must not start with '..'"));
    }

    static Stream<Named<Row>> changes() {
        Document here = POD.with("n1", "spec", "nodeName");
        return Stream.of(
                named(
                        "a provisioner",
                        new Row(
                                Kinds.STORAGE_CLASS,
                                CLASS,
                                CLASS.with("other", "provisioner"),
                                "provisioner: Forbidden: updates to provisioner are forbidden.")),
                named(
                        "parameters",
                        new Row(
                                Kinds.STORAGE_CLASS,
                                CLASS,
                                CLASS.with("b", "parameters", "a"),
                                "parameters: Forbidden: updates to parameters are forbidden.")),
                named(
                        "a reclaim policy",
                        new Row(
                                Kinds.STORAGE_CLASS,
                                CLASS,
                                CLASS.with("Retain", "reclaimPolicy"),
                                "reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.")),
                named(
                        "a binding mode",
                        new Row(
                                Kinds.STORAGE_CLASS,
                                CLASS,
                                CLASS.with("WaitForFirstConsumer", "volumeBindingMode"),
                                "volumeBindingMode: Invalid value: \"WaitForFirstConsumer\": field is immutable")),
                named(
                        "another node of an attachment",
                        new Row(
                                Kinds.VOLUME_ATTACHMENT,
                                ATTACHMENT,
                                ATTACHMENT.with("n2", "spec", "nodeName"),
                                "spec: Invalid value")),
                named(
                        "another node of a pod",
                        new Row(
                                Kinds.POD,
                                here,
                                here.with("n2", "spec", "nodeName"),
                                "spec: Forbidden: pod updates may not change")),
                named(
                        "fewer labels of the node of a gated pod",
                        new Row(
                                Kinds.POD,
                                gated(Map.of("disk", "fast")),
                                gated(Map.of("zone", "a")),
                                "spec.nodeSelector: Invalid value: {\"zone\":\"a\"}: only additions to spec.nodeSelector")),
                named(
                        "a wider affinity of a gated pod",
                        new Row(
                                Kinds.POD,
                                gated(List.of("a", "b")),
                                gated(List.of("a")),
                                "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]:"
                                        + " Invalid value")),
                named(
                        "labels of the node of a pod without gates",
                        new Row(
                                Kinds.POD,
                                POD,
                                POD.with("a", "spec", "nodeSelector", "zone"),
                                "spec: Forbidden: pod updates may not change")),
                named(
                        "other volumes of a pod",
                        new Row(
                                Kinds.POD,
                                POD,
                                POD.with(
                                        List.of(Map.of("name", "v", "emptyDir", Map.of("medium", ""))),
                                        "spec",
                                        "volumes"),
                                "spec: Forbidden: pod updates may not change")));
    }

    static Stream<Named<Row>> allowedChanges() {
        return Stream.of(
                named(
                        "more labels of the node of a gated pod",
                        new Row(
                                Kinds.POD,
                                gated(Map.of("disk", "fast")),
                                gated(Map.of("disk", "fast", "zone", "a")),
                                "")),
                named(
                        "a narrower affinity of a gated pod",
                        new Row(Kinds.POD, gated(List.of("a")), gated(List.of("a", "b")), "")),
                named("the number of volumes of a driver", new Row(Kinds.CSI_NODE, driverWith(5L), driverWith(4L), "")),
                named("a first node of a pod", new Row(Kinds.POD, POD, POD.with("n1", "spec", "nodeName"), "")));
    }

    private static Document tainted(Map<String, Object> taint) {
        return Document.of(Map.of("metadata", Map.of("name", "n"), "spec", Map.of("taints", List.of(taint))));
    }

    private static Map<String, Object> driver() {
        return Map.of("name", "d", "nodeID", "n");
    }

    @Test
    void aDriverChangesButForTwoFields() {
        Document driver = Document.of(Map.of(
                "metadata",
                Map.of("name", "d"),
                "spec",
                Map.of(
                        "attachRequired",
                        true,
                        "podInfoOnMount",
                        false,
                        "fsGroupPolicy",
                        "File",
                        "volumeLifecycleModes",
                        List.of("Persistent"))));
        Document changed = driver.with(true, "spec", "podInfoOnMount")
                .with("None", "spec", "fsGroupPolicy")
                .with(true, "spec", "requiresRepublish");

        assertThat(Rows.VALIDATION.onUpdate(Kinds.CSI_DRIVER, driver, changed)).isEmpty();
        assertThat(Rows.VALIDATION.onUpdate(Kinds.CSI_DRIVER, driver, driver.with(false, "spec", "attachRequired")))
                .extracting(FieldError::toString)
                .containsExactly("spec.attachRequired: Invalid value: false: field is immutable");
    }

    @Test
    void whatIsImmutableStays() {
        Document map = Document.of(
                Map.of("metadata", Map.of("name", "m", "namespace", "x"), "data", Map.of("k", "v"), "immutable", true));

        assertThat(Rows.VALIDATION.onUpdate(Kinds.CONFIG_MAP, map, map.with("w", "data", "k")))
                .extracting(FieldError::toString)
                .containsExactly("data: Forbidden: field is immutable when `immutable` is set");
        assertThat(Rows.VALIDATION.onUpdate(Kinds.CONFIG_MAP, map, map.without("immutable")))
                .extracting(FieldError::toString)
                .containsExactly("immutable: Forbidden: field is immutable when `immutable` is set");
    }

    private static Document gated(Map<String, String> selector) {
        return POD.with(List.of(Map.of("name", "wait")), "spec", "schedulingGates")
                .with(selector, "spec", "nodeSelector");
    }

    /** Whose node has all of these labels. */
    private static Document gated(List<String> labels) {
        List<Map<String, String>> expressions = labels.stream()
                .map(label -> Map.of("key", label, "operator", "Exists"))
                .toList();
        return gated(Map.of())
                .with(
                        List.of(Map.of("matchExpressions", expressions)),
                        "spec",
                        "affinity",
                        "nodeAffinity",
                        "requiredDuringSchedulingIgnoredDuringExecution",
                        "nodeSelectorTerms");
    }

    private static Document driverWith(long volumes) {
        return Document.of(Map.of(
                "metadata",
                Map.of("name", "n1"),
                "spec",
                Map.of(
                        "drivers",
                        List.of(Map.of("name", "d", "nodeID", "n", "allocatable", Map.of("count", volumes))))));
    }
}
