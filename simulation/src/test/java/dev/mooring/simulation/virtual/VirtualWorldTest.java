// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.Interception;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.WriteInterceptor;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.Key;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteRequest;
import dev.mooring.storage.store.WriteVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VirtualWorldTest {
    private final VirtualClock clock = new VirtualClock();
    private final List<String> written = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private final List<String> defects = new ArrayList<>();
    private Optional<RuntimeException> deathBefore = Optional.empty();
    private Optional<RuntimeException> deathAfter = Optional.empty();
    private Optional<Failure> refusal = Optional.empty();
    private CallAnswer answer = CallAnswer.of(Outcome.done());

    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), clock, IdSource.random(new Random(0)))
                    .withInterceptor(new Interceptor()));

    private final VirtualWorld world = new VirtualWorld(clock, 0, new Observer(), 1_000);

    private final class Interceptor implements WriteInterceptor {
        @Override
        public Interception before(WriteRequest request) {
            if (request.verb() == WriteVerb.UPDATE) {
                written.add(request.key().name() + " at " + Durations.format(clock.elapsed()));
                Optional<RuntimeException> death = deathBefore;
                deathBefore = Optional.empty();
                death.ifPresent(exception -> {
                    throw exception;
                });
                Optional<Failure> failure = refusal;
                refusal = Optional.empty();
                return failure.map(reason -> Interception.refuse(reason, "planted"))
                        .orElse(Interception.PROCEED);
            }
            return Interception.PROCEED;
        }

        @Override
        public void after(WriteRequest request, Optional<Failure> outcome) {
            if (request.verb() == WriteVerb.UPDATE) {
                Optional<RuntimeException> death = deathAfter;
                deathAfter = Optional.empty();
                death.ifPresent(exception -> {
                    throw exception;
                });
            }
        }
    }

    private final class Observer implements WorldObserver {
        @Override
        public void onCall(String process, Call call, CallAnswer callAnswer) {
            calls.add(process + " " + call.volume() + " at " + Durations.format(clock.elapsed()));
        }

        @Override
        public void onDefect(String process, String controller, Key key, RuntimeException defect) {
            defects.add(process + " " + controller + " " + key + " " + defect.getMessage());
        }
    }

    @Test
    void settlesByDecidingAndWriting() {
        VirtualProcess process = start("p", Toy.Work.LABEL_IT);
        create("a");
        assertThat(labelled("a")).isFalse();
        world.settle();
        assertThat(labelled("a")).isTrue();
        assertThat(written).containsExactly("a at 0s");
        assertThat(process.caches().orElseThrow().get(Kinds.CONFIG_MAP, key("a")))
                .get()
                .satisfies(map -> assertThat(map.metadata().labels()).containsKey(Toy.LABEL));
    }

    @Test
    void seesAtItsStartWhatWasThereBefore() {
        create("a");
        start("p", Toy.Work.LABEL_IT);
        world.settle();
        assertThat(labelled("a")).isTrue();
    }

    @Test
    void timersGoOffByAdvanceOnlyAndAtTheirTime() {
        start("p", Toy.Work.WAIT_A_MINUTE);
        create("a");
        world.settle();
        world.advance(Duration.ofSeconds(30));
        create("b");
        world.advance(Duration.ofSeconds(29));
        assertThat(written).isEmpty();
        world.advance(Duration.ofMinutes(10));
        assertThat(written).containsExactly("a at 1m0s", "b at 1m30s");
        assertThat(clock.elapsed()).isEqualTo(Duration.ofSeconds(659));
        assertThat(clock.instant()).isEqualTo(VirtualClock.START.plusSeconds(659));
    }

    @Test
    void aHangingCallEndsUncertainAtItsDeadlineAndIsMadeAgain() {
        answer = CallAnswer.hangs();
        start("p", Toy.Work.CALL_FIRST);
        create("a");
        world.settle();
        answer = CallAnswer.of(Outcome.done());
        world.advance(Toy.TIME_LIMIT.minusNanos(1));
        assertThat(calls).containsExactly("p a at 0s");
        world.advance(Duration.ofSeconds(1));
        assertThat(calls).containsExactly("p a at 0s", "p a at 5m0.5s");
        assertThat(labelled("a")).isTrue();
    }

    @Test
    void onlySoManyCallsOfOneBackEndHangAtOnce() {
        answer = CallAnswer.hangs();
        start("p", Toy.Work.CALL_FIRST);
        for (char name = 'a'; name <= 'j'; name++) {
            create(String.valueOf(name));
        }
        world.settle();
        assertThat(calls).hasSize(8);
        world.advance(Duration.ofMinutes(4));
        assertThat(calls).hasSize(8);
        answer = CallAnswer.of(Outcome.done());
        world.advance(Duration.ofMinutes(2));
        assertThat(calls).hasSize(8 + 10);
        assertThat(labelled("a")).isTrue();
        assertThat(labelled("j")).isTrue();
    }

    @Test
    void failuresBackOffInVirtualTime() {
        answer = CallAnswer.of(Outcome.uncertain("planted"));
        start("p", Toy.Work.CALL_FIRST);
        create("a");
        world.advance(Duration.ofSeconds(4));
        assertThat(calls).containsExactly("p a at 0s", "p a at 0.5s", "p a at 1.5s", "p a at 3.25s");
    }

    @Test
    void aKilledProcessDoesNothingAndForgetsItsCalls() {
        answer = CallAnswer.hangs();
        VirtualProcess process = start("p", Toy.Work.CALL_FIRST);
        create("a");
        world.settle();
        process.kill();
        assertThat(process.running()).isFalse();
        answer = CallAnswer.of(Outcome.done());
        world.advance(Duration.ofHours(1));
        assertThat(calls).hasSize(1);
        process.restart();
        world.settle();
        assertThat(calls).hasSize(2);
        assertThat(labelled("a")).isTrue();
        assertThat(process.epoch()).isEqualTo(2);
    }

    @Test
    void aProcessThatDiesBeforeItsWriteStartsAgainAndWrites() {
        deathBefore = Optional.of(new ProcessDeath("planted"));
        VirtualProcess process = start("p", Toy.Work.LABEL_IT);
        create("a");
        world.settle();
        assertThat(written).hasSize(2);
        assertThat(labelled("a")).isTrue();
        assertThat(process.epoch()).isEqualTo(2);
    }

    @Test
    void aProcessThatDiesAfterItsWriteFindsItDone() {
        deathAfter = Optional.of(new ProcessDeath("planted"));
        VirtualProcess process = start("p", Toy.Work.LABEL_IT);
        create("a");
        world.settle();
        assertThat(written).hasSize(1);
        assertThat(process.epoch()).isEqualTo(2);
    }

    @Test
    void aConflictIsRetriedAtOnce() {
        refusal = Optional.of(Failure.CONFLICT);
        start("p", Toy.Work.LABEL_IT);
        create("a");
        world.settle();
        assertThat(written).containsExactly("a at 0s", "a at 0s");
    }

    @Test
    void theSeedDecidesTheOrderOfEffects() {
        for (long seed = 0; seed < 5; seed++) {
            List<String> order = orderOfCalls(seed);
            assertThat(order).containsExactlyInAnyOrder("a", "m", "z");
        }
        assertThat(orderOfCalls(1)).isEqualTo(orderOfCalls(1));
        assertThat(List.of(orderOfCalls(1), orderOfCalls(2), orderOfCalls(3), orderOfCalls(4)))
                .as("a seed decides which effect comes first")
                .anySatisfy(order -> assertThat(order).isNotEqualTo(orderOfCalls(1)));
    }

    private static List<String> orderOfCalls(long seed) {
        VirtualWorldTest test = new VirtualWorldTest();
        List<String> order = new ArrayList<>();
        VirtualWorld seeded = new VirtualWorld(test.clock, seed, new WorldObserver() {
            @Override
            public void onCall(String process, Call call, CallAnswer callAnswer) {
                order.add(call.volume());
            }
        });
        seeded.add(new ProcessSpec(
                        "p",
                        () -> List.of(new Toy("toy", Toy.Work.CALL_FIRST)),
                        test.store,
                        VirtualCalls.of((call, ticket) -> Outcome.done())))
                .restart();
        List.of("a", "z", "m").forEach(test::create);
        seeded.settle();
        return order;
    }

    @Test
    void aWorldWithoutRestNamesItsBusiestKey() {
        start("p", Toy.Work.NEVER_REST);
        create("a");
        assertThatThrownBy(world::settle)
                .isInstanceOf(LivelockException.class)
                .hasMessageContaining("actions at 0s; busiest: p: toy: map default/a (1001 decisions)");
    }

    @Test
    void aControllerThatThrowsHoldsUpNoOtherController() {
        start("bad", Toy.Work.THROW);
        start("good", Toy.Work.LABEL_IT);
        create("a");
        world.settle();
        assertThat(labelled("a")).isTrue();
        assertThat(defects).containsExactly("bad toy map default/a planted");
    }

    @Test
    void dutiesRunUntilTheyHaveNothingToDo() {
        int[] left = {3};
        world.addDuty(() -> left[0]-- > 0);
        world.settle();
        assertThat(left[0]).isNegative();
    }

    @Test
    void tasksOfTheWorldRunAtTheirTime() {
        List<String> ran = new ArrayList<>();
        world.after(Duration.ofSeconds(5), () -> ran.add("late"));
        world.after(Duration.ofSeconds(1), () -> ran.add("early"));
        world.advance(Duration.ofSeconds(4));
        assertThat(ran).containsExactly("early");
        world.advance(Duration.ofSeconds(1));
        assertThat(ran).containsExactly("early", "late");
    }

    @Test
    void processesHaveNamesOfTheirOwn() {
        start("p", Toy.Work.LABEL_IT);
        assertThatThrownBy(() -> start("p", Toy.Work.LABEL_IT)).isInstanceOf(IllegalArgumentException.class);
        world.remove("p");
        assertThat(world.process("p")).isEmpty();
        start("p", Toy.Work.LABEL_IT);
    }

    private VirtualProcess start(String name, Toy.Work work) {
        VirtualProcess process =
                world.add(new ProcessSpec(name, () -> List.of(new Toy("toy", work)), store, this::call));
        process.restart();
        return process;
    }

    private CallAnswer call(Call call, CallTicket ticket) {
        assertThat(ticket.deadline()).isEqualTo(clock.instant().plus(Toy.TIME_LIMIT));
        return answer;
    }

    private void create(String name) {
        store.createDocument(
                        Kinds.CONFIG_MAP,
                        Document.of(Map.of(
                                "apiVersion", "v1",
                                "kind", "ConfigMap",
                                "metadata", Map.of("name", name, "namespace", "default"))))
                .orThrow();
    }

    private boolean labelled(String name) {
        ConfigMap map = store.get(Kinds.CONFIG_MAP, key(name)).orThrow();
        return map.metadata().labels().containsKey(Toy.LABEL);
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }
}
