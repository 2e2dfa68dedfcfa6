// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.defaulting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kinds;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a kube-apiserver 1.20 made of the same objects. */
class DefaultingTest {
    /** As the API server shows them. */
    @ParameterizedTest
    @CsvSource({
        "1.5Gi,1536Mi",
        "1024Mi,1Gi",
        "1000Mi,1000Mi",
        "0.5Gi,512Mi",
        "2000000000,2G",
        "1000000k,1G",
        "0.10,100m",
        "5Gi,5Gi",
        "much,much"
    })
    void amountsAreCanonical(String given, String kept) {
        Document volume = Document.empty().with(given, "spec", "capacity", "storage");
        assertThat(Defaulting.onUpdate(Kinds.PERSISTENT_VOLUME, volume).text("spec", "capacity", "storage"))
                .contains(kept);
        Document claim = Document.empty()
                .with(given, "spec", "resources", "requests", "storage")
                .with(given, "spec", "resources", "limits", "storage");
        Document filled = Defaulting.onCreate(Kinds.PERSISTENT_VOLUME_CLAIM, claim, Instant.EPOCH);
        assertThat(filled.text("spec", "resources", "requests", "storage")).contains(kept);
        assertThat(filled.text("spec", "resources", "limits", "storage")).contains(kept);
        Document bound = claim.with(given, "status", "capacity", "storage");
        assertThat(Defaulting.onStatusUpdate(Kinds.PERSISTENT_VOLUME_CLAIM, claim, bound, Instant.EPOCH)
                        .text("status", "capacity", "storage"))
                .contains(kept);
    }

    @Test
    void amountsOfPodsAreCanonicalToo() {
        Document pod = Document.of(Map.of(
                "spec",
                Map.of(
                        "containers",
                        List.of(Map.of(
                                "name", "c", "resources", Map.of("limits", Map.of("memory", "0.5Gi", "cpu", 2L)))),
                        "volumes",
                        List.of(Map.of("name", "e", "emptyDir", Map.of("sizeLimit", "1024Mi"))))));
        Document filled = Defaulting.onUpdate(Kinds.POD, pod);
        assertThat(filled.at("spec", "containers"))
                .contains(List.of(
                        Map.of("name", "c", "resources", Map.of("limits", Map.of("memory", "512Mi", "cpu", "2")))));
        assertThat(filled.at("spec", "volumes"))
                .contains(List.of(Map.of("name", "e", "emptyDir", Map.of("sizeLimit", "1Gi"))));
    }

    @Test
    void aPodNamesItsScheduler() {
        Document pod = Document.empty().with(List.of(), "spec", "containers");
        assertThat(Defaulting.onUpdate(Kinds.POD, pod).text("spec", "schedulerName"))
                .contains("default-scheduler");
        Document given = pod.with("own", "spec", "schedulerName");
        assertThat(Defaulting.onUpdate(Kinds.POD, given).text("spec", "schedulerName"))
                .contains("own");
    }

    @Test
    void sourcesOfVolumesAreFilledIn() {
        Document hostPath = Document.empty().with("/x", "spec", "hostPath", "path");
        assertThat(Defaulting.onUpdate(Kinds.PERSISTENT_VOLUME, hostPath).text("spec", "hostPath", "type"))
                .contains("");
        Document iscsi = Document.empty().with("iqn", "spec", "iscsi", "iqn");
        assertThat(Defaulting.onUpdate(Kinds.PERSISTENT_VOLUME, iscsi).text("spec", "iscsi", "iscsiInterface"))
                .contains("default");
        Document given = iscsi.with("iser", "spec", "iscsi", "iscsiInterface");
        assertThat(Defaulting.onUpdate(Kinds.PERSISTENT_VOLUME, given).text("spec", "iscsi", "iscsiInterface"))
                .contains("iser");
    }

    @Test
    void sourcesInPodsAreFilledIn() {
        Map<String, Object> field = Map.of("fieldPath", "metadata.labels");
        Map<String, Object> whole = Map.of("apiVersion", "v1", "fieldPath", "metadata.labels");
        Document pod = Document.empty()
                .with(
                        List.of(
                                Map.of("name", "a", "secret", Map.of("secretName", "s")),
                                Map.of("name", "b", "configMap", Map.of("name", "s", "defaultMode", 256L)),
                                Map.of("name", "d", "downwardAPI", Map.of("items", List.of(Map.of("fieldRef", field)))),
                                Map.of(
                                        "name",
                                        "p",
                                        "projected",
                                        Map.of("sources", List.of(Map.of("serviceAccountToken", Map.of("path", "t"))))),
                                Map.of("name", "h", "hostPath", Map.of("path", "/x")),
                                Map.of("name", "none"),
                                "nonsense"),
                        "spec",
                        "volumes");
        assertThat(Defaulting.onUpdate(Kinds.POD, pod).at("spec", "volumes"))
                .contains(List.of(
                        Map.of("name", "a", "secret", Map.of("secretName", "s", "defaultMode", 420L)),
                        Map.of("name", "b", "configMap", Map.of("name", "s", "defaultMode", 256L)),
                        Map.of(
                                "name",
                                "d",
                                "downwardAPI",
                                Map.of("items", List.of(Map.of("fieldRef", whole)), "defaultMode", 420L)),
                        Map.of(
                                "name",
                                "p",
                                "projected",
                                Map.of(
                                        "sources",
                                        List.of(Map.of(
                                                "serviceAccountToken",
                                                Map.of("path", "t", "expirationSeconds", 3600L))),
                                        "defaultMode",
                                        420L)),
                        Map.of("name", "h", "hostPath", Map.of("path", "/x", "type", "")),
                        Map.of("name", "none", "emptyDir", Map.of()),
                        "nonsense"));
    }

    @Test
    void theClaimOfAnEphemeralVolumeIsAFileSystemUnlessItSays() {
        assertThat(ephemeral(Map.of())).isEqualTo(ephemeral(Map.of("volumeMode", "Filesystem")));
        assertThat(ephemeral(Map.of("volumeMode", "Block")))
                .extracting(volume -> volume.text("ephemeral", "volumeClaimTemplate", "spec", "volumeMode"))
                .isEqualTo(Optional.of("Block"));
    }

    private static Document ephemeral(Map<String, Object> spec) {
        Map<String, Object> volume =
                Map.of("name", "e", "ephemeral", Map.of("volumeClaimTemplate", Map.of("spec", spec)));
        Document pod = Document.empty().with(List.of(volume), "spec", "volumes");
        return Fields.objects(Defaulting.onUpdate(Kinds.POD, pod), "spec", "volumes")
                .get(0);
    }

    /** An empty text counts as none, and so does what is null. */
    @Test
    void whatIsEmptyIsFilledIn() {
        Document iscsi = Document.empty().with("", "spec", "iscsi", "iscsiInterface");
        assertThat(Defaulting.onUpdate(Kinds.PERSISTENT_VOLUME, iscsi).text("spec", "iscsi", "iscsiInterface"))
                .contains("default");
        Document pod =
                Document.empty().with(List.of(Map.of("name", "none", "emptyDir", JsonNull.NULL)), "spec", "volumes");
        assertThat(Fields.objects(Defaulting.onUpdate(Kinds.POD, pod), "spec", "volumes"))
                .first()
                .satisfies(volume -> assertThat(volume.object("emptyDir")).isPresent());
    }

    @Test
    void whatIsFilledInIsLeftAlone() {
        Document volume =
                Document.empty().with("1Gi", "spec", "capacity", "storage").with("/x", "spec", "hostPath", "path");
        Document filled = Defaulting.onCreate(Kinds.PERSISTENT_VOLUME, volume, Instant.EPOCH);
        assertThat(Defaulting.onUpdate(Kinds.PERSISTENT_VOLUME, filled)).isEqualTo(filled);
    }
}
