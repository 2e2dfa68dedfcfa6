// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.ephemeral;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a pod says of a claim that is to be made for it. */
class EphemeralTemplateTest {
    /** An API server refuses such a pod. From a server that does not, it is still refused in words, and never made into another claim. */
    @Test
    void aMalformedTemplateIsNamedByItsField() {
        Document template = Document.of(Map.of(
                "spec", Map.of("resources", Map.of("requests", Map.of("storage", "as much as there is")))));
        PodVolume broken = new PodVolume(
                "broken",
                Optional.of(
                        new VolumeSource("ephemeral", Document.of(Map.of("volumeClaimTemplate", template.asMap())))));

        assertThat(EphemeralTemplate.problem(broken))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .startsWith("ephemeral.volumeClaimTemplate.spec.resources.requests")
                        .contains("quantities must match"));
    }
}
