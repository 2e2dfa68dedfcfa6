// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static dev.mooring.runtime.Toys.saying;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.HandTime;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.ToyCall;
import dev.mooring.runtime.control.ToyController;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a leader has decided and not begun when it ceases to lead does not happen, or changes nothing that its successor wrote (S14). */
class DeposedLeaderTest {
    private static final ObjectKey TOY = Toys.key("a");

    private final ToyStore store = new ToyStore(object -> ((ConfigMap) object)::withMetadata);

    private static Decision write(ConfigMap toy, String text) {
        return Decision.act(new Effect.Update<>("write", Kinds.CONFIG_MAP, new Change<>(toy, saying(toy, text))));
    }

    @Test
    void s14_whatWasNotBegunIsNotBegunAfterwards() throws InterruptedException {
        store.create(Kinds.CONFIG_MAP, Toys.fresh("a", "new")).orThrow();
        AtomicBoolean holding = new AtomicBoolean();
        Queue<Runnable> held = new ConcurrentLinkedQueue<>();
        CountDownLatch decided = new CountDownLatch(2);
        AtomicInteger called = new AtomicInteger();
        ToyController toys = new ToyController("toys");
        toys.when(TOY, (situation, state) -> {
            Optional<ConfigMap> toy = situation.caches().get(Kinds.CONFIG_MAP, TOY);
            if (toy.isEmpty() || !situation.results().isEmpty()) {
                return Decision.nothing();
            }
            holding.set(true);
            return write(toy.get(), "by the old leader").and(List.of(ToyCall.effect("call", "v")));
        });
        ExecutorService pool = Executors.newCachedThreadPool();
        Executor executor = work -> {
            if (holding.get()) {
                held.add(work);
            } else {
                pool.execute(work);
            }
        };
        RuntimeOptions options = RuntimeOptions.defaults()
                .withExecutors(executor, executor)
                .withCalls((call, ticket) -> {
                    called.incrementAndGet();
                    return Outcome.done();
                })
                .withListener(new LoopListener() {
                    @Override
                    public void onEffect(Dispatch dispatch) {
                        decided.countDown();
                    }
                });
        try (ControllerRuntime runtime = new ControllerRuntime(store, List.of(toys), options).start()) {
            decided.await();
            runtime.close(Duration.ZERO);
            assertThat(held).hasSizeGreaterThanOrEqualTo(2);
            held.forEach(Runnable::run);
        } finally {
            pool.shutdownNow();
        }
        assertThat(called).hasValue(0);
        assertThat(store.get(Kinds.CONFIG_MAP, TOY).orThrow().data()).containsEntry("text", "new");
    }

    @Test
    void s14_aWriteThatComesLateIsRefusedOnceAnotherLeaderHasWritten() {
        store.create(Kinds.CONFIG_MAP, Toys.fresh("a", "new")).orThrow();
        List<Dispatch> old = decideOnce("by the old leader");
        List<Dispatch> successor = decideOnce("by the new leader");
        StoreRequests.carryOut(store, successor.get(0).effect()).orThrow();
        EffectResult late = new EffectResult.Stored(
                old.get(0).effect(), StoreRequests.carryOut(store, old.get(0).effect()));
        assertThat(late.storeFailure()).contains(Failure.CONFLICT);
        assertThat(store.get(Kinds.CONFIG_MAP, TOY).orThrow().data()).containsEntry("text", "by the new leader");
    }

    /** What a process that leads decides about what is there now. */
    private List<Dispatch> decideOnce(String text) {
        List<Dispatch> effects = new ArrayList<>();
        ToyController toys = new ToyController("toys");
        toys.when(
                TOY,
                (situation, state) -> situation
                        .caches()
                        .get(Kinds.CONFIG_MAP, TOY)
                        .map(toy -> write(toy, text))
                        .orElse(Decision.nothing()));
        ControlLoop loop =
                new ControlLoop(List.of(toys), new HandTime(), new Random(1), LoopListener.NONE, effects::add);
        loop.lead(1);
        ObjectList<ConfigMap> listed =
                store.list(Kinds.CONFIG_MAP, ListOptions.ALL).orThrow();
        loop.listed(Kinds.CONFIG_MAP, listed.items(), listed.revision());
        while (loop.decideNext()) {
            // until there is nothing left to decide
        }
        assertThat(effects).hasSize(1);
        return effects;
    }
}
