// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An outcome")
class OutcomeTest {
    @Test
    @DisplayName("keeps so many words that objects and events can hold them")
    void longWords() {
        String words = "x".repeat(4094) + "\uD83D\uDEA2".repeat(1_000_000);
        List<Outcome<Nothing>> all = List.of(
                Outcome.refused(Refusal.INVALID, words),
                Outcome.uncertain(words),
                Outcome.deferred(words),
                Outcome.deferred(words, Duration.ofSeconds(1)),
                Outcome.inUseElsewhere(List.of(), words));
        assertThat(all).allSatisfy(outcome -> assertThat(outcome.message()).isEqualTo("x".repeat(4094) + "…"));
        assertThat(Outcome.uncertain("x".repeat(4096)).message()).hasSize(4096);
    }

    @Test
    @DisplayName("is made of something: null is refused where it is made, not where it is read")
    void nothing() {
        assertThatThrownBy(() -> Outcome.done(null)).hasMessage("value");
        assertThatThrownBy(() -> Outcome.refused(null, "why")).hasMessage("refusal");
        assertThatThrownBy(() -> Outcome.uncertain(null)).isInstanceOf(NullPointerException.class);
    }
}
