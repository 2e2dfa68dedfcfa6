// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static dev.mooring.runtime.Toys.at;
import static dev.mooring.runtime.Toys.toy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A control loop, after failures,")
class LoopFailuresTest extends ToyLoop {
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
        LoopFailuresTest again = new LoopFailuresTest();
        again.begin();
        again.toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
        again.check("a");
        assertThat(again.waits(10)).isEqualTo(first);
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
    @DisplayName("forgets those of a plugin that has come, and no other's")
    void aPluginThatComesResets() {
        toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
        check("a");
        waits(3);
        answer(last(), Outcome.uncertain("no"));
        decideAll();

        loop.pluginCame(new PluginName("others.example.com/toy"));
        decideAll();
        assertThat(sent).hasSize(4);
        loop.pluginCame(new PluginName("toys.example.com/toy"));
        decideAll();
        assertThat(sent).hasSize(5);
        assertThat(last().attempt()).isEqualTo(1);
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
        cached(toy("a", "u", 7, "by another writer"));
        decideAll();
        assertThat(sent).as("a change of another writer is one").hasSize(before + 1);
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
                (situation, state) ->
                        situation.results().isEmpty() ? Decision.act(ToyCall.effect("call", "v")) : Decision.nothing());
        check("a");
        answer(last(), Outcome.uncertain("no"));
        toys.when(A, (situation, state) -> Decision.nothing());
        decideAll();
        assertThat(loop.itemCount()).isEqualTo(1);
        time.pass(Duration.ofNanos(FIRST));
        decideAll();
        assertThat(loop.itemCount()).isZero();
        assertThat(loop.nextTimerNanos()).isEmpty();
    }

    private void goes(String name, String uid) {
        loop.caches().of(Kinds.CONFIG_MAP).remove(ObjectKey.of("ns", name), uid, at(8), Origin.WATCH);
    }

    /** A call for the object is in flight, so that what watches show may be an answer to the loop's own write. */
    private ConfigMap busy() {
        ConfigMap toy = toy("a", "former", 2);
        cached(toy);
        toys.when(A, (situation, state) -> Decision.act(update("write", toy)));
        decideAll();
        return toy;
    }

    @Test
    @DisplayName("has no back-off for an object that takes the name of one that failed")
    void anotherObjectOfTheNameInheritsNoBackOff() {
        busy();
        answer(last(), StoreResult.failed(StoreResult.Failure.UNAVAILABLE, "no"));
        decideAll();
        toys.when(B, (situation, state) -> Decision.act(update("other", toy("a", "former", 2))));
        check("b"); // holds the target, so the watch's news count as its own
        goes("a", "former");
        cached(toy("a", "new", 9));
        answer(last(), StoreResult.failed(StoreResult.Failure.NOT_FOUND, "gone"));
        toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("write", "new")));
        toys.when(B, (situation, state) -> Decision.nothing());
        int before = sent.size();
        decideAll();

        assertThat(operations().subList(before, sent.size())).contains("write");
        assertThat(last().attempt()).isEqualTo(1);
    }

    @Test
    @DisplayName("does not count how a call for an object that has gone ends as a failure of another one of the name")
    void anotherObjectOfTheNameInheritsNoLateFailure() {
        cached(toy("a", "former", 2));
        toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "former")));
        decideAll();
        goes("a", "former");
        cached(toy("a", "new", 9));
        decideAll();
        toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "new")));
        answer(last(), Outcome.uncertain("no"));
        decideAll();

        assertThat(sent).hasSize(2);
        assertThat(last().attempt()).isEqualTo(1);
    }

    @Test
    @DisplayName("keeps the back-off of an object while another one goes")
    void theEndOfAnotherObjectEndsNoBackOff() {
        cached(toy("a", "a", 2));
        cached(toy("b", "b", 3));
        toys.when(A, (situation, state) -> Decision.act(ToyCall.effect("call", "v")));
        decideAll();
        answer(last(), Outcome.uncertain("no"));
        decideAll();
        goes("b", "b");
        decideAll();

        assertThat(sent).hasSize(1);
    }
}
