// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.KubernetesObject;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A claim in each of the situations of a class has exactly the causes that apply, the true one first. */
abstract class ClaimCausesTable extends ExplainerWorld {
    @ParameterizedTest(name = "{0}")
    @MethodSource("situations")
    void aClaimsCausesAreNamed(String situation, List<KubernetesObject> objects, String text, List<CauseCode> codes) {
        Explanation explanation = claim(objects);
        assertThat(explanation.codes()).isEqualTo(codes);
        assertThat(ExplanationText.detailed(explanation)).contains(text);
        assertThat(ExplanationDocument.of(explanation).asMap()).containsEntry("name", "data");
    }
}
