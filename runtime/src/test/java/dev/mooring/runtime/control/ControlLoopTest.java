// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static dev.mooring.runtime.Toys.at;
import static dev.mooring.runtime.Toys.saying;
import static dev.mooring.runtime.Toys.toy;
import static dev.mooring.runtime.control.ToyController.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A control loop")
class ControlLoopTest {
    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final ObjectKey B = ObjectKey.of("ns", "b");
    private static final ObjectKey C = ObjectKey.of("ns", "c");
    private static final long FIRST = Duration.ofMillis(500).toNanos();
    private static final long LONGEST = Duration.ofMinutes(2).toNanos();

    private final HandTime time = new HandTime();
    private final List<Dispatch> sent = new ArrayList<>();
    private final Heard heard = new Heard();
    private final ToyController toys = new ToyController("toys");
    private final ControlLoop loop = new ControlLoop(List.of(toys), time, new Random(7), heard, sent::add);

    @BeforeEach
    void begin() {
        loop.lead(1);
        loop.listed(Kinds.CONFIG_MAP, List.of(), at(1));
    }

    private void decideAll() {
        loop.fireTimers();
        for (int i = 0; loop.decideNext(); i++) {
            assertThat(i).as("decisions without an end").isLessThan(1_000);
        }
    }

    private void check(String object) {
        loop.recheck("toys", key(object));
        decideAll();
    }

    private Dispatch last() {
        return sent.get(sent.size() - 1);
    }

    private List<String> operations() {
        return sent.stream().map(dispatch -> dispatch.effect().operation()).toList();
    }

    private void answer(Dispatch dispatch, Outcome<?> outcome) {
        loop.completed(dispatch, new EffectResult.Performed(dispatch.effect(), outcome), true);
    }

    private void answer(Dispatch dispatch, StoreResult<?> result) {
        loop.completed(dispatch, new EffectResult.Stored(dispatch.effect(), result), true);
    }

    private static Effect.Update<ConfigMap> update(String operation, ConfigMap base) {
        return new Effect.Update<>(operation, Kinds.CONFIG_MAP, new Change<>(base, saying(base, "changed")));
    }

    private void cached(ConfigMap toy) {
        loop.caches().of(Kinds.CONFIG_MAP).put(toy, Origin.WATCH);
    }

    /** What the loop told its listener. */
    private static final class Heard implements LoopListener {
        final List<String> heldBack = new ArrayList<>();
        final List<RuntimeException> defects = new ArrayList<>();
        final List<String> timers = new ArrayList<>();

        @Override
        public void onHeldBack(String controller, Key key, Effect effect) {
            heldBack.add(key.object().name() + " " + effect.operation());
        }

        @Override
        public void onDefect(String controller, Key key, RuntimeException defect) {
            defects.add(defect);
        }

        @Override
        public void onTimer(String controller, Key key) {
            timers.add(key.object().name());
        }
    }

    private record Memory(int count) implements KeyState {}

    @Nested
    @DisplayName("with effects in flight")
    class InFlight {
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
    }

    @Nested
    @DisplayName("when a target is busy")
    class Busy {
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
            loop.completed(
                    sent.get(0), new EffectResult.Performed(sent.get(0).effect(), Outcome.uncertain("late")), false);
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
            assertThat(loop.slotCount()).as("only a is remembered").isEqualTo(1);
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

    @Nested
    @DisplayName("after failures")
    class Failures {
        private List<Long> waits(int failures) {
            List<Long> waits = new ArrayList<>();
            for (int i = 0; i < failures; i++) {
                answer(last(), Outcome.uncertain("no"));
                decideAll();
                waits.add(loop.nextTimerNanos().orElseThrow() - time.now().monotonicNanos());
                int before = sent.size();
                time.passTo(loop.nextTimerNanos().orElseThrow() - 1);
                decideAll();
                assertThat(sent).as("not before its time").hasSize(before);
                time.pass(Duration.ofNanos(1));
                decideAll();
                assertThat(sent).as("at its time").hasSize(before + 1);
                assertThat(last().attempt()).isEqualTo(i + 2);
            }
            return waits;
        }

        @Test
        @DisplayName("waits half a second first, then at random up to three times the last wait and two minutes")
        void backsOff() {
            toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
            check("a");
            List<Long> waits = waits(40);
            assertThat(waits.get(0)).isEqualTo(FIRST);
            for (int i = 1; i < waits.size(); i++) {
                assertThat(waits.get(i)).isBetween(FIRST, Math.min(LONGEST, waits.get(i - 1) * 3));
            }
            assertThat(waits).anyMatch(wait -> wait > 10 * FIRST);
        }

        @Test
        @DisplayName("takes its jitter from the given source only")
        void jitterIsSeeded() {
            toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
            check("a");
            List<Long> first = waits(10);
            ControlLoopTest again = new ControlLoopTest();
            again.begin();
            again.toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
            again.check("a");
            assertThat(again.new Failures().waits(10)).isEqualTo(first);
        }

        @Test
        @DisplayName("forgets them with a success")
        void successResets() {
            toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
            check("a");
            waits(3);
            answer(last(), Outcome.done());
            decideAll();
            assertThat(last().attempt()).isEqualTo(1);
            assertThat(waits(1)).containsExactly(FIRST);
        }

        @Test
        @DisplayName("forgets them when the input has changed, but not at a mere recheck")
        void inputChangeResets() {
            toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
            check("a");
            waits(3);
            answer(last(), Outcome.uncertain("no"));
            check("a");
            assertThat(sent).hasSize(4);
            cached(toy("a", "u", 5));
            decideAll();
            assertThat(sent).hasSize(5);
            assertThat(last().attempt()).isEqualTo(1);
        }

        @Test
        @DisplayName("keeps them when the watch shows an own write before it is answered")
        void anEchoThatIsFasterThanTheAnswer() {
            ConfigMap known = toy("a", "u", 5);
            cached(known);
            toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
            toys.when(
                    B,
                    (situation, state) -> situation.results().isEmpty()
                            ? Decision.act(new Effect.Update<>(
                                    "write", Kinds.CONFIG_MAP, new Change<>(known, toy("a", "u", 5, "changed"))))
                            : Decision.nothing());
            check("a");
            waits(3);
            answer(last(), Outcome.uncertain("no"));
            check("b");
            Dispatch write = last();
            assertThat(write.effect().operation()).isEqualTo("write");
            int before = sent.size();
            cached(toy("a", "u", 6, "changed"));
            decideAll();
            assertThat(sent).as("our own echo is no reason to try again").hasSize(before);
            answer(write, StoreResult.ok(toy("a", "u", 6, "changed")));
            decideAll();
            assertThat(sent).hasSize(before);
            cached(toy("a", "u", 7, "by somebody else"));
            decideAll();
            assertThat(sent).as("somebody else's change is one").hasSize(before + 1);
            assertThat(last().attempt()).isEqualTo(1);
        }

        @Test
        @DisplayName("keeps them per operation: another's success or failure changes nothing")
        void perOperation() {
            List<String> next = new ArrayList<>(List.of("one"));
            toys.when(
                    A,
                    (situation, state) -> situation.backoff(next.get(0)).isPresent()
                            ? Decision.nothing().withState(new Memory(1))
                            : Decision.act(ToyCall.effect(next.get(0), "v")));
            check("a");
            answer(last(), Outcome.uncertain("no"));
            next.set(0, "two");
            decideAll();
            answer(last(), Outcome.done());
            next.set(0, "one");
            decideAll();
            assertThat(operations()).as("one still backs off").containsExactly("one", "two");
            time.pass(Duration.ofNanos(FIRST));
            check("a");
            assertThat(operations()).containsExactly("one", "two", "one");
            assertThat(last().attempt()).isEqualTo(2);
        }

        @Test
        @DisplayName("waits at least as long as was asked for")
        void waitsAsAsked() {
            toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
            check("a");
            answer(last(), new Outcome.Deferred<>("later", Optional.of(Duration.ofMinutes(7))));
            decideAll();
            assertThat(loop.nextTimerNanos().orElseThrow() - time.now().monotonicNanos())
                    .isEqualTo(Duration.ofMinutes(7).toNanos());
        }

        @Test
        @DisplayName("survives a wait that is out of all range")
        void absurdWait() {
            toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
            check("a");
            answer(last(), new Outcome.Deferred<>("never", Optional.of(Duration.ofSeconds(Long.MAX_VALUE))));
            decideAll();
            assertThat(loop.hasEffectsInFlight()).isFalse();
            assertThat(sent).hasSize(1);
        }

        @Test
        @DisplayName("backs off after a refusal too")
        void refusal() {
            toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
            check("a");
            answer(last(), Outcome.refused(Refusal.INVALID, "no"));
            decideAll();
            assertThat(sent).hasSize(1);
            assertThat(heard.heldBack).containsExactly("a call");
        }

        @Test
        @DisplayName("remembers no failures of a key that wants nothing any more")
        void forgetsFailures() {
            toys.when(
                    A,
                    (situation, state) -> situation.results().isEmpty()
                            ? Decision.act(ToyCall.effect("call", "v"))
                            : Decision.nothing());
            check("a");
            answer(last(), Outcome.uncertain("no"));
            toys.when(A, (situation, state) -> Decision.nothing());
            decideAll();
            assertThat(loop.slotCount()).isEqualTo(1);
            time.pass(Duration.ofNanos(FIRST));
            decideAll();
            assertThat(loop.slotCount()).isZero();
            assertThat(loop.nextTimerNanos()).isEmpty();
        }
    }

    @Nested
    @DisplayName("after writes")
    class Writes {
        private final ConfigMap known = toy("a", "u", 5);

        private void writeAlways() {
            cached(known);
            toys.when(
                    A,
                    (situation, state) -> situation
                            .caches()
                            .get(Kinds.CONFIG_MAP, A)
                            .map(base -> Decision.act(update("write", base)))
                            .orElse(Decision.nothing()));
            decideAll();
        }

        @ParameterizedTest
        @EnumSource(
                value = Failure.class,
                names = {"CONFLICT", "ALREADY_EXISTS", "UNKNOWN"})
        @DisplayName("reads live before the key is decided again")
        void rereads(Failure failure) {
            writeAlways();
            answer(last(), StoreResult.failed(failure, "no"));
            decideAll();
            assertThat(operations()).containsExactly("write", "reread");
            assertThat(toys.decided).hasSize(1);
            answer(last(), StoreResult.ok(toy("a", "u", 8)));
            decideAll();
            if (failure == Failure.UNKNOWN) {
                assertThat(operations()).containsExactly("write", "reread");
            } else {
                assertThat(operations()).containsExactly("write", "reread", "write");
                assertThat(((Effect.Update<?>) last().effect())
                                .change()
                                .base()
                                .metadata()
                                .resourceVersion())
                        .isEqualTo("8");
            }
        }

        @Test
        @DisplayName("tries again at once after the first conflict and backs off after the second")
        void conflicts() {
            writeAlways();
            answer(last(), StoreResult.failed(Failure.CONFLICT, "no"));
            answer(last(), StoreResult.ok(toy("a", "u", 8)));
            loop.fireTimers();
            decideAll();
            assertThat(operations()).containsExactly("write", "reread", "write");
            answer(last(), StoreResult.failed(Failure.CONFLICT, "no"));
            answer(last(), StoreResult.ok(toy("a", "u", 8)));
            decideAll();
            assertThat(operations()).containsExactly("write", "reread", "write", "reread");
            time.pass(Duration.ofNanos(FIRST));
            decideAll();
            assertThat(operations()).endsWith("reread", "write");
        }

        @Test
        @DisplayName("decides nothing about what it could not read: reads again, and backs off meanwhile")
        void rereadFails() {
            writeAlways();
            answer(last(), StoreResult.failed(Failure.UNKNOWN, "lost"));
            answer(last(), StoreResult.failed(Failure.UNAVAILABLE, "down"));
            decideAll();
            check("a");
            assertThat(toys.decided).hasSize(1);
            assertThat(operations()).containsExactly("write", "reread");
            time.pass(Duration.ofNanos(FIRST));
            decideAll();
            assertThat(operations()).containsExactly("write", "reread", "reread");
            answer(last(), StoreResult.failed(Failure.NOT_FOUND, "gone"));
            decideAll();
            assertThat(toys.decided).hasSize(2);
            assertThat(loop.caches().get(Kinds.CONFIG_MAP, A)).isEmpty();
        }

        @Test
        @DisplayName("goes on when a read is forbidden, which no repetition changes")
        void rereadForbidden() {
            writeAlways();
            answer(last(), StoreResult.failed(Failure.CONFLICT, "no"));
            answer(last(), StoreResult.failed(Failure.FORBIDDEN, "no"));
            decideAll();
            assertThat(toys.decided).hasSize(2);
        }

        @Test
        @DisplayName("takes NOT_FOUND for an answer: the object goes, nothing backs off")
        void notFoundIsAnAnswer() {
            writeAlways();
            answer(last(), StoreResult.failed(Failure.NOT_FOUND, "gone"));
            decideAll();
            assertThat(loop.caches().get(Kinds.CONFIG_MAP, A)).isEmpty();
            assertThat(operations()).containsExactly("write");
            assertThat(loop.nextTimerNanos()).isEmpty();
            assertThat(loop.slotCount()).isZero();
        }

        @Test
        @DisplayName("does not take NOT_FOUND for one that was created since")
        void notFoundThenCreated() {
            toys.when(
                    A,
                    (situation, state) -> situation.results().isEmpty()
                                    && situation
                                            .caches()
                                            .get(Kinds.CONFIG_MAP, A)
                                            .isEmpty()
                            ? Decision.act(new Effect.Read<>("look", Kinds.CONFIG_MAP, A))
                            : Decision.nothing());
            check("a");
            cached(known);
            answer(last(), StoreResult.failed(Failure.NOT_FOUND, "was not there"));
            decideAll();
            assertThat(loop.caches().get(Kinds.CONFIG_MAP, A)).contains(known);
        }

        @Test
        @DisplayName("knows its own write at once, and its echo is no news")
        void ownWrite() {
            cached(known);
            decideAll();
            toys.when(
                    A,
                    (situation, state) ->
                            situation.results().isEmpty() ? Decision.act(update("write", known)) : Decision.nothing());
            check("a");
            answer(last(), StoreResult.ok(toy("a", "u", 6, "changed")));
            assertThat(loop.caches().get(Kinds.CONFIG_MAP, A)).contains(toy("a", "u", 6, "changed"));
            decideAll();
            int decisions = toys.decided.size();
            cached(toy("a", "u", 6, "changed"));
            decideAll();
            assertThat(toys.decided).hasSize(decisions);
        }

        @Test
        @DisplayName("knows its own deletion at once")
        void ownDeletion() {
            cached(known);
            decideAll();
            toys.when(
                    A,
                    (situation, state) -> situation.results().isEmpty()
                            ? Decision.act(new Effect.Delete<>("delete", Kinds.CONFIG_MAP, A, DeleteOptions.DEFAULT))
                            : Decision.nothing());
            check("a");
            answer(last(), StoreResult.ok(new Deletion<>(known, true, at(9))));
            decideAll();
            assertThat(loop.caches().get(Kinds.CONFIG_MAP, A)).isEmpty();
            cached(toy("a", "u", 7));
            assertThat(loop.caches().get(Kinds.CONFIG_MAP, A)).isEmpty();
        }

        @Test
        @DisplayName("may name an operation as it likes")
        void noReservedNames() {
            toys.when(
                    A,
                    (situation, state) -> situation.results().isEmpty()
                            ? Decision.act(ToyCall.effect("reread", "v"))
                            : Decision.nothing());
            check("a");
            answer(last(), Outcome.done());
            decideAll();
            assertThat(sent).hasSize(1);
        }

        @Test
        @DisplayName("survives an object that cannot be understood")
        void malformedAnswer() {
            writeAlways();
            ConfigMap odd = known.withMetadata(known.metadata().withResourceVersion("odd"));
            toys.when(A, (situation, state) -> Decision.nothing());
            answer(last(), StoreResult.ok(odd));
            decideAll();
            assertThat(loop.hasEffectsInFlight()).isFalse();
            assertThat(heard.defects).hasSize(1);
            assertThat(toys.decided).hasSize(2);
        }
    }

    @Nested
    @DisplayName("with a defect in a controller")
    class Defects {
        @Test
        @DisplayName("holds up the key that it is about and no other")
        void holdsUpItsKeyOnly() {
            toys.when(A, (situation, state) -> {
                throw new IllegalStateException("defect");
            });
            toys.when(
                    B,
                    (situation, state) -> situation.results().isEmpty()
                            ? Decision.act(ToyCall.effect("call", "v"))
                            : Decision.nothing());
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
                    (situation, state) -> situation.results().isEmpty()
                            ? Decision.act(ToyCall.effect("call", "v"))
                            : Decision.nothing());
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
        void outOfMemoryIsNobodysDefect() {
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
            assertThat(loop.slotCount()).isZero();
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
        assertThat(loop.slotCount()).isZero();
        assertThat(loop.nextTimerNanos()).isEmpty();
        assertThat(sent).isEmpty();
    }
}
