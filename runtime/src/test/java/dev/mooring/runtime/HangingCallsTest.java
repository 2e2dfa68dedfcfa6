// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static dev.mooring.runtime.Toys.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.ToyCall;
import dev.mooring.runtime.control.ToyController;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A controller runtime whose calls fail or hang")
class HangingCallsTest extends RunningToys {
    @Test
    @DisplayName("takes a call that throws for uncertain, an error too")
    void pluginThrows() throws InterruptedException {
        for (Throwable thrown : List.of(new IllegalStateException("no"), new NoClassDefFoundError("no"))) {
            ToyController own = new ToyController("toys");
            own.when(
                    A,
                    (situation, state) -> situation.results().isEmpty()
                            ? Decision.act(ToyCall.effect("call", "v"))
                            : Decision.nothing());
            store.create(Kinds.CONFIG_MAP, fresh("a", "new"));
            results.clear();
            try (ControllerRuntime runtime =
                    new ControllerRuntime(store, List.of(own), options().withCalls((call, ticket) -> sneaky(thrown)))) {
                runtime.start();
                assertThat(results.take().outcome()).containsInstanceOf(Outcome.Uncertain.class);
            }
        }
    }

    @SuppressWarnings("unchecked") // the cast is none at run time: that is the trick
    private static <X extends Throwable> Outcome<?> sneaky(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Test
    @DisplayName("gives a late call up as uncertain; its target stays busy until it has ended")
    void lateCall() throws InterruptedException {
        Hanging backEnd = new Hanging();
        BlockingQueue<Key> heldBack = new LinkedBlockingQueue<>();
        CountDownLatch cancelled = new CountDownLatch(1);
        Queue<String> calls = new ConcurrentLinkedQueue<>();
        toys.when(
                A,
                (situation, state) -> situation.results().stream().noneMatch(HangingCallsTest::isUncertain)
                        ? Decision.act(ToyCall.effect("slow", "v", Duration.ofSeconds(1)))
                        : Decision.act(ToyCall.effect("next", "v")));
        create("a");
        try (ControllerRuntime runtime = runtime(options()
                        .withListener(new LoopListener() {
                            @Override
                            public void onResult(Dispatch dispatch, EffectResult result) {
                                results.add(result);
                            }

                            @Override
                            public void onHeldBack(String controller, Key key, Effect effect) {
                                heldBack.add(key);
                            }
                        })
                        .withCalls((call, ticket) -> {
                            calls.add(call.operation());
                            if (!call.operation().equals("slow")) {
                                toysAreDone();
                                return Outcome.done();
                            }
                            ticket.onCancel(() -> {
                                cancelled.countDown();
                                throw new IllegalStateException("cancelling fails");
                            });
                            return backEnd.hang();
                        }))
                .start()) {
            EffectResult first = takeBegun();
            assertThat(first.outcome()).containsInstanceOf(Outcome.Uncertain.class);
            assertThat(cancelled.await(240, TimeUnit.SECONDS)).isTrue();
            heldBack.take();
            assertThat(calls).containsExactly("slow");
            var quiet = runtime.whenQuiescent();
            runtime.ask(caches -> 1).join();
            assertThat(quiet).as("the late call is in flight").isNotDone();
            backEnd.letGo.countDown();
            assertThat(results.take().succeeded()).isTrue();
            assertThat(calls).startsWith("slow", "next");
        }
    }

    private static boolean isUncertain(EffectResult result) {
        return result.outcome().filter(Outcome.Uncertain.class::isInstance).isPresent();
    }

    private void toysAreDone() {
        toys.when(A, (situation, state) -> Decision.nothing());
    }

    @Test
    @DisplayName("reports on closing what has not ended, and begins nothing more")
    void closeWhileHanging() throws InterruptedException {
        Hanging backEnd = new Hanging();
        Queue<CallTicket> tickets = new ConcurrentLinkedQueue<>();
        toys.when(
                A,
                (situation, state) -> situation.results().isEmpty()
                        ? Decision.act(ToyCall.effect("hangs", "v"))
                        : Decision.nothing());
        create("a");
        ControllerRuntime runtime = runtime(options().withCalls((call, ticket) -> {
                    tickets.add(ticket);
                    return backEnd.hang();
                }))
                .start();
        backEnd.begun.await();
        CloseReport report = runtime.close(Duration.ofMillis(50));
        assertThat(report.uncertain())
                .singleElement()
                .satisfies(dispatch -> assertThat(dispatch.effect().operation()).isEqualTo("hangs"));
        assertThat(tickets).allMatch(CallTicket::cancelled);
        assertThat(runtime.close(Duration.ZERO)).as("the same the next time").isEqualTo(report);
        backEnd.letGo.countDown();
        for (Thread thread : threads.all) {
            thread.join();
        }
        assertThat(store.openWatches()).isZero();
    }

    @Test
    @DisplayName("is not held up in closing by a decider that hangs in a controller")
    void closeWhileDeciderHangs() throws InterruptedException {
        Hanging controller = new Hanging();
        toys.when(A, (situation, state) -> {
            controller.hang();
            return Decision.nothing();
        });
        create("a");
        ControllerRuntime runtime = runtime(options()).start();
        controller.begun.await();
        var question = runtime.ask(caches -> 1);
        runtime.close(Duration.ofMillis(50));
        assertThat(question).isCompletedExceptionally();
        controller.letGo.countDown();
        for (Thread thread : threads.all) {
            thread.join();
        }
        assertThat(store.openWatches()).isZero();
    }

    @Test
    @DisplayName("lets a dead back-end delay no other")
    void bulkheads() throws InterruptedException {
        Hanging dead = new Hanging();
        toys.when(A, (situation, state) -> {
            Decision many = Decision.nothing();
            for (int i = 0; i < 20; i++) {
                Effect effect = new Effect.Perform(
                        "dead" + i, ToyCall.of("dead", "dead"), Optional.empty(), Duration.ofMinutes(2));
                many = many.and(effect);
            }
            return situation.results().isEmpty() ? many : Decision.nothing();
        });
        toys.when(
                B,
                (situation, state) -> situation.results().isEmpty()
                        ? Decision.act(ToyCall.effect("lives", "w"))
                        : Decision.nothing());
        create("a");
        create("b");
        ControllerRuntime runtime = runtime(options()
                        .withLimits(new CallLimits(64, 8, 8))
                        .withCalls((call, ticket) -> call.volume().equals("dead") ? dead.hang() : Outcome.done()))
                .start();
        assertThat(results.take().effect().operation()).isEqualTo("lives");
        dead.hanging.acquire(8);
        CloseReport report = runtime.close(Duration.ofMillis(50));
        assertThat(report.uncertain()).hasSizeBetween(8, 20);
        dead.letGo.countDown();
    }
}
