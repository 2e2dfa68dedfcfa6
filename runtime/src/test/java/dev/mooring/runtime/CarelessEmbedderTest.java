// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ToyCall;
import dev.mooring.runtime.control.ToyController;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A controller runtime in careless hands")
class CarelessEmbedderTest extends RunningToys {
    @Test
    @DisplayName("survives a question that fails with an error, and tells the asker")
    void questionFails() {
        try (ControllerRuntime runtime = runtime(options()).start()) {
            assertThatThrownBy(() -> runtime.ask(caches -> {
                                throw new AssertionError("mine");
                            })
                            .join())
                    .hasRootCauseMessage("mine");
            assertThat(runtime.ask(caches -> "alive").join()).isEqualTo("alive");
        }
    }

    @Test
    @DisplayName("answers a question that waits for another question's answer")
    void questionInQuestion() {
        try (ControllerRuntime runtime = runtime(options()).start()) {
            assertThat(runtime.ask(caches -> runtime.ask(inner -> 1).join() + 1).join())
                    .isEqualTo(2);
        }
    }

    @Test
    @DisplayName("ends all threads whatever limit it was closed with before")
    void strangeLimits() throws InterruptedException {
        ControllerRuntime runtime = runtime(options()).start();
        runtime.whenQuiescent().join();
        assertThatThrownBy(() -> runtime.close(null)).hasMessage("limit");
        runtime.close(Duration.ofSeconds(Long.MIN_VALUE));
        for (Thread thread : threads.all) {
            thread.join(Duration.ofMinutes(5).toMillis());
        }
        assertThat(threads.alive()).isEmpty();
    }

    @Test
    @DisplayName("refuses to be closed by its own decider, which would wait for itself")
    void closedByItself() {
        try (ControllerRuntime runtime = runtime(options()).start()) {
            assertThatThrownBy(() -> runtime.ask(caches -> runtime.close(Duration.ofDays(1)))
                            .join())
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("on another thread");
            assertThat(runtime.ask(caches -> 1).join()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("names what is missing, and a controller that is there twice")
    void arguments() {
        assertThatThrownBy(() -> options().withCalls(null)).hasMessage("calls");
        assertThatThrownBy(() -> new ControllerRuntime(null, List.of(), options()))
                .hasMessage("store");
        assertThatThrownBy(() -> new ControllerRuntime(store, List.of(toys, new ToyController("toys")), options()))
                .hasMessageStartingWith("two controllers are called toys");
    }

    @Test
    @DisplayName("takes an answer that is null for uncertain")
    void answersNull() throws InterruptedException {
        callOnce("call", Duration.ofMinutes(2));
        try (ControllerRuntime runtime =
                runtime(options().withCalls((call, ticket) -> null)).start()) {
            assertThat(results.take().outcome())
                    .hasValueSatisfying(outcome -> assertThat(outcome)
                            .isEqualTo(Outcome.uncertain("plugin toys.example.com/toy answered null")));
            runtime.whenQuiescent().join();
        }
    }

    @Test
    @DisplayName("makes a call also if its plugin cannot say which calls it may hold up")
    void bulkheadFails() throws InterruptedException {
        callOnce("call", Duration.ofMinutes(2));
        CallHandler careless = new CallHandler() {
            @Override
            public Outcome<?> perform(Call call, CallTicket ticket) {
                return Outcome.done();
            }

            @Override
            public String bulkhead(Call call) {
                throw new NoClassDefFoundError("com/example/Server");
            }
        };
        try (ControllerRuntime runtime = runtime(options().withCalls(careless)).start()) {
            assertThat(results.take().succeeded()).isTrue();
            runtime.whenQuiescent().join();
        }
    }

    @Test
    @DisplayName("goes on deciding while a plugin's cancellation hangs, and after one that fails with an error")
    void cancellationHangs() throws InterruptedException {
        callOnce("slow", Duration.ofSeconds(1));
        Hanging cancellation = new Hanging();
        CountDownLatch failed = new CountDownLatch(1);
        Hanging backEnd = new Hanging();
        try (ControllerRuntime runtime = runtime(options().withCalls((call, ticket) -> {
                    ticket.onCancel(cancellation::hang);
                    ticket.onCancel(() -> {
                        failed.countDown();
                        throw new NoClassDefFoundError("com/example/Connection");
                    });
                    return backEnd.hang();
                }))
                .start()) {
            assertThat(takeBegun().outcome()).containsInstanceOf(Outcome.Uncertain.class);
            cancellation.begun.await();
            assertThat(failed.await(240, TimeUnit.SECONDS)).isTrue();
            assertThat(runtime.ask(caches -> "decides").join()).isEqualTo("decides");
            cancellation.letGo.countDown();
            backEnd.letGo.countDown();
            runtime.whenQuiescent().join();
        }
    }

    @Test
    @DisplayName("survives a controller whose eyes fail with an error")
    void observerFails() {
        ToyController blind = new ToyController("blind") {
            @Override
            public void observe(ObjectChange<?> change, Mailbox mailbox) {
                throw new NoClassDefFoundError("com/example/Identity");
            }
        };
        create("a");
        try (ControllerRuntime runtime =
                new ControllerRuntime(store, List.of(blind, toys), options().withThreads(threads)).start()) {
            runtime.whenQuiescent().join();
            assertThat(toys.decided).contains("a");
        }
    }

    @Test
    @DisplayName("says that nothing is decided any more when the machine has failed it")
    void machineFails() {
        toys.when(A, (situation, state) -> {
            throw new OutOfMemoryError("planted");
        });
        ControllerRuntime runtime = runtime(options());
        assertThat(runtime.failure()).isEmpty();
        runtime.start();
        CompletableFuture<Void> quiet = runtime.whenQuiescent();
        create("a");
        assertThatThrownBy(() -> {
                    quiet.join();
                    runtime.whenQuiescent().join();
                })
                .isInstanceOf(CancellationException.class);
        assertThat(runtime.failure()).containsInstanceOf(OutOfMemoryError.class);
        runtime.close(Duration.ZERO);
        assertThat(runtime.failure()).as("after it was closed").isEmpty();
    }

    @Test
    @DisplayName("follows the store also through an executor that is full now and then")
    void executorIsFull() {
        AtomicInteger requests = new AtomicInteger();
        Executor sometimes = request -> {
            if (requests.incrementAndGet() % 2 == 1) {
                throw new RejectedExecutionException("full");
            }
            request.run();
        };
        create("a");
        try (ControllerRuntime runtime =
                runtime(options().withExecutors(sometimes, Runnable::run)).start()) {
            runtime.whenQuiescent().join();
            create("b");
            runtime.whenQuiescent().join();
            assertThat(toys.decided).contains("a", "b");
        }
        assertThat(requests.get()).isGreaterThan(2);
    }

    private void callOnce(String operation, Duration limit) {
        toys.when(
                A, (situation, state) -> mayCall(situation.results()) ? calling(operation, limit) : Decision.nothing());
        create("a");
    }

    private boolean called; // by the decider alone

    /** Once, and again if the call had not begun when its time was over. */
    private boolean mayCall(List<EffectResult> seen) {
        return seen.isEmpty() ? !called : seen.stream().allMatch(RunningToys::isDeferred);
    }

    private Decision calling(String operation, Duration limit) {
        called = true;
        return Decision.act(ToyCall.effect(operation, "v", limit));
    }
}
