// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the generated builders of records promise. */
class BuildersTest {
    @Test
    void oneComponentIsAnotherAndTheRestStays() {
        ObjectMeta before = ObjectMeta.named("ns", "a").withLabels(Map.of("k", "v"));

        ObjectMeta after = before.with().uid("1").finalizers(List.of("f")).build();

        assertThat(after).isEqualTo(before.withUid("1").withFinalizers(List.of("f")));
        assertThat(after.labels()).isEqualTo(before.labels());
        assertThat(before.uid()).isEmpty();
    }

    @Test
    void anOptionalComponentIsEmptyUnlessItIsSet() {
        Condition condition = ConditionBuilder.builder()
                .type("Ready")
                .status(ConditionStatus.TRUE)
                .reason("r")
                .message("m")
                .build();

        assertThat(condition.lastTransitionTime()).isEmpty();
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> ConditionBuilder.builder().type("Ready").build())
                .isInstanceOf(NullPointerException.class)
                .hasMessage("status is required");
    }

    /** Secrets show in no text, so not in that of a builder. */
    @Test
    void aSecretShowsNothingWhileItIsBuilt() {
        Secret secret = Kinds.SECRET.read(
                Document.of(Map.of("metadata", Map.of("name", "s"), "data", Map.of("password", "aHVudGVyMg=="))));

        assertThat(secret.with().toString()).doesNotContain("aHVudGVyMg==");
    }

    @Test
    void aPodsSourceIsReadAndWrittenByItsType() {
        VolumeSource claim = new PersistentVolumeClaimSource("data", true).toSource();
        assertThat(new PodVolume("v", Optional.of(claim)).persistentVolumeClaimName())
                .contains("data");
        assertThat(new PodVolume("v", Optional.of(claim)).claimReadOnly()).isTrue();
        assertThat(PersistentVolumeClaimSource.of(claim)).contains(new PersistentVolumeClaimSource("data", true));
        assertThat(EmptyDirSource.of(claim)).isEmpty();

        VolumeSource directory = new EmptyDirSource("Memory", Optional.of("1Gi")).toSource();
        assertThat(EmptyDirSource.of(directory)).contains(new EmptyDirSource("Memory", Optional.of("1Gi")));
        assertThat(EmptyDirSource.of(directory).orElseThrow().limit()).contains(Quantity.parse("1Gi"));

        VolumeSource own = new EphemeralSource(Optional.empty()).toSource();
        assertThat(new PodVolume("v", Optional.of(own)).isEphemeral()).isTrue();
        assertThat(new PodVolume("v", Optional.of(own)).claimName("pod")).contains("pod-v");
    }
}
