// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static dev.mooring.runtime.Toys.at;
import static dev.mooring.runtime.Toys.toy;
import static dev.mooring.runtime.control.ToyController.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A control loop, after writes,")
class LoopWritesTest extends ToyLoop {
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
    @DisplayName("does not ask again for a change that breaks a rule, before the object has changed")
    void refusedForAVersion() {
        writeAlways();
        answer(last(), StoreResult.failed(Failure.INVALID, "field: rule"));
        decideAll();
        assertThat(toys.decided).hasSize(2);
        assertThat(loop.nextTimerNanos()).isEmpty();
        for (int i = 0; i < 5; i++) {
            time.pass(Duration.ofHours(1));
            loop.recheck("toys", key("a"));
            decideAll();
        }
        assertThat(operations()).containsExactly("write");
        cached(toy("a", "u", 6));
        decideAll();
        assertThat(operations()).containsExactly("write", "write");
    }

    @Test
    @DisplayName(
            "asks again for a change that is not allowed after a long time, since rights change without the object")
    void forbiddenForAVersion() {
        writeAlways();
        answer(last(), StoreResult.failed(Failure.FORBIDDEN, "no"));
        decideAll();
        time.pass(Defaults.RIGHTS_MAY_HAVE_CHANGED.minusSeconds(1));
        loop.recheck("toys", key("a"));
        decideAll();
        assertThat(operations()).containsExactly("write");
        time.pass(Duration.ofSeconds(1));
        decideAll();
        assertThat(operations()).containsExactly("write", "write");
    }

    @Test
    @DisplayName(
            "carries out the rest of a decision of which a part was refused before, and another change of the same version")
    void refusedInPart() {
        cached(known);
        toys.when(A, (situation, state) -> {
            ConfigMap base = situation.caches().get(Kinds.CONFIG_MAP, A).orElseThrow();
            Decision write = Decision.act(update("write", base));
            return situation.resultOf("write").isPresent() ? write.and(update("other", base)) : write;
        });
        decideAll();
        answer(last(), StoreResult.failed(Failure.INVALID, "field: rule"));
        decideAll();
        assertThat(operations()).containsExactly("write", "other");
    }

    @Test
    @DisplayName("forgets what was refused for an object that has gone")
    void refusedAndGone() {
        writeAlways();
        answer(last(), StoreResult.failed(Failure.INVALID, "field: rule"));
        decideAll();
        loop.listed(Kinds.CONFIG_MAP, List.of(), at(9));
        loop.recheck("toys", key("a"));
        decideAll();
        assertThat(loop.itemCount()).isZero();
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
        assertThat(loop.itemCount()).isZero();
    }

    @Test
    @DisplayName("does not take NOT_FOUND for one that was created since")
    void notFoundThenCreated() {
        toys.when(
                A,
                (situation, state) -> situation.results().isEmpty()
                                && situation.caches().get(Kinds.CONFIG_MAP, A).isEmpty()
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
