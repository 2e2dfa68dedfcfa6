// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.DocumentEdit;
import dev.mooring.storage.document.FieldSelection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KindTest {
    private static Document volume() {
        return Document.of(Map.of(
                "apiVersion", "v1",
                "kind", "PersistentVolume",
                "metadata", Map.of("name", "pv3", "labels", Map.of("a", "b"), "uid", "u"),
                "spec",
                        Map.of(
                                "capacity", Map.of("storage", "5Gi"),
                                "accessModes", List.of("ReadWriteOnce", "ReadWriteOncePod"),
                                "persistentVolumeReclaimPolicy", "Recycle",
                                "nfs", Map.of("server", "s", "path", "/p", "future", 1)),
                "status", Map.of("phase", "Available")));
    }

    @Test
    void writesWhatItRead() {
        PersistentVolume volume = Kinds.PERSISTENT_VOLUME.read(volume());
        assertThat(volume.spec().accessModes())
                .containsExactly(AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_ONCE_POD);
        assertThat(volume.spec().capacity()).containsEntry("storage", Quantity.parse("5Gi"));
        assertThat(volume.status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);
        assertThat(Kinds.PERSISTENT_VOLUME.write(volume)).isEqualTo(volume());
    }

    @Test
    void equalValuesAreSharedButKeepHowTheyAreWritten() {
        PersistentVolume volume = Kinds.PERSISTENT_VOLUME.read(volume());
        PersistentVolume other = Kinds.PERSISTENT_VOLUME.read(volume().with("pv4", "metadata", "name"));
        assertThat(other.metadata().labels()).isSameAs(volume.metadata().labels());
        assertThat(other.spec().capacity()).isSameAs(volume.spec().capacity());
        assertThat(other.spec().accessModes()).isSameAs(volume.spec().accessModes());
        PersistentVolume plain =
                Kinds.PERSISTENT_VOLUME.read(volume().with("5368709120", "spec", "capacity", "storage"));
        assertThat(plain.spec().capacity()).isEqualTo(volume.spec().capacity());
        assertThat(Kinds.PERSISTENT_VOLUME.write(plain).at("spec", "capacity", "storage"))
                .contains("5368709120");
    }

    @Test
    void secretsAreNotShared() {
        Document secret = Document.of(Map.of("metadata", Map.of("name", "s"), "data", Map.of("k", "dg==")));
        assertThat(Kinds.SECRET.read(secret).data())
                .isNotSameAs(Kinds.SECRET.read(secret).data());
    }

    @Test
    void whatIsNotKeptReadsAsAbsent() {
        Document pod = Document.of(Map.of(
                "metadata", Map.of("name", "p", "labels", Map.of("a", "1", "b", "2"), "annotations", Map.of("c", "3")),
                "spec",
                        Map.of(
                                "nodeName", "n1",
                                "containers", List.of(Map.of("name", "c", "image", "i")),
                                "volumes",
                                        List.of(
                                                Map.of("name", "d", "nfs", Map.of("server", "s", "path", "/p")),
                                                Map.of("name", "t", "secret", Map.of("secretName", "x")))),
                "status",
                        Map.of(
                                "phase",
                                "Running",
                                "containerStatuses",
                                List.of(Map.of(
                                        "name",
                                        "c",
                                        "state",
                                        Map.of("waiting", Map.of("reason", "r", "message", "m")))))));
        FieldSelection kept = FieldSelection.of(
                        "metadata.name",
                        "metadata.labels.a",
                        "spec.nodeName",
                        "spec.volumes",
                        "status.containerStatuses.state.waiting.reason")
                .without("spec", "volumes", "secret")
                .without("spec", "volumes", "nfs", "path");
        Pod whole = Kinds.POD.read(pod);
        Pod part = Kinds.POD.keep(whole, kept);
        assertThat(part).isEqualTo(Kinds.POD.read(pod.keep(kept)));
        assertThat(Kinds.POD.write(part))
                .isEqualTo(Document.of(Map.of(
                        "apiVersion", "v1",
                        "kind", "Pod",
                        "metadata", Map.of("name", "p", "labels", Map.of("a", "1")),
                        "spec",
                                Map.of(
                                        "nodeName",
                                        "n1",
                                        "volumes",
                                        List.of(
                                                Map.of("name", "d", "nfs", Map.of("server", "s")),
                                                Map.of("name", "t"))),
                        "status",
                                Map.of(
                                        "phase",
                                        "Pending",
                                        "containerStatuses",
                                        List.of(Map.of("state", Map.of("waiting", Map.of("reason", "r"))))))));
        assertThat(Kinds.POD.keep(part, kept))
                .as("nothing is left to leave out")
                .isSameAs(part);
        assertThat(Kinds.POD.keep(whole, FieldSelection.ALL)).isSameAs(whole);
    }

    @Test
    void whatIsNotModelledSurvivesAnEditAtEveryLevel() {
        Document current = volume().with(1, "x")
                .with(1, "metadata", "x")
                .with(1, "spec", "x")
                .with(1, "status", "x");
        PersistentVolume before = Kinds.PERSISTENT_VOLUME.read(current);
        PersistentVolume after = before.withMetadata(
                        before.metadata().withAnnotation("k", "v").withFinalizer("f"))
                .withStatus(before.status().withPhase(PersistentVolumePhase.BOUND));
        DocumentEdit edit =
                DocumentEdit.between(Kinds.PERSISTENT_VOLUME.write(before), Kinds.PERSISTENT_VOLUME.write(after));
        assertThat(edit.applyTo(current))
                .isEqualTo(current.with("v", "metadata", "annotations", "k")
                        .with(List.of("f"), "metadata", "finalizers")
                        .with("Bound", "status", "phase"));
    }

    @Test
    void whatContainersAskForAndAreGivenIsWrittenAsItWasRead() {
        Map<String, ?> container = Map.of(
                "name", "main",
                "image", "registry.example.com/app:1",
                "resources", Map.of("requests", Map.of("cpu", "100m"), "limits", Map.of("hugepages-2Mi", "4Mi")),
                "restartPolicy", "Always",
                "env",
                        List.of(
                                Map.of("name", "A", "value", "x"),
                                Map.of(
                                        "name",
                                        "B",
                                        "valueFrom",
                                        Map.of("secretKeyRef", Map.of("name", "s", "key", "k", "future", 1)))),
                "envFrom", List.of(Map.of("prefix", "P_", "configMapRef", Map.of("name", "c"))),
                "securityContext", Map.of("seLinuxOptions", Map.of("level", "s0:c1,c2")));
        Document pod = Document.of(Map.of(
                "apiVersion", "v1",
                "kind", "Pod",
                "metadata", Map.of("name", "web"),
                "spec",
                        Map.of(
                                "containers", List.of(container),
                                "resources", Map.of("limits", Map.of("memory", "1Gi")),
                                "overhead", Map.of("memory", "16Mi"),
                                "serviceAccountName", "robot",
                                "securityContext",
                                        Map.of(
                                                "seLinuxOptions",
                                                Map.of("type", "container_t"),
                                                "seLinuxChangePolicy",
                                                "Recursive")),
                "status", Map.of("phase", "Pending")));
        assertThat(Kinds.POD.write(Kinds.POD.read(pod))).isEqualTo(pod);
        Document newer = pod.with(Map.of("x", 1), "spec", "resources", "claims");
        Pod read = Kinds.POD.read(newer);
        DocumentEdit edit = DocumentEdit.between(
                Kinds.POD.write(read),
                Kinds.POD.write(read.withStatus(read.status().withPhase(PodPhase.RUNNING))));
        assertThat(edit.applyTo(newer)).isEqualTo(newer.with("Running", "status", "phase"));
    }

    @Test
    void aKnownSourceWinsOverANewField() {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("newField", Map.of("a", 1));
        spec.put("nfs", Map.of("server", "s", "path", "/p"));
        Document document = Document.of(Map.of("metadata", Map.of("name", "n"), "spec", spec));
        assertThat(Kinds.PERSISTENT_VOLUME
                        .read(document)
                        .spec()
                        .source()
                        .orElseThrow()
                        .type())
                .isEqualTo("nfs");
    }

    @Test
    void aSourceOfAThirdPartyIsTaken() {
        Document document = volume().without("spec", "nfs").with(Map.of("id", 7), "spec", "acme");
        VolumeSource source =
                Kinds.PERSISTENT_VOLUME.read(document).spec().source().orElseThrow();
        assertThat(source).isEqualTo(new VolumeSource("acme", Document.of(Map.of("id", 7))));
    }

    @Test
    void leaseTimesAlwaysHaveSixDigits() {
        Document lease = Document.of(Map.of(
                "metadata", Map.of("namespace", "ns", "name", "l"),
                "spec", Map.of("renewTime", "2026-01-02T03:04:05.000000Z")));
        assertThat(Kinds.LEASE.write(Kinds.LEASE.read(lease)).text("spec", "renewTime"))
                .contains("2026-01-02T03:04:05.000000Z");
        Document dated = lease.with("2026-01-02T03:04:05Z", "metadata", "creationTimestamp");
        assertThat(Kinds.LEASE.write(Kinds.LEASE.read(dated)).text("metadata", "creationTimestamp"))
                .contains("2026-01-02T03:04:05Z");
    }

    @Test
    void anErrorNamesTheField() {
        Document wrong = volume().with("5Gigs", "spec", "capacity", "storage");
        assertThatThrownBy(() -> Kinds.PERSISTENT_VOLUME.read(wrong))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("spec.capacity.storage");
    }

    @Test
    void anUnknownConstantIsKeptByAnEditOfSomethingElse() {
        Document current = volume().with("Paused", "status", "phase");
        PersistentVolume before = Kinds.PERSISTENT_VOLUME.read(current);
        assertThat(before.status().phase()).isEqualTo(PersistentVolumePhase.UNKNOWN);
        PersistentVolume after = before.withStatus(before.status().withMessage("m"));
        DocumentEdit edit =
                DocumentEdit.between(Kinds.PERSISTENT_VOLUME.write(before), Kinds.PERSISTENT_VOLUME.write(after));
        assertThat(edit.applyTo(current).text("status", "phase")).contains("Paused");
    }

    @Test
    void secretsDoNotShow() {
        Document document = Document.of(
                Map.of("metadata", Map.of("namespace", "n", "name", "s"), "data", Map.of("password", "aHVudGVyMg==")));
        Secret secret = Kinds.SECRET.read(document);
        assertThat(secret.toString()).doesNotContain("aHVudGVyMg").doesNotContain("hunter2");
        assertThat(Kinds.SECRET.write(secret).text("data", "password")).contains("aHVudGVyMg==");
    }

    @Test
    void everyStandardKindReadsAnObjectWithNothingButAName() {
        for (Kind<?> kind : Kinds.standard().all()) {
            Document bare = Document.of(Map.of("metadata", Map.of("name", "n")));
            assertThat(kind.read(bare).metadata().name()).as(kind.name()).isEqualTo("n");
            assertThat(Kinds.standard().byName(kind.apiVersion(), kind.name())).contains(kind);
        }
    }
}
