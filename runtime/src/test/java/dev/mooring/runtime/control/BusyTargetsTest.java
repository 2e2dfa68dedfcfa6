// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static dev.mooring.runtime.Toys.toy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A control loop, when a target is busy,")
class BusyTargetsTest extends ToyLoop {
    @Test
    @DisplayName("holds the decision back and makes it again when the target is free")
    void heldBack() {
        toys.when(
                A,
                (situation, state) -> situation.results().isEmpty()
                        ? Decision.act(ToyCall.effect("attach", "v"))
                        : Decision.nothing());
        toys.when(
                B,
                (situation, state) -> situation.results().isEmpty()
                        ? Decision.act(ToyCall.effect("detach", "v"))
                        : Decision.nothing());
        check("a");
        check("b");
        assertThat(operations()).containsExactly("attach");
        assertThat(heard.heldBack).containsExactly("b detach");
        assertThat(loop.hasReadyKeys()).isFalse();
        answer(sent.get(0), Outcome.done());
        decideAll();
        assertThat(operations()).containsExactly("attach", "detach");
    }

    @Test
    @DisplayName("keeps it busy after the time limit until the call has ended")
    void busyUntilEnded() {
        toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("attach", "v")));
        check("a");
        loop.completed(sent.get(0), new EffectResult.Performed(sent.get(0).effect(), Outcome.uncertain("late")), false);
        time.pass(Duration.ofHours(1));
        decideAll();
        time.pass(Duration.ofHours(1));
        decideAll();
        assertThat(operations()).containsExactly("attach");
        loop.ended(sent.get(0));
        decideAll();
        assertThat(operations()).containsExactly("attach", "attach");
    }

    @Test
    @DisplayName("keeps results when a decision is held back")
    void keepsResults() {
        toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("attach", "w")));
        check("a");
        List<Integer> results = new ArrayList<>();
        toys.when(B, (situation, state) -> {
            results.add(situation.results().size());
            return situation.results().isEmpty()
                    ? Decision.act(ToyCall.effect("probe", "v"))
                    : Decision.act(ToyCall.effect("detach", "w"));
        });
        check("b");
        answer(last(), Outcome.done());
        decideAll();
        check("b");
        assertThat(results).containsExactly(0, 1, 1);
    }

    @Test
    @DisplayName("does not confuse a key that ceased to wait with a new one of that name")
    void ceasesToWait() {
        toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("hold", "v"), ToyCall.effect("hold2", "w")));
        check("a");
        toys.when(B, (situation, state) -> Decision.act(ToyCall.effect("use", "v")));
        check("b");
        toys.when(B, (situation, state) -> Decision.act(ToyCall.effect("use", "w")));
        check("b");
        toys.when(B, (situation, state) -> Decision.nothing());
        check("b");
        assertThat(loop.itemCount()).as("only a is remembered").isEqualTo(1);
        toys.when(B, (situation, state) -> Decision.act(ToyCall.effect("other", "x")));
        check("b");
        int decisions = toys.decided.size();
        toys.when(A, (situation, state) -> Decision.nothing());
        answer(sent.get(0), Outcome.done());
        answer(sent.get(1), Outcome.done());
        decideAll();
        assertThat(toys.decided.subList(decisions, toys.decided.size())).containsExactly("a");
    }

    @Test
    @DisplayName("lets announcements and reads pass")
    void readsPass() {
        toys.when(A, (situation, state) -> Decision.act(update("write", toy("a", "u", 3))));
        check("a");
        toys.when(
                B,
                (situation, state) -> situation.results().isEmpty()
                        ? Decision.act(
                                new Effect.Read<>("look", Kinds.CONFIG_MAP, A),
                                Announcement.normal(Kinds.CONFIG_MAP, toy("a", "u", 3), "R", "m", "c"))
                        : Decision.nothing());
        check("b");
        assertThat(operations()).containsExactly("write", "look", "announce");
        assertThat(loop.effectsInFlight()).as("nothing waits for news").hasSize(2);
    }
}
