// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static dev.mooring.clusterstore.validation.Rows.VALIDATION;
import static dev.mooring.clusterstore.validation.Rows.VOLUME;
import static dev.mooring.clusterstore.validation.Rows.change;
import static dev.mooring.clusterstore.validation.Rows.pv;
import static dev.mooring.clusterstore.validation.Rows.term;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.validation.Rows.Row;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;

/** One row per rule of semantics/binder §1.12 about volumes. */
class VolumeRulesTest extends RulesTable {
    @Test
    void l01_aLocalVolumeNeedsAnAffinity() {
        Document local = VOLUME.without("spec", "nfs").with(Map.of("path", "/mnt"), "spec", "local");

        assertThat(VALIDATION.onCreate(Kinds.PERSISTENT_VOLUME, local))
                .singleElement()
                .asString()
                .startsWith("spec.nodeAffinity: Required value: Local volume requires node affinity");
    }

    static Stream<Named<Row>> objects() {
        Document bare = VOLUME.without("spec", "nfs");
        Document local = bare.with(Map.of("path", "/mnt"), "spec", "local");
        return Stream.of(
                pv("no access mode", VOLUME.with(List.of(), "spec", "accessModes"), "spec.accessModes: Required value"),
                pv(
                        "an unknown access mode",
                        VOLUME.with(List.of("Never"), "spec", "accessModes"),
                        "spec.accessModes: Unsupported value: \"Never\": supported values: \"ReadOnlyMany\", \"ReadWriteMany\","),
                pv(
                        "RWOP and another",
                        VOLUME.with(List.of("ReadWriteOncePod", "ReadWriteOnce"), "spec", "accessModes"),
                        "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes"),
                pv("no capacity", VOLUME.without("spec", "capacity"), "spec.capacity: Required value"),
                pv("another resource", VOLUME.with("1", "spec", "capacity", "cpu"), "spec.capacity: Unsupported value"),
                pv(
                        "nothing",
                        VOLUME.with("0", "spec", "capacity", "storage"),
                        "spec.capacity[storage]: Invalid value: \"0\": must be greater than zero"),
                pv(
                        "less than nothing",
                        VOLUME.with("-1Gi", "spec", "capacity", "storage"),
                        "spec.capacity[storage]: Invalid"),
                pv(
                        "an unknown policy",
                        VOLUME.with("Burn", "spec", "persistentVolumeReclaimPolicy"),
                        "spec.persistentVolumeReclaimPolicy: Unsupported value: \"Burn\""),
                pv("an unknown mode", VOLUME.with("Tape", "spec", "volumeMode"), "spec.volumeMode: Unsupported value"),
                pv("no source", bare, "spec: Required value: must specify a volume type"),
                pv(
                        "two sources",
                        VOLUME.with(Map.of("path", "/p"), "spec", "hostPath"),
                        "spec.hostPath: Forbidden: may not specify more than 1 volume type"),
                pv("NFS without server", VOLUME.without("spec", "nfs", "server"), "spec.nfs.server: Required value"),
                pv(
                        "a relative export",
                        VOLUME.with("p", "spec", "nfs", "path"),
                        "spec.nfs.path: Invalid value: \"p\": must be an absolute path"),
                pv(
                        "upwards",
                        bare.with("/a/../b", "spec", "hostPath", "path"),
                        "spec.hostPath.path: Invalid value: \"/a/../b\": must not contain '..'"),
                pv(
                        "local without affinity",
                        local,
                        "spec.nodeAffinity: Required value: Local volume requires node affinity"),
                pv(
                        "an affinity without terms",
                        VOLUME.with(Map.of("nodeSelectorTerms", List.of()), "spec", "nodeAffinity", "required"),
                        "spec.nodeAffinity.required.nodeSelectorTerms: Required value"),
                pv(
                        "an odd IQN",
                        bare.with(Map.of("targetPortal", "1", "iqn", "x"), "spec", "iscsi"),
                        "spec.iscsi.iqn: Invalid"),
                pv(
                        "an IQN without a date",
                        bare.with(Map.of("targetPortal", "1", "iqn", "iqn.example.com:x"), "spec", "iscsi"),
                        "spec.iscsi.iqn: Invalid value: \"iqn.example.com:x\": must be valid format"),
                pv(
                        "a short EUI",
                        bare.with(Map.of("targetPortal", "1", "iqn", "eui.0123"), "spec", "iscsi"),
                        "spec.iscsi.iqn: Invalid value: \"eui.0123\": must be valid format"),
                pv(
                        "an interface with too long a name",
                        bare.with(
                                Map.of(
                                        "targetPortal",
                                        "a".repeat(64),
                                        "iqn",
                                        "iqn.2017-05.com.example:x",
                                        "initiatorName",
                                        "naa." + "0".repeat(32)),
                                "spec",
                                "iscsi"),
                        "spec.iscsi.targetPortal: Invalid value"),
                pv(
                        "a secret without a name",
                        bare.with(
                                Map.of(
                                        "targetPortal",
                                        "1",
                                        "iqn",
                                        "iqn.2017-05.com.example:x",
                                        "secretRef",
                                        Map.of("namespace", "x")),
                                "spec",
                                "iscsi"),
                        "spec.iscsi.secretRef.name: Required value"),
                pv(
                        "a LUN too far",
                        bare.with(
                                Map.of("targetPortal", "1", "iqn", "eui.0123456789abcdef", "lun", 256),
                                "spec",
                                "iscsi"),
                        "spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive"),
                pv(
                        "CSI without driver",
                        bare.with("h", "spec", "csi", "volumeHandle"),
                        "spec.csi.driver: Required value"),
                pv(
                        "CSI without handle",
                        bare.with("d", "spec", "csi", "driver"),
                        "spec.csi.volumeHandle: Required value"),
                pv(
                        "a CSI secret without a name",
                        csi("controllerPublishSecretRef", Map.of("namespace", "x")),
                        "spec.csi.controllerPublishSecretRef.name: Required value"),
                pv(
                        "a CSI secret without a namespace",
                        csi("nodePublishSecretRef", Map.of("name", "s")),
                        "spec.csi.nodePublishSecretRef.namespace: Required value"),
                pv(
                        "a CSI secret with an odd name",
                        csi("controllerExpandSecretRef", Map.of("name", "A", "namespace", "x")),
                        "spec.csi.controllerExpandSecretRef.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain"),
                pv(
                        "an affinity by a field that no node has",
                        onNode("metadata.uid", "In", List.of("n1")),
                        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].key: Invalid value: \"metadata.uid\": not a"
                                + " valid field selector key"),
                pv(
                        "an affinity to two nodes at once",
                        onNode("metadata.name", "In", List.of("n1", "n2")),
                        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].values: Required value: must be only one"
                                + " value"),
                pv(
                        "an affinity to any node by its name",
                        onNode("metadata.name", "Exists", List.of()),
                        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].operator: Invalid value: \"Exists\""),
                pv(
                        "an affinity to what is no name",
                        onNode("metadata.name", "In", List.of("N 1")),
                        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].values[0]: Invalid value: \"N 1\""),
                pv(
                        "recycling the root",
                        bare.with("/", "spec", "hostPath", "path")
                                .with("Recycle", "spec", "persistentVolumeReclaimPolicy"),
                        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"),
                pv(
                        "a class name",
                        VOLUME.with("A", "spec", "storageClassName"),
                        "spec.storageClassName: Invalid value"),
                pv(
                        "an empty attributes class",
                        VOLUME.with("", "spec", "volumeAttributesClassName"),
                        "spec.volumeAttributesClassName: Required value: an empty string is disallowed"),
                pv(
                        "an attributes class without CSI",
                        VOLUME.with("fast", "spec", "volumeAttributesClassName"),
                        "spec.csi: Required value: has to be specified when using volumeAttributesClassName"));
    }

    private static Document csi(String secret, Map<String, Object> reference) {
        Map<String, Object> source = Map.of("driver", "d", "volumeHandle", "h", secret, reference);
        return VOLUME.without("spec", "nfs").with(source, "spec", "csi");
    }

    private static Document onNode(String key, String operator, List<String> values) {
        Map<String, Object> field = Map.of("key", key, "operator", operator, "values", values);
        return VOLUME.with(
                List.of(Map.of("matchFields", List.of(field))),
                "spec",
                "nodeAffinity",
                "required",
                "nodeSelectorTerms");
    }

    /** As templates write it where there is nothing to say. */
    @Test
    void whatIsNullIsNoSource() {
        Document twice = VOLUME.with(JsonNull.NULL, "spec", "hostPath");
        assertThat(VALIDATION.onCreate(Kinds.PERSISTENT_VOLUME, twice)).isEmpty();
    }

    @Test
    void aVolumeWithoutCapacityHasNoStorageEither() {
        assertThat(VALIDATION.onCreate(Kinds.PERSISTENT_VOLUME, VOLUME.without("spec", "capacity")))
                .extracting(FieldError::problem)
                .containsExactly(FieldError.Problem.REQUIRED, FieldError.Problem.NOT_SUPPORTED);
    }

    static Stream<Named<Row>> changes() {
        Document zone = VOLUME.with(term("a"), "spec", "nodeAffinity", "required", "nodeSelectorTerms");
        Document csi = VOLUME.without("spec", "nfs")
                .with(Map.of("driver", "d", "volumeHandle", "h"), "spec", "csi")
                .with("fast", "spec", "volumeAttributesClassName");
        return Stream.of(
                change(
                        "the source",
                        VOLUME,
                        VOLUME.with("t", "spec", "nfs", "server"),
                        "spec.persistentvolumesource: Forbidden"),
                change(
                        "the mode",
                        VOLUME,
                        VOLUME.with("Block", "spec", "volumeMode"),
                        "volumeMode: Invalid value: \"Block\": field is immutable"),
                change(
                        "the affinity",
                        zone,
                        zone.with(term("b"), "spec", "nodeAffinity", "required", "nodeSelectorTerms"),
                        "spec.nodeAffinity: Invalid value"),
                change(
                        "the affinity back to the beta labels",
                        labelled("topology.kubernetes.io/zone", "a"),
                        labelled("failure-domain.beta.kubernetes.io/zone", "a"),
                        "spec.nodeAffinity: Invalid value: {\"required\""),
                change(
                        "the affinity to a stable label with another value",
                        labelled("failure-domain.beta.kubernetes.io/zone", "a"),
                        labelled("topology.kubernetes.io/zone", "b"),
                        "spec.nodeAffinity: Invalid value"),
                change(
                        "the affinity to the stable label of something else",
                        labelled("failure-domain.beta.kubernetes.io/zone", "a"),
                        labelled("topology.kubernetes.io/region", "a"),
                        "spec.nodeAffinity: Invalid value"),
                change(
                        "no affinity any longer",
                        zone,
                        zone.without("spec", "nodeAffinity"),
                        "spec.nodeAffinity: Invalid value: \"null\": field is immutable"),
                change(
                        "no attributes class any longer",
                        csi,
                        csi.without("spec", "volumeAttributesClassName"),
                        "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil"));
    }

    static Stream<Named<Row>> allowedChanges() {
        Document mutable = VOLUME.with(List.of("ReadOnlyMany"), "spec", "accessModes")
                .with("2Gi", "spec", "capacity", "storage")
                .with("gold", "spec", "storageClassName")
                .with("Delete", "spec", "persistentVolumeReclaimPolicy")
                .with(Map.of("name", "c", "namespace", "x"), "spec", "claimRef")
                .with("b", "metadata", "labels", "a");
        return Stream.of(
                change("modes, capacity, class, policy, claim, labels", VOLUME, mutable, ""),
                change(
                        "a first secret for expansion",
                        csi("nodePublishSecretRef", Map.of("name", "s", "namespace", "x")),
                        csi("nodePublishSecretRef", Map.of("name", "s", "namespace", "x"))
                                .with(
                                        Map.of("name", "s", "namespace", "x"),
                                        "spec",
                                        "csi",
                                        "controllerExpandSecretRef"),
                        ""),
                change(
                        "the zone's label becomes stable",
                        labelled("failure-domain.beta.kubernetes.io/zone", "a"),
                        labelled("topology.kubernetes.io/zone", "a"),
                        ""),
                change(
                        "the region's label becomes stable",
                        labelled("failure-domain.beta.kubernetes.io/region", "a"),
                        labelled("topology.kubernetes.io/region", "a"),
                        ""),
                change(
                        "the label of the operating system becomes stable",
                        labelled("beta.kubernetes.io/os", "linux"),
                        labelled("kubernetes.io/os", "linux"),
                        ""),
                change(
                        "the label of the architecture becomes stable",
                        labelled("beta.kubernetes.io/arch", "amd64"),
                        labelled("kubernetes.io/arch", "amd64"),
                        ""),
                change(
                        "the label of the instance's type becomes stable",
                        labelled("beta.kubernetes.io/instance-type", "m"),
                        labelled("node.kubernetes.io/instance-type", "m"),
                        ""),
                change(
                        "a first affinity",
                        VOLUME,
                        VOLUME.with(term("a"), "spec", "nodeAffinity", "required", "nodeSelectorTerms"),
                        ""));
    }

    private static Document labelled(String key, String value) {
        Map<String, Object> expression = Map.of("key", key, "operator", "In", "values", List.of(value));
        return VOLUME.with(
                List.of(Map.of("matchExpressions", List.of(expression))),
                "spec",
                "nodeAffinity",
                "required",
                "nodeSelectorTerms");
    }
}
