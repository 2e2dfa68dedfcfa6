// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Named;

/** Sound objects, and rows of tables that say what is changed in them and what is said about it. */
final class Rows {
    static final Validation VALIDATION = Validation.standard();
    static final Map<String, Object> NFS = Map.of("server", "s", "path", "/p");

    static final Document VOLUME = Document.of(Map.of(
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
    static final Document CLAIM = Document.of(Map.of(
            "metadata", Map.of("name", "a", "namespace", "x", "uid", "u1"),
            "spec",
                    Map.of(
                            "resources", Map.of("requests", Map.of("storage", "2Gi")),
                            "accessModes", List.of("ReadWriteOnce"),
                            "volumeMode", "Filesystem"),
            "status", Map.of("phase", "Pending")));
    static final Document BOUND = CLAIM.with("Bound", "status", "phase")
            .with("pv1", "spec", "volumeName")
            .with("1Gi", "status", "capacity", "storage");
    static final Document CLASS = Document.of(Map.of(
            "metadata", Map.of("name", "gold"),
            "provisioner", "example.com/disk",
            "reclaimPolicy", "Delete",
            "volumeBindingMode", "Immediate"));
    static final Document POD = Document.of(Map.of(
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
    static final Document ATTACHMENT = Document.of(Map.of(
            "metadata", Map.of("name", "va"),
            "spec",
                    Map.of(
                            "attacher",
                            "d.example.com",
                            "nodeName",
                            "n1",
                            "source",
                            Map.of("persistentVolumeName", "a"))));

    private Rows() {}

    static Map<String, Object> owner(String uid) {
        return Map.of("apiVersion", "v1", "kind", "Pod", "name", "p", "uid", uid, "controller", true);
    }

    static List<Object> term(String value) {
        return List.of(
                Map.of("matchExpressions", List.of(Map.of("key", "zone", "operator", "In", "values", List.of(value)))));
    }

    static Named<Row> pv(String name, Document object, String message) {
        return row("volume: " + name, Kinds.PERSISTENT_VOLUME, object, message);
    }

    static Named<Row> claim(String name, Document object, String message) {
        return row("claim: " + name, Kinds.PERSISTENT_VOLUME_CLAIM, object, message);
    }

    static Named<Row> row(String name, Kind<?> kind, Document object, String message) {
        return named(name, new Row(kind, object, object, message));
    }

    static Named<Row> change(String name, Document before, Document after, String message) {
        return named("volume: " + name, new Row(Kinds.PERSISTENT_VOLUME, before, after, message));
    }

    static Named<Row> claimChange(String name, Document before, Document after, String message) {
        return named("claim: " + name, new Row(Kinds.PERSISTENT_VOLUME_CLAIM, before, after, message));
    }

    static Named<Row> named(String name, Row row) {
        return Named.of(name, row);
    }

    /** What is written, and how the first complaint begins. */
    record Row(Kind<?> kind, Document before, Document after, String message) {
        void isRefusedWhenNew() {
            assertThat(VALIDATION.onCreate(kind, after)).first().asString().startsWith(message);
        }

        void isRefusedAsAChange() {
            assertThat(VALIDATION.onUpdate(kind, before, after))
                    .first()
                    .asString()
                    .startsWith(message);
        }

        void isAllowedAsAChange() {
            assertThat(VALIDATION.onUpdate(kind, before, after)).isEmpty();
        }
    }
}
