// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VolumeSpecTest {
    private static VolumeSource source(Map<String, ?> secret) {
        return new VolumeSource("iscsi", Document.of(Map.of("iqn", "iqn.2000-01.a:b", "secretRef", secret)));
    }

    private static Optional<String> namespace(VolumeSpec spec) {
        return spec.source().attributes().text("secretRef", "namespace");
    }

    @Test
    void theSecretOfASourceInAPodIsOneOfThePodsNamespace() {
        assertThat(namespace(VolumeSpec.inline("data", "team", source(Map.of("name", "chap")))))
                .contains("team");
    }

    @Test
    void noPodReadsTheSecretsOfAnotherNamespace() {
        VolumeSource source = source(Map.of("name", "chap", "namespace", "kube-system"));
        assertThat(namespace(VolumeSpec.inline("data", "team", source))).contains("team");
    }

    @Test
    void aSourceWithoutASecretStaysAsItIs() {
        VolumeSource source = new VolumeSource("nfs", Document.of(Map.of("server", "a", "path", "/")));
        assertThat(VolumeSpec.inline("data", "team", source).source()).isEqualTo(source);
    }

    private static VolumeSpec volume(Map<String, ?> secret) {
        PersistentVolume volume = Kinds.PERSISTENT_VOLUME.read(Document.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolume",
                "metadata",
                Map.of("name", "pv"),
                "spec",
                Map.of(
                        "claimRef",
                        Map.of("namespace", "team", "name", "claim"),
                        "iscsi",
                        source(secret).attributes().asMap()))));
        return VolumeSpec.of(volume).orElseThrow();
    }

    @Test
    void theSecretOfAVolumeIsWhereTheVolumeSaysOrElseBesideItsClaim() {
        assertThat(namespace(volume(Map.of("name", "chap", "namespace", "storage"))))
                .contains("storage");
        assertThat(namespace(volume(Map.of("name", "chap")))).contains("team");
    }
}
