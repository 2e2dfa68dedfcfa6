// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static dev.mooring.runtime.Toys.toy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A control loop, of an object that waits,")
class LongWaitsTest extends ToyLoop {
    private static final Duration LONG = Defaults.LONG_WAIT;

    private static final Concern POD = new Concern(Kinds.POD, A, "uid", true, "FailedMount", "kubelet");

    private List<String> told() {
        return sent.stream()
                .filter(dispatch -> dispatch.effect() instanceof Effect.Announce)
                .map(dispatch -> ((Effect.Announce) dispatch.effect()).announcement())
                .map(news -> news.object().name() + " " + news.type() + " " + news.reason() + ": " + news.message())
                .toList();
    }

    private Decision waits(String why) {
        return Decision.remember(new Memory(1)).concerning(POD).waitingFor(why);
    }

    private void pass(Duration duration) {
        time.pass(duration);
        decideAll();
    }

    @Test
    @DisplayName("tells what others have to do, once, and not before half a minute has passed")
    void tellsOnce() {
        toys.when(A, (situation, state) -> waits("volume v is not attached"));
        check("a");
        assertThat(loop.nextTimerNanos()).hasValue(time.now().monotonicNanosAfter(LONG));
        pass(LONG.minusNanos(1));
        assertThat(told()).isEmpty();
        pass(Duration.ofNanos(1));
        assertThat(told()).containsExactly("a Warning FailedMount: volume v is not attached");
        assertThat(loop.nextTimerNanos()).as("nothing wakes it any more").isEmpty();
        check("a");
        pass(Duration.ofHours(1));
        assertThat(told()).hasSize(1);
    }

    @Test
    @DisplayName("tells nothing if the wait ends in time, and forgets the key")
    void endsInTime() {
        toys.when(A, (situation, state) -> waits("volume v is not attached"));
        check("a");
        pass(LONG.minusSeconds(1));
        toys.when(A, (situation, state) -> Decision.nothing());
        check("a");
        pass(Duration.ofHours(1));
        assertThat(told()).isEmpty();
        assertThat(loop.itemCount()).isZero();
    }

    @Test
    @DisplayName("tells another cause when that has lasted as long, and the first one never again")
    void anotherCause() {
        toys.when(A, (situation, state) -> waits("one"));
        check("a");
        pass(LONG);
        toys.when(A, (situation, state) -> waits("two"));
        check("a");
        pass(LONG.minusSeconds(1));
        assertThat(told()).hasSize(1);
        pass(Duration.ofSeconds(1));
        assertThat(told()).hasSize(2).last().asString().endsWith("two");
        toys.when(A, (situation, state) -> waits("one"));
        check("a");
        pass(Duration.ofHours(1));
        assertThat(told()).hasSize(2);
    }

    @Test
    @DisplayName("tells causes that change faster than that as well")
    void changingCauses() {
        int[] count = {0};
        toys.when(A, (situation, state) -> waits("cause " + count[0]++ % 2));
        for (int seconds = 0; seconds <= LONG.toSeconds(); seconds++) {
            check("a");
            pass(Duration.ofSeconds(1));
        }
        assertThat(told()).hasSize(1);
    }

    @Test
    @DisplayName("names the call that does not end, the failure that is repeated, and the storage that is busy")
    void knowsItself() {
        toys.when(
                A,
                (situation, state) ->
                        Decision.act(ToyCall.effect("attach", "v")).concerning(POD));
        toys.when(
                B,
                (situation, state) -> Decision.act(ToyCall.effect("detach", "v"))
                        .concerning(new Concern(Kinds.POD, B, "uid-b", true, "FailedDetachVolume", "c")));
        check("a");
        check("b");
        pass(LONG);
        assertThat(told())
                .containsExactlyInAnyOrder(
                        "a Warning FailedMount: attach of volume \"v\" by plugin toys.example.com/toy has not ended yet",
                        "b Warning FailedDetachVolume: detach of volume \"v\" by plugin toys.example.com/toy waits, since another"
                                + " operation on the same storage has not ended yet");
        answer(sent.get(0), Outcome.refused(Refusal.DENIED, "no such portal"));
        decideAll();
        pass(Duration.ofMinutes(1));
        assertThat(told())
                .contains(
                        "a Warning FailedMount: attach of volume \"v\" by plugin toys.example.com/toy fails and is tried again:"
                                + " no such portal");
    }

    @Test
    @DisplayName("tells one that took the name of another one what is still done about that one")
    void takesTheName() {
        toys.when(
                A,
                (situation, state) ->
                        Decision.act(ToyCall.effect("provision", "v")).concerning(POD));
        check("a");
        pass(Duration.ofSeconds(10));
        toys.concerning(new Concern(Kinds.POD, A, "another uid", true, "FailedMount", "kubelet"));
        check("a");
        pass(LONG);
        assertThat(told()).singleElement().asString().endsWith("has not ended yet");
    }

    @Test
    @DisplayName("names what was refused and is not tried again")
    void refusedForGood() {
        cached(toy("a", "u", 5));
        toys.when(
                A,
                (situation, state) -> Decision.act(update(
                                "write",
                                situation.caches().get(Kinds.CONFIG_MAP, A).orElseThrow()))
                        .concerning(POD));
        decideAll();
        answer(last(), StoreResult.failed(Failure.INVALID, "field: rule"));
        decideAll();
        pass(Duration.ofHours(1));
        assertThat(told())
                .containsExactly(
                        "a Warning FailedMount: the write (write) of ConfigMap \"a\" is refused, and not tried again"
                                + " while the object stays as it is: field: rule");
    }

    @Test
    @DisplayName("keeps what a decision says, of which a part was refused")
    void refusedInPart() {
        cached(toy("a", "u", 5));
        toys.when(
                A,
                (situation, state) -> Decision.act(update(
                                "write",
                                situation.caches().get(Kinds.CONFIG_MAP, A).orElseThrow()))
                        .concerning(POD)
                        .waitingFor("volume v is not attached"));
        decideAll();
        answer(last(), StoreResult.failed(Failure.INVALID, "field: rule"));
        decideAll();
        pass(Duration.ofHours(1));
        assertThat(told()).containsExactly("a Warning FailedMount: volume v is not attached");
    }

    @Test
    @DisplayName("tells nothing of an earlier term before it has decided again")
    void anotherTerm() {
        toys.when(A, (situation, state) -> waits("volume v is not attached"));
        check("a");
        loop.standDown();
        time.pass(Duration.ofHours(1));
        loop.lead(2);
        toys.when(A, (situation, state) -> Decision.nothing());
        check("a");
        pass(Duration.ofHours(1));
        assertThat(told()).isEmpty();
    }

    @Test
    @DisplayName("counts an event of the decision itself as telling")
    void ownEvents() {
        toys.when(
                A,
                (situation, state) ->
                        state.isPresent() ? waits("one") : waits("one").and(new Effect.Announce(POD.waiting("one"))));
        check("a");
        pass(Duration.ofHours(1));
        assertThat(told()).hasSize(1);
    }

    @Test
    @DisplayName("passes on what a call reports, each notice once in ten minutes and not without a bound")
    void notices() {
        toys.when(
                A,
                (situation, state) ->
                        Decision.act(ToyCall.effect("unstage", "v")).concerning(POD));
        check("a");
        Dispatch call = last();
        Notice lost = Notice.warning("DirtyDataLost", "the last writes are lost");
        assertThat(loop.reported(call, lost)).isTrue();
        assertThat(loop.reported(call, lost)).isFalse();
        assertThat(told()).containsExactly("a Warning DirtyDataLost: the last writes are lost");
        time.pass(Duration.ofMinutes(10));
        assertThat(loop.reported(call, lost)).isTrue();
        for (int i = 0; i < 100; i++) {
            loop.reported(call, Notice.normal("Progress", i + " %"));
        }
        assertThat(told().stream().filter(news -> !news.contains("has not ended")))
                .hasSizeLessThanOrEqualTo(1 + Notice.MOST_OF_ONE_WORK);
    }
}
