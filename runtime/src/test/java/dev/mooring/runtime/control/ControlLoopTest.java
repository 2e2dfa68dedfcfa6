// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static dev.mooring.runtime.Toys.at;
import static dev.mooring.runtime.Toys.toy;
import static dev.mooring.runtime.control.ToyController.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A control loop")
class ControlLoopTest extends ToyLoop {
    @Nested
    @DisplayName("before it may decide")
    class NotYet {
        @Test
        @DisplayName("waits for a list of every kind of the controller, not of others")
        void waitsForAllKinds() {
            ToyController both = new ToyController("both", List.of(Kinds.CONFIG_MAP, Kinds.NODE));
            ControlLoop other = new ControlLoop(List.of(both, toys), time, new Random(1), heard, sent::add);
            other.lead(1);
            other.listed(Kinds.CONFIG_MAP, List.of(toy("a", "u", 1)), at(2));
            while (other.decideNext()) {
                // all of them
            }
            assertThat(toys.decided).containsExactly("a");
            assertThat(both.decided).isEmpty();
            other.listed(Kinds.NODE, List.of(), at(3));
            while (other.decideNext()) {
                // all of them
            }
            assertThat(both.decided).containsExactly("a");
        }

        @Test
        @DisplayName("decides nothing while it does not lead, and takes up what waited afterwards")
        void standDown() {
            toys.when(
                    A,
                    (situation, state) -> situation.results().isEmpty()
                            ? Decision.act(ToyCall.effect("call", "v"))
                            : Decision.nothing());
            check("a");
            loop.standDown();
            assertThat(loop.leadingEpoch()).isZero();
            answer(last(), Outcome.done());
            assertThat(loop.decideNext()).isFalse();
            assertThat(loop.hasReadyKeys()).isFalse();
            loop.lead(4);
            decideAll();
            assertThat(toys.decided).containsExactly("a", "a");
            check("a");
            assertThat(last().epoch()).isEqualTo(4);
        }

        @Test
        @DisplayName("leads later epochs only")
        void epochsGrow() {
            loop.standDown();
            assertThatThrownBy(() -> loop.lead(1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    @DisplayName("with timers")
    class WithTimers {
        @Test
        @DisplayName("replaces and cancels them with the next decision")
        void replacedAndCancelled() {
            toys.when(A, (situation, state) -> Decision.nothing().wakeAfter(Duration.ofSeconds(10)));
            check("a");
            long before = loop.nextTimerNanos().orElseThrow();
            toys.when(A, (situation, state) -> Decision.nothing().wakeAfter(Duration.ofSeconds(20)));
            check("a");
            assertThat(loop.nextTimerNanos().orElseThrow() - before)
                    .isEqualTo(Duration.ofSeconds(10).toNanos());
            toys.when(A, (situation, state) -> Decision.nothing());
            check("a");
            assertThat(loop.nextTimerNanos()).isEmpty();
            assertThat(loop.itemCount()).isZero();
        }

        @Test
        @DisplayName("decides when one is due, not before")
        void due() {
            toys.when(
                    A,
                    (situation, state) -> toys.decided.size() > 1
                            ? Decision.nothing()
                            : Decision.nothing().wakeAfter(Duration.ofSeconds(1)));
            check("a");
            time.pass(Duration.ofMillis(999));
            decideAll();
            assertThat(toys.decided).hasSize(1);
            time.pass(Duration.ofMillis(1));
            decideAll();
            assertThat(toys.decided).hasSize(2);
            assertThat(heard.timers).containsExactly("a");
        }

        @Test
        @DisplayName("keeps an earlier one when a decision is held back")
        void heldBackKeepsTheEarlier() {
            toys.when(
                    A,
                    (situation, state) ->
                            Decision.act(ToyCall.effect("call", "v")).wakeAfter(Duration.ofMillis(100)));
            check("a");
            answer(last(), Outcome.uncertain("no"));
            decideAll();
            assertThat(loop.nextTimerNanos().orElseThrow() - time.now().monotonicNanos())
                    .isEqualTo(Duration.ofMillis(100).toNanos());
        }

        @Test
        @DisplayName("takes one out of all range for none")
        void outOfRange() {
            toys.when(A, (situation, state) -> Decision.nothing().wakeAfter(Duration.ofSeconds(Long.MAX_VALUE)));
            check("a");
            assertThat(heard.defects).isEmpty();
            assertThat(toys.decided).hasSize(1);
            assertThat(loop.hasReadyKeys()).isFalse();
        }
    }

    @Test
    @DisplayName("decides in the order of ranks, then of arrival")
    void rankOrder() {
        toys.rank(C, Rank.tier(1)).rank(B, new Rank(100, List.of(2))).rank(A, new Rank(100, List.of(2)));
        for (String name : List.of("d", "b", "a", "c", "b")) {
            loop.recheck("toys", key(name));
        }
        decideAll();
        assertThat(toys.decided).containsExactly("c", "d", "b", "a");
    }

    @Test
    @DisplayName("keeps a key's state as decided")
    void keepsState() {
        toys.when(
                A,
                (situation, state) -> Decision.remember(new Memory(
                        state.map(memory -> ((Memory) memory).count() + 1).orElse(1))));
        check("a");
        check("a");
        assertThat(loop.state("toys", key("a"))).contains(new Memory(2));
        toys.when(A, (situation, state) -> Decision.nothing());
        check("a");
        assertThat(loop.state("toys", key("a"))).isEmpty();
    }

    @Test
    @DisplayName("idle, has no timer and remembers no key")
    void idle() {
        List<ConfigMap> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            many.add(toy("t" + i, "u" + i, i + 1));
        }
        loop.listed(Kinds.CONFIG_MAP, many, at(2_000));
        decideAll();
        assertThat(toys.decided).hasSize(1_000);
        assertThat(loop.itemCount()).isZero();
        assertThat(loop.nextTimerNanos()).isEmpty();
        assertThat(sent).isEmpty();
    }
}
