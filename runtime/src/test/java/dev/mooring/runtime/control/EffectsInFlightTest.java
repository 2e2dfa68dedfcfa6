// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A control loop with effects in flight")
class EffectsInFlightTest extends ToyLoop {
    @Test
    @DisplayName("does not decide the key, and decides it once when the last has answered")
    void oneDecisionAtATime() {
        toys.when(
                A,
                (situation, state) -> situation.results().isEmpty()
                        ? Decision.act(ToyCall.effect("one", "v1"), ToyCall.effect("two", "v2"))
                        : Decision.nothing());
        check("a");
        check("a");
        assertThat(toys.decided).containsExactly("a");
        answer(sent.get(0), Outcome.done());
        decideAll();
        assertThat(toys.decided).containsExactly("a");
        answer(sent.get(1), Outcome.done());
        decideAll();
        assertThat(toys.decided).containsExactly("a", "a");
        assertThat(sent).hasSize(2);
    }

    @Test
    @DisplayName("shows results in the order of their arrival, once")
    void resultsOnce() {
        List<List<String>> seen = new ArrayList<>();
        toys.when(A, (situation, state) -> {
            seen.add(situation.results().stream()
                    .map(result -> result.effect().operation())
                    .toList());
            return seen.size() == 1
                    ? Decision.act(ToyCall.effect("one", "v1"), ToyCall.effect("two", "v2"))
                    : Decision.nothing();
        });
        check("a");
        answer(sent.get(1), Outcome.done());
        answer(sent.get(0), Outcome.done());
        decideAll();
        check("a");
        assertThat(seen).containsExactly(List.of(), List.of("two", "one"), List.of());
    }

    @Test
    @DisplayName("takes an answer once")
    void answeredOnce() {
        toys.when(
                A,
                (situation, state) ->
                        toys.decided.size() == 1 ? Decision.act(ToyCall.effect("one", "v")) : Decision.nothing());
        check("a");
        answer(last(), Outcome.done());
        answer(last(), Outcome.done());
        decideAll();
        assertThat(loop.hasEffectsInFlight()).isFalse();
        assertThat(toys.decided).hasSize(2);
    }

    @Test
    @DisplayName("lists them in their order")
    void listsThem() {
        toys.when(
                A,
                (situation, state) -> Decision.act(
                        ToyCall.effect("one", "v1"), ToyCall.effect("two", "v2"), ToyCall.effect("three", "v3")));
        check("a");
        assertThat(loop.effectsInFlight()).isEqualTo(sent).hasSize(3);
    }

    @Test
    @DisplayName("refuses two of one decision on one target, as a defect")
    void twoOnOneTarget() {
        toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("one", "v"), ToyCall.effect("two", "v")));
        check("a");
        assertThat(sent).isEmpty();
        assertThat(heard.defects)
                .singleElement()
                .satisfies(defect -> assertThat(defect).hasMessageContaining("v"));
    }

    @Test
    @DisplayName("gives repetitions of one effect one key, and another effect on the same target another one")
    void idempotencyKeys() {
        List<Occasion> wanted = List.of(
                new Occasion("n1", "claim 1"),
                new Occasion("n1", "claim 1"),
                new Occasion("n1", "claim 2"),
                new Occasion("n2", "claim 2"),
                new Occasion("", ""));
        toys.when(A, (situation, state) -> Decision.act(wanted.get(sent.size()).effect()));
        check("a");
        while (sent.size() < wanted.size()) {
            answer(last(), Outcome.done());
            decideAll();
        }
        List<String> keys = sent.stream().map(Dispatch::idempotencyKey).toList();
        assertThat(keys)
                .containsExactly(
                        "toys/toy/empty/v/n1/claim 1",
                        "toys/toy/empty/v/n1/claim 1",
                        "toys/toy/empty/v/n1/claim 2",
                        "toys/toy/empty/v/n2/claim 2",
                        "toys/toy/empty/v");
    }

    private record Occasion(String node, String occasion) implements Call {
        Effect effect() {
            return new Effect.Perform(
                    "empty", this, Optional.of(new Target(plugin().value(), volume())), Duration.ofMinutes(2));
        }

        @Override
        public PluginName plugin() {
            return new PluginName("toys.example.com/toy");
        }

        @Override
        public String operation() {
            return "empty";
        }

        @Override
        public String volume() {
            return "v";
        }
    }
}
