// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static dev.mooring.runtime.Toys.saying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.ToyCall;
import dev.mooring.runtime.control.ToyController;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A controller runtime")
class ControllerRuntimeTest extends RunningToys {
    private void changeEverything() {
        for (ObjectKey key : List.of(A, B)) {
            toys.when(
                    key,
                    (situation, state) -> situation
                            .caches()
                            .get(Kinds.CONFIG_MAP, key)
                            .filter(toy -> "new".equals(toy.data().get("text")))
                            .map(toy -> Decision.act(new Effect.Update<>(
                                    "write", Kinds.CONFIG_MAP, new Change<>(toy, saying(toy, "done")))))
                            .orElse(Decision.nothing()));
        }
    }

    private String text(ObjectKey key) {
        return store.get(Kinds.CONFIG_MAP, key).orThrow().data().getOrDefault("text", "");
    }

    @Test
    @DisplayName("starts no thread before its start and leaves none after its end")
    void noThreads() throws InterruptedException {
        changeEverything();
        create("a");
        ControllerRuntime runtime = runtime(options());
        assertThat(threads.alive()).isEmpty();
        runtime.start();
        runtime.whenQuiescent().join();
        create("b");
        runtime.whenQuiescent().join();
        assertThat(text(A)).isEqualTo("done");
        assertThat(text(B)).isEqualTo("done");
        assertThat(runtime.close(Duration.ofSeconds(30)).clean()).isTrue();
        for (Thread thread : threads.all) {
            thread.join(Duration.ofMinutes(5).toMillis()); // a pool is terminated a moment before its last thread is
        }
        assertThat(threads.alive()).isEmpty();
        assertThat(threads.all)
                .isNotEmpty()
                .allSatisfy(thread -> assertThat(thread.getName()).startsWith("mooring-"));
        assertThat(store.openWatches()).isZero();
    }

    @Test
    @DisplayName("is started once, closed any number of times")
    void onceOnly() {
        ControllerRuntime runtime = runtime(options()).start();
        assertThatThrownBy(runtime::start).isInstanceOf(IllegalStateException.class);
        runtime.close();
        runtime.close();
        ControllerRuntime never = runtime(options());
        var question = never.ask(caches -> 1);
        never.close();
        assertThat(question).isCompletedExceptionally();
        assertThatThrownBy(never::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("breaks no promise silently: who asks after the end is told")
    void askedAfterTheEnd() {
        ControllerRuntime runtime = runtime(options()).start();
        runtime.close();
        assertThat(runtime.ask(caches -> 1)).isCompletedExceptionally();
        assertThat(runtime.whenQuiescent()).isCompletedExceptionally();
    }

    @Test
    @DisplayName("answers a question, or fails as it fails")
    void ask() {
        create("a");
        try (ControllerRuntime runtime = runtime(options()).start()) {
            runtime.whenQuiescent().join();
            assertThat(cached(runtime, A)).isPresent();
            assertThatThrownBy(runtime.ask(caches -> {
                        throw new IllegalStateException("mine");
                    })::join)
                    .hasRootCauseMessage("mine");
        }
    }

    @Test
    @DisplayName("uses the executors given, and does not shut them down")
    void suppliedExecutors() {
        ExecutorService forStore = Executors.newFixedThreadPool(2, work -> new Thread(work, "my-store"));
        ExecutorService forCalls = Executors.newFixedThreadPool(2, work -> new Thread(work, "my-calls"));
        List<String> names = new ArrayList<>();
        toys.when(
                A,
                (situation, state) ->
                        situation.results().isEmpty() ? Decision.act(ToyCall.effect("call", "v")) : Decision.nothing());
        create("a");
        try {
            ControllerRuntime runtime = runtime(
                            options().withExecutors(forStore, forCalls).withCalls((call, ticket) -> {
                                names.add(Thread.currentThread().getName());
                                return Outcome.done();
                            }))
                    .start();
            runtime.whenQuiescent().join();
            runtime.close();
            assertThat(names).containsExactly("my-calls");
            assertThat(threads.all).as("the decider's only").hasSize(1);
            assertThat(forStore.isShutdown() || forCalls.isShutdown()).isFalse();
        } finally {
            forStore.shutdownNow();
            forCalls.shutdownNow();
        }
    }

    @Test
    @DisplayName("ends cleanly though the embedder shut its executors down before")
    void executorsRefuse() throws InterruptedException {
        ExecutorService forStore = Executors.newCachedThreadPool();
        ExecutorService forCalls = Executors.newCachedThreadPool();
        forCalls.shutdownNow();
        toys.when(
                A,
                (situation, state) ->
                        situation.results().isEmpty() ? Decision.act(ToyCall.effect("call", "v")) : Decision.nothing());
        create("a");
        ControllerRuntime runtime =
                runtime(options().withExecutors(forStore, forCalls)).start();
        assertThat(results.take().message()).contains("takes nothing");
        forStore.shutdownNow();
        assertThat(runtime.close(Duration.ofSeconds(30)).clean()).isTrue();
    }

    @Test
    @DisplayName("lives beside others in one JVM")
    void several() {
        ToyController otherToys = new ToyController("toys");
        create("a");
        try (ControllerRuntime one = runtime(options().withName("one")).start();
                ControllerRuntime other = new ControllerRuntime(
                                store,
                                List.of(otherToys),
                                options().withName("other").withThreads(threads))
                        .start()) {
            one.whenQuiescent().join();
            other.whenQuiescent().join();
            assertThat(threads.alive()).anyMatch(name -> name.startsWith("one-decider"));
            assertThat(threads.alive()).anyMatch(name -> name.startsWith("other-decider"));
        }
        assertThat(toys.decided).contains("a");
        assertThat(otherToys.decided).contains("a");
    }
}
