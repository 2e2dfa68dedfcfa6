// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeIntentTest {
    private static final String UID = "0a1b";

    private static Optional<Outcome<?>> roundTrip(Outcome<?> outcome) {
        return NodeIntent.parse(NodeIntent.format(outcome, UID), UID);
    }

    @Test
    void everyOutcomeComesBack() {
        for (Outcome<?> outcome : List.<Outcome<?>>of(
                Outcome.done(),
                Outcome.uncertain("no answer"),
                Outcome.deferred("in use by 1 pod"),
                new Outcome.InUseElsewhere<>(List.of(), "held"),
                Outcome.uncertain(""))) {
            assertThat(roundTrip(outcome)).as(outcome.toString()).contains(outcome);
        }
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void aRefusalKeepsItsClass(Refusal refusal) {
        assertThat(roundTrip(Outcome.refused(refusal, "it says no"))).contains(Outcome.refused(refusal, "it says no"));
    }

    @Test
    void aRefusalWithoutAClassIsTheUsersToCorrect() {
        assertThat(NodeIntent.parse("refused by hand", UID)).contains(Outcome.refused(Refusal.INVALID, "by hand"));
    }

    @Test
    void doneForAnotherClaimIsNoResult() {
        assertThat(NodeIntent.parse("done other", UID)).isEmpty();
        assertThat(NodeIntent.parse("done", "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "finished 0a1b", "Done 0a1b"})
    void otherTextsAreNoResult(String text) {
        assertThat(NodeIntent.parse(text, UID)).isEmpty();
    }

    @Test
    void aLongOrBrokenMessageStaysOneShortLine() {
        String text = NodeIntent.format(Outcome.uncertain("first\nsecond\t" + "x".repeat(5000)), UID);

        assertThat(text)
                .hasSize(NodeIntent.RESULT_LIMIT)
                .startsWith("uncertain first second x")
                .endsWith("…");
    }
}
