// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static dev.mooring.runtime.Toys.at;
import static dev.mooring.runtime.Toys.toy;
import static dev.mooring.runtime.control.ToyController.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.model.Kinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A control loop with a defect in a controller")
class LoopDefectsTest extends ToyLoop {
    @Test
    @DisplayName("holds up the key that it is about and no other")
    void holdsUpItsKeyOnly() {
        toys.when(A, (situation, state) -> {
            throw new IllegalStateException("defect");
        });
        toys.when(
                B,
                (situation, state) ->
                        situation.results().isEmpty() ? Decision.act(ToyCall.effect("call", "v")) : Decision.nothing());
        loop.recheck("toys", key("a"));
        loop.recheck("toys", key("b"));
        decideAll();
        assertThat(operations()).containsExactly("call");
        assertThat(heard.defects).hasSize(1);
        time.pass(Duration.ofNanos(FIRST));
        decideAll();
        assertThat(heard.defects).hasSize(2);
        toys.when(A, (situation, state) -> Decision.nothing());
        time.pass(Duration.ofNanos(LONGEST));
        decideAll();
        assertThat(loop.nextTimerNanos()).isEmpty();
    }

    static List<Error> errors() {
        return List.of(
                new NoClassDefFoundError("a plugin's jar is incomplete"),
                new StackOverflowError(),
                new AssertionError("a plugin"),
                new java.util.ServiceConfigurationError("a plugin"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    @DisplayName("holds up only that key also for an error, as a plugin's code may throw it")
    void anErrorHoldsUpItsKeyOnly(Error error) {
        boolean[] broken = {true};
        toys.when(A, (situation, state) -> {
            if (broken[0]) {
                throw error;
            }
            return Decision.nothing();
        });
        toys.when(
                B,
                (situation, state) ->
                        situation.results().isEmpty() ? Decision.act(ToyCall.effect("call", "v")) : Decision.nothing());
        loop.recheck("toys", key("a"));
        loop.recheck("toys", key("b"));
        decideAll();
        assertThat(operations()).containsExactly("call");
        assertThat(heard.defects)
                .singleElement()
                .satisfies(defect -> assertThat(defect).hasCause(error));
        broken[0] = false;
        time.pass(Duration.ofNanos(LONGEST));
        decideAll();
        assertThat(heard.defects).hasSize(1);
        assertThat(toys.decided).endsWith("a");
    }

    @Test
    @DisplayName("does not carry on when the machine itself is at its end")
    void outOfMemoryIsNotADefectOfAController() {
        toys.when(A, (situation, state) -> {
            throw new OutOfMemoryError("planted");
        });
        loop.recheck("toys", key("a"));
        assertThatThrownBy(loop::decideNext).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    @DisplayName("starts what was decided even if the controller throws while it is told")
    void appliedThrows() {
        List<Dispatch> out = new ArrayList<>();
        ToyController broken = new ToyController("broken") {
            @Override
            public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
                throw new IllegalStateException("defect");
            }
        };
        broken.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
        ControlLoop other = new ControlLoop(List.of(broken), time, new Random(1), heard, out::add);
        other.lead(1);
        other.listed(Kinds.CONFIG_MAP, List.of(), at(1));
        other.recheck("broken", key("a"));
        assertThat(other.decideNext()).isTrue();
        assertThat(out).hasSize(1);
        assertThat(heard.defects).hasSize(1);
    }

    @Test
    @DisplayName("shows changes to the other controllers and goes on")
    void observeThrows() {
        ToyController broken = new ToyController("broken") {
            @Override
            public void observe(dev.mooring.runtime.cache.ObjectChange<?> change, Mailbox mailbox) {
                throw new IllegalStateException("defect");
            }
        };
        ControlLoop other = new ControlLoop(List.of(broken, toys), time, new Random(1), heard, sent::add);
        other.lead(1);
        other.listed(Kinds.CONFIG_MAP, List.of(toy("a", "u", 1), toy("b", "w", 2)), at(2));
        while (other.decideNext()) {
            // all of them
        }
        assertThat(toys.decided).containsExactly("a", "b");
        assertThat(heard.defects).hasSize(2);
    }

    @Test
    @DisplayName("decides a key that its controller cannot rank, and those beside it")
    void rankThrows() {
        ToyController broken = new ToyController("broken") {
            @Override
            public Rank rank(Key key) {
                if (key.object().equals(A)) {
                    throw new IllegalStateException("defect");
                }
                return super.rank(key);
            }
        };
        ControlLoop other = new ControlLoop(List.of(broken), time, new Random(1), heard, sent::add);
        other.lead(1);
        other.recheck("broken", key("a"));
        other.recheck("broken", key("b"));
        other.listed(Kinds.CONFIG_MAP, List.of(), at(1));
        while (other.decideNext()) {
            // all of them
        }
        assertThat(broken.decided).containsExactlyInAnyOrder("a", "b");
        assertThat(heard.defects).hasSize(1);
    }

    @Test
    @DisplayName("keeps an order among controllers that rank by things of different types")
    void ranksOfTwoTypes() {
        ToyController byText = new ToyController("by text").rank(A, new Rank(10, List.of("a")));
        ToyController byNumber = new ToyController("by number").rank(A, new Rank(10, List.of(1L)));
        ControlLoop other = new ControlLoop(List.of(byText, byNumber), time, new Random(1), heard, sent::add);
        other.lead(1);
        other.listed(Kinds.CONFIG_MAP, List.of(), at(1));
        for (int i = 0; i < 2; i++) {
            other.recheck("by text", key("a"));
            other.recheck("by number", key("a"));
            while (other.decideNext()) {
                // both of them
            }
        }
        assertThat(byText.decided).containsExactly("a", "a");
        assertThat(byNumber.decided).containsExactly("a", "a");
    }

    @Test
    @DisplayName("begins with the other controllers when one cannot begin")
    void startedThrows() {
        ToyController broken = new ToyController("broken") {
            @Override
            public void started(Mailbox mailbox) {
                throw new IllegalStateException("defect");
            }
        };
        ToyController eager = new ToyController("eager") {
            @Override
            public void started(Mailbox mailbox) {
                mailbox.recheck(key("a"));
            }
        };
        ControlLoop other = new ControlLoop(List.of(broken, eager), time, new Random(1), heard, sent::add);
        other.lead(1);
        other.listed(Kinds.CONFIG_MAP, List.of(), at(1));
        assertThat(other.decideNext()).isTrue();
        assertThat(eager.decided).containsExactly("a");
        assertThat(heard.defects).hasSize(1);
    }

    @Test
    @DisplayName("does not suffer from a listener that throws")
    void listenerThrows() {
        LoopListener broken = new LoopListener() {
            @Override
            public void onDecision(String controller, Key key, Decision decision) {
                throw new IllegalStateException("defect");
            }
        };
        ControlLoop other = new ControlLoop(List.of(toys), time, new Random(1), broken, sent::add);
        toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
        other.lead(1);
        other.listed(Kinds.CONFIG_MAP, List.of(toy("a", "u", 1)), at(2));
        other.decideNext();
        assertThat(sent).hasSize(1);
    }
}
