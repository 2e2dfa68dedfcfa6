// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.resource.Resources;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A field of a volume's source that is misspelt would be kept and have no effect: {@code readonly} would make a volume writable. */
class UnknownFieldsTest {
    private static final UnknownFields UNKNOWN = new UnknownFields(Resources.of(Kinds.standard()));

    private static List<String> ofVolume(String source, Map<String, Object> fields) {
        return of(Kinds.PERSISTENT_VOLUME, Map.of("spec", Map.of(source, fields)));
    }

    private static List<String> ofPod(String source, Map<String, Object> fields) {
        Map<String, Object> volume = Map.of("name", "v", source, fields);
        return of(Kinds.POD, Map.of("spec", Map.of("hostNetwork", true, "volumes", List.of(volume))));
    }

    private static List<String> of(Kind<?> kind, Map<String, Object> object) {
        return UNKNOWN.of(kind, Document.of(object));
    }

    @ParameterizedTest
    @CsvSource({
        "nfs, readonly, readOnly",
        "csi, fstype, fsType",
        "hostPath, typ, type",
        "iscsi, targetportal, targetPortal",
        "local, fstype, fsType",
        "rbd, monitor, monitors"
    })
    void aMisspeltFieldOfAVolumesSourceIsNamed(String source, String wrong, String right) {
        assertThat(ofVolume(source, Map.of(wrong, "x"))).containsExactly("spec." + source + "." + wrong);
        assertThat(ofPod(source, Map.of(wrong, "x"))).containsExactly("spec.volumes[0]." + source + "." + wrong);
        assertThat(ofVolume(source, Map.of(right, "x"))).isEmpty();
        assertThat(ofPod(source, Map.of(right, "x"))).isEmpty();
    }

    @Test
    void whatIsBelowASourceIsJudgedToo() {
        assertThat(ofVolume("csi", Map.of("nodeStageSecretRef", Map.of("name", "s", "namespaces", "ns"))))
                .containsExactly("spec.csi.nodeStageSecretRef.namespaces");
        Map<String, Object> token = Map.of("serviceAccountToken", Map.of("path", "p", "expirySeconds", 600));
        assertThat(ofPod("projected", Map.of("sources", List.of(token))))
                .containsExactly("spec.volumes[0].projected.sources[0].serviceAccountToken.expirySeconds");
        assertThat(ofVolume("csi", Map.of("volumeAttributes", Map.of("any", "thing"))))
                .isEmpty();
        assertThat(ofPod("emptyDir", Map.of("sizeLimit", "1Gi"))).isEmpty();
    }

    /** A secret of a PersistentVolume has a namespace, that of a pod's volume is in the pod's. */
    @Test
    void aPodsVolumeIsNotDescribedAsAPersistentOne() {
        Map<String, Object> reference = Map.of("secretRef", Map.of("name", "s", "namespace", "ns"));

        assertThat(ofVolume("iscsi", reference)).isEmpty();
        assertThat(ofPod("iscsi", reference)).containsExactly("spec.volumes[0].iscsi.secretRef.namespace");
        assertThat(ofPod("csi", Map.of("volumeHandle", "h"))).containsExactly("spec.volumes[0].csi.volumeHandle");
    }

    @Test
    void everySourceIsDescribed() {
        for (String source : VolumeSource.POD_TYPES) {
            assertThat(SourceSchemas.of(source, false)).as(source).containsKey("properties");
            assertThat(SourceSchemas.of(source, true)).as(source).containsKey("properties");
        }
    }
}
