// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static dev.mooring.runtime.Toys.fresh;
import static dev.mooring.runtime.Toys.saying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.ToyCall;
import dev.mooring.runtime.control.ToyController;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A controller runtime")
@Timeout(120)
class ControllerRuntimeTest {
    private static final ObjectKey A = Toys.key("a");
    private static final ObjectKey B = Toys.key("b");

    private final ToyStore store = new ToyStore(object -> ((ConfigMap) object)::withMetadata);
    private final ToyController toys = new ToyController("toys");
    private final Started threads = new Started();
    private final BlockingQueue<EffectResult> results = new LinkedBlockingQueue<>();

    private ControllerRuntime runtime(RuntimeOptions options) {
        return new ControllerRuntime(store, List.of(toys), options.withThreads(threads));
    }

    private RuntimeOptions options() {
        return RuntimeOptions.defaults().withListener(new LoopListener() {
            @Override
            public void onResult(Dispatch dispatch, EffectResult result) {
                results.add(result);
            }
        });
    }

    private static Optional<ConfigMap> cached(ControllerRuntime runtime, ObjectKey key) {
        return runtime.ask(caches -> caches.get(Kinds.CONFIG_MAP, key)).join();
    }

    private void create(String name) {
        store.create(Kinds.CONFIG_MAP, fresh(name, "new")).orThrow();
    }

    /** Threads made so far. */
    private static final class Started implements ThreadFactory {
        final Queue<Thread> all = new ConcurrentLinkedQueue<>();

        @Override
        public Thread newThread(Runnable work) {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            all.add(thread);
            return thread;
        }

        List<String> alive() {
            return all.stream().filter(Thread::isAlive).map(Thread::getName).toList();
        }
    }

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

    /** A back-end whose calls hang until they are let go, whatever they are told. */
    private static final class Hanging {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch letGo = new CountDownLatch(1);
        final Semaphore hanging = new Semaphore(0);

        Outcome<?> hang() {
            begun.countDown();
            hanging.release();
            boolean open = false;
            while (!open) {
                try {
                    letGo.await();
                    open = true;
                } catch (InterruptedException e) {
                    // hangs all the same
                }
            }
            return Outcome.done();
        }
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
            thread.join(Duration.ofMinutes(1).toMillis()); // a pool is terminated a moment before its last thread is
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

    @Test
    @DisplayName("tries again when the store cannot be reached, or throws, at the start")
    void storeDown() {
        store.broken(true);
        create2();
        try (ControllerRuntime runtime = runtime(options()).start()) {
            runtime.whenQuiescent().join();
            assertThat(cached(runtime, A)).isPresent();
            assertThat(store.lists()).isGreaterThan(1);
        }
    }

    /** Heals the store once it was asked; another thread does it, since the decider must not. */
    private void create2() {
        Thread healer = new Thread(() -> {
            while (store.lists() < 1) {
                Thread.onSpinWait();
            }
            store.broken(false);
            store.down(true);
            while (store.lists() < 2) {
                Thread.onSpinWait();
            }
            store.down(false);
            create("a");
        });
        healer.setDaemon(true);
        healer.start();
    }

    @Test
    @DisplayName("loses nothing when the history is gone, or the watch only broke")
    void watchEnds() {
        create("a");
        try (ControllerRuntime runtime = runtime(options()).start()) {
            runtime.whenQuiescent().join();
            store.endWatches(Failure.GONE);
            create("b");
            store.delete(Kinds.CONFIG_MAP, A, dev.mooring.storage.store.DeleteOptions.DEFAULT)
                    .orThrow();
            store.endWatches(Failure.GONE);
            runtime.whenQuiescent().join();
            assertThat(cached(runtime, A)).isEmpty();
            assertThat(cached(runtime, B)).isPresent();
            store.endWatches(Failure.UNAVAILABLE);
            create("c");
            runtime.whenQuiescent().join();
            assertThat(cached(runtime, Toys.key("c"))).isPresent();
        }
        assertThat(store.openWatches()).isZero();
    }

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
                (situation, state) -> situation.results().isEmpty()
                        ? Decision.act(ToyCall.effect("slow", "v", Duration.ofMillis(20)))
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
            EffectResult first = results.take();
            assertThat(first.outcome()).containsInstanceOf(Outcome.Uncertain.class);
            assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
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

    @Test
    @DisplayName("idle, wakes no thread and uses no time of a processor")
    void idle() throws Exception {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/task")), "there is no /proc here");
        List<String> calls = List.of("a");
        toys.when(
                A,
                (situation, state) ->
                        situation.results().isEmpty() ? Decision.act(ToyCall.effect("call", "v")) : Decision.nothing());
        for (int i = 0; i < 1_000; i++) {
            create("t" + i);
        }
        calls.forEach(this::create);
        try (ControllerRuntime runtime = runtime(options().withName("idle").withCalls((call, ticket) -> Outcome.done()))
                .start()) {
            runtime.whenQuiescent().join();
            for (Thread thread : threads.all) {
                if (thread.getName().startsWith("idle-call")) {
                    thread.join(); // an idle one ends
                }
            }
            int window = Integer.getInteger("mooring.idle.seconds", 3);
            Map<String, String> before = activity();
            assertThat(before).hasSizeGreaterThan(1);
            new CountDownLatch(1).await(window, TimeUnit.SECONDS); // the passing of time is what is tested
            assertThat(activity()).isEqualTo(before);
        }
    }

    /** Switches and processor time of our threads by their number and name. */
    private static Map<String, String> activity() throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                try {
                    describe(task, found);
                } catch (NoSuchFileException e) {
                    found.remove(task.getFileName().toString()); // it has ended: none of those that wait for work
                }
            }
        }
        return found;
    }

    private static void describe(Path task, Map<String, String> found) throws IOException {
        String name = Files.readString(task.resolve("comm")).strip();
        if (name.startsWith("idle-") && !name.startsWith("idle-call")) {
            String switches = Files.readAllLines(task.resolve("status")).stream()
                    .filter(line -> line.startsWith("voluntary_ctxt_switches"))
                    .findFirst()
                    .orElse("");
            String stat = Files.readString(task.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            found.put(task.getFileName() + " " + name, switches + " user " + fields[11] + " system " + fields[12]);
        }
    }
}
