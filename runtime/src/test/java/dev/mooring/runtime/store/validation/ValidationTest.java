// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.store.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One row per rule of semantics/binder §1.12 and of metadata: what is changed in a sound object, and what is said about it. */
class ValidationTest {
    private static final Validation VALIDATION = Validation.standard();
    private static final Map<String, Object> NFS = Map.of("server", "s", "path", "/p");

    private static final Document VOLUME = Document.of(Map.of(
            "metadata", Map.of("name", "a", "uid", "u1"),
            "spec",
                    Map.of(
                            "capacity",
                            Map.of("storage", "1Gi"),
                            "accessModes",
                            List.of("ReadWriteOnce"),
                            "persistentVolumeReclaimPolicy",
                            "Retain",
                            "volumeMode",
                            "Filesystem",
                            "nfs",
                            NFS)));
    private static final Document CLAIM = Document.of(Map.of(
            "metadata", Map.of("name", "a", "namespace", "x", "uid", "u1"),
            "spec",
                    Map.of(
                            "resources", Map.of("requests", Map.of("storage", "2Gi")),
                            "accessModes", List.of("ReadWriteOnce"),
                            "volumeMode", "Filesystem"),
            "status", Map.of("phase", "Pending")));
    private static final Document BOUND = CLAIM.with("Bound", "status", "phase")
            .with("pv1", "spec", "volumeName")
            .with("1Gi", "status", "capacity", "storage");
    private static final Document CLASS = Document.of(Map.of(
            "metadata", Map.of("name", "gold"),
            "provisioner", "example.com/disk",
            "reclaimPolicy", "Delete",
            "volumeBindingMode", "Immediate"));
    private static final Document POD = Document.of(Map.of(
            "metadata", Map.of("name", "p", "namespace", "x"),
            "spec",
                    Map.of(
                            "containers",
                                    List.of(Map.of(
                                            "name",
                                            "c",
                                            "volumeMounts",
                                            List.of(Map.of("name", "v", "mountPath", "/v")))),
                            "volumes",
                                    List.of(Map.of("name", "v", "persistentVolumeClaim", Map.of("claimName", "a"))))));
    private static final Document ATTACHMENT = Document.of(Map.of(
            "metadata", Map.of("name", "va"),
            "spec",
                    Map.of(
                            "attacher",
                            "d.example.com",
                            "nodeName",
                            "n1",
                            "source",
                            Map.of("persistentVolumeName", "a"))));

    @Test
    void soundObjectsAreSound() {
        assertThat(VALIDATION.onCreate(Kinds.PERSISTENT_VOLUME, VOLUME)).isEmpty();
        assertThat(VALIDATION.onCreate(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM)).isEmpty();
        assertThat(VALIDATION.onCreate(Kinds.STORAGE_CLASS, CLASS)).isEmpty();
        assertThat(VALIDATION.onCreate(Kinds.POD, POD)).isEmpty();
        assertThat(VALIDATION.onCreate(Kinds.VOLUME_ATTACHMENT, ATTACHMENT)).isEmpty();
    }

    @Test
    void l01_aLocalVolumeNeedsAnAffinity() {
        Document local = VOLUME.without("spec", "nfs").with(Map.of("path", "/mnt"), "spec", "local");

        assertThat(VALIDATION.onCreate(Kinds.PERSISTENT_VOLUME, local))
                .singleElement()
                .asString()
                .startsWith("spec.nodeAffinity: Required value: Local volume requires node affinity");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"metadata", "volumes", "claims", "others"})
    void aNewObjectIsRefused(Row row) {
        assertThat(VALIDATION.onCreate(row.kind, row.after)).first().asString().startsWith(row.message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"volumeChanges", "claimChanges", "otherChanges"})
    void aChangeIsRefused(Row row) {
        assertThat(VALIDATION.onUpdate(row.kind, row.before, row.after))
                .first()
                .asString()
                .startsWith(row.message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("allowedChanges")
    void aChangeIsAllowed(Row row) {
        assertThat(VALIDATION.onUpdate(row.kind, row.before, row.after)).isEmpty();
    }

    static Stream<Named<Row>> metadata() {
        return Stream.of(
                pv(
                        "no name",
                        VOLUME.without("metadata", "name"),
                        "metadata.name: Required value: name or generateName"),
                pv(
                        "capitals",
                        VOLUME.with("A", "metadata", "name"),
                        "metadata.name: Invalid value: \"A\": a lowercase RFC 1123"),
                pv("a name too long", VOLUME.with("a".repeat(254), "metadata", "name"), "metadata.name: Invalid value"),
                pv(
                        "a namespace",
                        VOLUME.with("x", "metadata", "namespace"),
                        "metadata.namespace: Forbidden: not allowed on"),
                claim("no namespace", CLAIM.without("metadata", "namespace"), "metadata.namespace: Required value"),
                claim(
                        "a namespace with a dot",
                        CLAIM.with("x.y", "metadata", "namespace"),
                        "metadata.namespace: Invalid value"),
                pv(
                        "a label key",
                        VOLUME.with("1", "metadata", "labels", "/x"),
                        "metadata.labels: Invalid value: \"/x\": prefix"),
                pv(
                        "a label value",
                        VOLUME.with("a b", "metadata", "labels", "x"),
                        "metadata.labels: Invalid value: \"a b\": a valid"),
                pv(
                        "an annotation key",
                        VOLUME.with("1", "metadata", "annotations", "a b"),
                        "metadata.annotations: Invalid value"),
                pv(
                        "big annotations",
                        VOLUME.with("x".repeat(256 * 1024), "metadata", "annotations", "x"),
                        "metadata.annotations: Too long"),
                pv(
                        "a finalizer without domain",
                        VOLUME.with(List.of("mine"), "metadata", "finalizers"),
                        "metadata.finalizers[0]: Invalid value: \"mine\": name is neither a standard finalizer name nor"),
                pv(
                        "a malformed finalizer",
                        VOLUME.with(List.of("a b/c"), "metadata", "finalizers"),
                        "metadata.finalizers[0]: Invalid value"),
                pv(
                        "orphan and foreground",
                        VOLUME.with(List.of("orphan", "foregroundDeletion"), "metadata", "finalizers"),
                        "metadata.finalizers: Invalid value"),
                pv(
                        "an owner without uid",
                        VOLUME.with(
                                List.of(Map.of("apiVersion", "v1", "kind", "Pod", "name", "p")),
                                "metadata",
                                "ownerReferences"),
                        "metadata.ownerReferences[0].uid: Invalid value"),
                pv(
                        "two controllers",
                        VOLUME.with(List.of(owner("u1"), owner("u2")), "metadata", "ownerReferences"),
                        "metadata.ownerReferences: Invalid value"));
    }

    static Stream<Named<Row>> volumes() {
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
                        "a LUN too far",
                        bare.with(Map.of("targetPortal", "1", "iqn", "iqn.x", "lun", 256), "spec", "iscsi"),
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

    static Stream<Named<Row>> claims() {
        return Stream.of(
                claim(
                        "no access mode",
                        CLAIM.with(List.of(), "spec", "accessModes"),
                        "spec.accessModes: Required value: at least 1 access mode is required"),
                claim(
                        "RWOP and another",
                        CLAIM.with(List.of("ReadWriteOncePod", "ReadWriteOnce"), "spec", "accessModes"),
                        "spec.accessModes: Forbidden"),
                claim("no request", CLAIM.without("spec", "resources"), "spec.resources[storage]: Required value"),
                claim(
                        "a request of nothing",
                        CLAIM.with("0", "spec", "resources", "requests", "storage"),
                        "spec.resources[storage]: Invalid value: \"0\": must be greater than zero"),
                claim(
                        "an unknown mode",
                        CLAIM.with("Tape", "spec", "volumeMode"),
                        "spec.volumeMode: Unsupported value"),
                claim(
                        "a class name",
                        CLAIM.with("A", "spec", "storageClassName"),
                        "spec.storageClassName: Invalid value"),
                claim(
                        "a selector",
                        CLAIM.with(
                                List.of(Map.of("key", "a", "operator", "Like")),
                                "spec",
                                "selector",
                                "matchExpressions"),
                        "spec.selector.matchExpressions[0].operator: Invalid value: \"Like\""),
                claim(
                        "a source without name",
                        CLAIM.with(Map.of("kind", "PersistentVolumeClaim"), "spec", "dataSource"),
                        "spec.dataSource.name: Required value"),
                claim(
                        "a source of no group",
                        CLAIM.with(Map.of("kind", "Pod", "name", "p"), "spec", "dataSourceRef"),
                        "spec.dataSourceRef: Invalid value: \"Pod\": must be 'PersistentVolumeClaim' when referencing the"),
                claim(
                        "two sources",
                        CLAIM.with(Map.of("kind", "PersistentVolumeClaim", "name", "p"), "spec", "dataSourceRef")
                                .with(Map.of("kind", "PersistentVolumeClaim", "name", "q"), "spec", "dataSource"),
                        "spec.dataSource: Invalid value"));
    }

    static Stream<Named<Row>> others() {
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
                        "spec.taints[0].effect: Unsupported value"),
                row(
                        "a key",
                        Kinds.SECRET,
                        Document.of(Map.of(
                                "metadata", Map.of("name", "s", "namespace", "x"), "data", Map.of("a b", "eA=="))),
                        "data[a b]: Invalid value"));
    }

    static Stream<Named<Row>> volumeChanges() {
        Document zone = VOLUME.with(term("a"), "spec", "nodeAffinity", "required", "nodeSelectorTerms");
        Document csi = VOLUME.without("spec", "nfs")
                .with(Map.of("driver", "d", "volumeHandle", "h"), "spec", "csi")
                .with("fast", "spec", "volumeAttributesClassName");
        Document deleting = VOLUME.with("2000-01-01T00:00:00Z", "metadata", "deletionTimestamp");
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
                        "spec.volumeMode: Invalid value: \"Block\": field is immutable"),
                change(
                        "the affinity",
                        zone,
                        zone.with(term("b"), "spec", "nodeAffinity", "required", "nodeSelectorTerms"),
                        "spec.nodeAffinity: Invalid value"),
                change(
                        "no attributes class any longer",
                        csi,
                        csi.without("spec", "volumeAttributesClassName"),
                        "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil"),
                change(
                        "the uid",
                        VOLUME,
                        VOLUME.with("u2", "metadata", "uid"),
                        "metadata.uid: Invalid value: \"u2\": field is"),
                change(
                        "a finalizer while deleting",
                        deleting,
                        deleting.with(List.of("a.b/c"), "metadata", "finalizers"),
                        "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new"
                                + " finalizers []string{\"a.b/c\"}"));
    }

    static Stream<Named<Row>> claimChanges() {
        String fixed =
                "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName"
                        + " for bound claims";
        String[] request = {"spec", "resources", "requests", "storage"};
        Document used = BOUND.with("fast", "spec", "volumeAttributesClassName")
                .with("fast", "status", "currentVolumeAttributesClassName");
        Document annotated = CLAIM.with("old", "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
        Document classed = CLAIM.with("gold", "spec", "storageClassName");
        return Stream.of(
                claimChange(
                        "the access modes", CLAIM, CLAIM.with(List.of("ReadOnlyMany"), "spec", "accessModes"), fixed),
                claimChange("the mode", CLAIM, CLAIM.with("Block", "spec", "volumeMode"), fixed),
                claimChange("the selector", CLAIM, CLAIM.with("b", "spec", "selector", "matchLabels", "a"), fixed),
                claimChange(
                        "the data source",
                        CLAIM,
                        CLAIM.with(Map.of("kind", "PersistentVolumeClaim", "name", "q"), "spec", "dataSourceRef"),
                        fixed),
                claimChange("the volume, again", BOUND, BOUND.with("pv2", "spec", "volumeName"), fixed),
                claimChange("the volume, away", BOUND, BOUND.without("spec", "volumeName"), fixed),
                claimChange("the class, again", classed, classed.with("silver", "spec", "storageClassName"), fixed),
                claimChange("the class, away", classed, classed.without("spec", "storageClassName"), fixed),
                claimChange(
                        "another class than annotated",
                        annotated,
                        annotated.with("new", "spec", "storageClassName"),
                        fixed),
                claimChange("a request before binding", CLAIM, CLAIM.with("3Gi", request), fixed),
                claimChange(
                        "attributes before binding",
                        CLAIM,
                        CLAIM.with("v", "spec", "volumeAttributesClassName"),
                        fixed),
                claimChange(
                        "less than there is",
                        BOUND,
                        BOUND.with("512Mi", request),
                        "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"),
                claimChange(
                        "no attributes class any longer",
                        used,
                        used.without("spec", "volumeAttributesClassName"),
                        "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden"),
                claimChange(
                        "an empty attributes class",
                        used,
                        used.with("", "spec", "volumeAttributesClassName"),
                        "spec.volumeAttributesClassName: Forbidden: update from non-nil value to an empty string"),
                claimChange(
                        "the class annotation",
                        annotated,
                        annotated.with("new", "metadata", "annotations", "volume.beta.kubernetes.io/storage-class"),
                        "metadata.annotations[volume.beta.kubernetes.io/storage-class]: Invalid value: \"new\": field is"));
    }

    static Stream<Named<Row>> otherChanges() {
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
        String[] request = {"spec", "resources", "requests", "storage"};
        Document annotated = CLAIM.with("old", "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
        Document moved = CLAIM.with("old", "spec", "storageClassName");
        Document mutable = VOLUME.with(List.of("ReadOnlyMany"), "spec", "accessModes")
                .with("2Gi", "spec", "capacity", "storage")
                .with("gold", "spec", "storageClassName")
                .with("Delete", "spec", "persistentVolumeReclaimPolicy")
                .with(Map.of("name", "c", "namespace", "x"), "spec", "claimRef")
                .with("b", "metadata", "labels", "a");
        return Stream.of(
                change("modes, capacity, class, policy, claim, labels", VOLUME, mutable, ""),
                change(
                        "a first affinity",
                        VOLUME,
                        VOLUME.with(term("a"), "spec", "nodeAffinity", "required", "nodeSelectorTerms"),
                        ""),
                claimChange("a first volume", CLAIM, CLAIM.with("pv1", "spec", "volumeName"), ""),
                claimChange("a first class", CLAIM, CLAIM.with("gold", "spec", "storageClassName"), ""),
                claimChange("the annotated class as field", annotated, moved, ""),
                claimChange("growing", BOUND, BOUND.with("3Gi", request), ""),
                claimChange("shrinking to what there is", BOUND, BOUND.with("1Gi", request), ""),
                claimChange("the same amount in other words", CLAIM, CLAIM.with("2048Mi", request), ""),
                claimChange(
                        "attributes once bound", BOUND, BOUND.with("fast", "spec", "volumeAttributesClassName"), ""),
                named("a first node of a pod", new Row(Kinds.POD, POD, POD.with("n1", "spec", "nodeName"), "")));
    }

    private static Map<String, Object> owner(String uid) {
        return Map.of("apiVersion", "v1", "kind", "Pod", "name", "p", "uid", uid, "controller", true);
    }

    private static Map<String, Object> driver() {
        return Map.of("name", "d", "nodeID", "n");
    }

    private static List<Object> term(String value) {
        return List.of(
                Map.of("matchExpressions", List.of(Map.of("key", "zone", "operator", "In", "values", List.of(value)))));
    }

    private static Named<Row> pv(String name, Document object, String message) {
        return row("volume: " + name, Kinds.PERSISTENT_VOLUME, object, message);
    }

    private static Named<Row> claim(String name, Document object, String message) {
        return row("claim: " + name, Kinds.PERSISTENT_VOLUME_CLAIM, object, message);
    }

    private static Named<Row> row(String name, Kind<?> kind, Document object, String message) {
        return named(name, new Row(kind, object, object, message));
    }

    private static Named<Row> change(String name, Document before, Document after, String message) {
        return named("volume: " + name, new Row(Kinds.PERSISTENT_VOLUME, before, after, message));
    }

    private static Named<Row> claimChange(String name, Document before, Document after, String message) {
        return named("claim: " + name, new Row(Kinds.PERSISTENT_VOLUME_CLAIM, before, after, message));
    }

    private static Named<Row> named(String name, Row row) {
        return Named.of(name, row);
    }

    /** What is written, and how the first complaint begins. */
    record Row(Kind<?> kind, Document before, Document after, String message) {}

    @Test
    void severalProblemsAreToldInAFixedOrder() {
        Document broken =
                VOLUME.with("A", "metadata", "name").without("spec", "capacity").without("spec", "nfs");
        List<String> paths = new ArrayList<>();
        VALIDATION.onCreate(Kinds.PERSISTENT_VOLUME, broken).forEach(problem -> paths.add(problem.path()));
        assertThat(paths).containsExactly("metadata.name", "spec.capacity", "spec");
        assertThat(Collections.frequency(paths, "spec")).isOne();
    }
}
