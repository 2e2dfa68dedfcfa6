// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.runtime.Bulkheads.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may run at once (semantics/attach-and-mount §7.6). */
class BulkheadsTest {
    private final Queue<Runnable> running = new ArrayDeque<>();
    private final List<String> begun = new ArrayList<>();
    private final Bulkheads bulkheads = new Bulkheads(running::add);

    /** Work that has begun when it is in the queue, and ends when it is run. */
    private void execute(String name, Place... places) {
        bulkheads.execute(List.of(places), () -> begun.add(name), () -> begun.add(name + " refused"));
    }

    private void endOne() {
        running.remove().run();
    }

    private static Place backend(String name) {
        return new Place("back-end " + name, 2);
    }

    private static Place plugin(int limit) {
        return new Place("plugin", limit);
    }

    @Test
    void whatWaitsBeginsInOrderWhenSomethingEnds() {
        for (String name : List.of("a", "b", "c", "d")) {
            execute(name, backend("x"));
        }
        assertThat(running).hasSize(2);
        endOne();
        assertThat(running).hasSize(2);
        while (!running.isEmpty()) {
            endOne();
        }
        assertThat(begun).containsExactly("a", "b", "c", "d");
    }

    @Test
    void aFullBackEndLeavesTheOthersTheirPlaces() {
        execute("dead 1", backend("dead"), plugin(4));
        execute("dead 2", backend("dead"), plugin(4));
        execute("dead 3", backend("dead"), plugin(4));
        execute("alive", backend("alive"), plugin(4));
        assertThat(running).as("the one that waits holds no place").hasSize(3);
    }

    @Test
    void aFullPluginHoldsUpAllOfItsBackEndsAndNoOtherPlugin() {
        execute("1", backend("a"), plugin(2));
        execute("2", backend("b"), plugin(2));
        execute("3", backend("c"), plugin(2));
        execute("other", backend("c"), new Place("other plugin", 2));
        assertThat(running).hasSize(3);
        endOne();
        assertThat(running).hasSize(3);
    }

    @Test
    void whatIsRefusedGivesItsPlacesBack() {
        boolean[] closed = {true};
        Bulkheads closing = new Bulkheads(task -> {
            if (closed[0]) {
                throw new RejectedExecutionException("closed");
            }
            running.add(task);
        });
        for (int i = 0; i < 5; i++) {
            closing.execute(List.of(backend("x")), () -> {}, () -> begun.add("refused"));
        }
        assertThat(begun).hasSize(5);
        closed[0] = false;
        closing.execute(List.of(backend("x")), () -> begun.add("done"), () -> {});
        endOne();
        assertThat(begun).hasSize(6).endsWith("done");
    }

    @Test
    void whatIsGivenUpWaitsNoLonger() {
        Place hung = new Place("back-end hung", 1);
        execute("hung", hung, plugin(4));
        for (int i = 0; i < 1000; i++) {
            bulkheads
                    .execute(List.of(plugin(4), hung), () -> begun.add("given up"), () -> begun.add("refused"))
                    .run();
        }
        assertThat(bulkheads.waiting()).isZero();
        execute("next", hung, plugin(4));
        assertThat(bulkheads.waiting()).isEqualTo(1);
        endOne();
        endOne();
        assertThat(begun).containsExactly("hung", "next");
    }

    @Test
    void givingUpWhatHasBegunOrEndedChangesNothing() {
        Runnable first = bulkheads.execute(List.of(plugin(1)), () -> begun.add("first"), () -> {});
        Runnable second = bulkheads.execute(List.of(plugin(1)), () -> begun.add("second"), () -> {});
        first.run();
        assertThat(bulkheads.waiting()).isEqualTo(1);
        endOne();
        second.run();
        first.run();
        endOne();
        assertThat(begun).containsExactly("first", "second");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void everythingBeginsAndNoLimitIsEverExceeded(int seed) throws InterruptedException {
        Random random = new Random(seed);
        Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        CountDownLatch left = new CountDownLatch(500);
        ExecutorService threads = Executors.newCachedThreadPool();
        Bulkheads real = new Bulkheads(threads);
        for (int i = 0; i < 500; i++) {
            List<Place> places = List.of(
                    new Place("back-end " + random.nextInt(6), 2),
                    new Place("node " + random.nextInt(4), 3),
                    new Place("plugin " + random.nextInt(2), 5));
            real.execute(
                    places,
                    () -> {
                        for (Place place : places) {
                            int now = counter(inside, place).incrementAndGet();
                            if (now > place.limit()) {
                                wrong.add(now + " in " + place);
                            }
                        }
                        places.forEach(place -> counter(inside, place).decrementAndGet());
                        left.countDown();
                    },
                    () -> wrong.add("refused"));
        }
        assertThat(left.await(240, TimeUnit.SECONDS)).as("all have begun").isTrue();
        threads.shutdown();
        assertThat(wrong).isEmpty();
    }

    private static AtomicInteger counter(Map<String, AtomicInteger> inside, Place place) {
        return inside.computeIfAbsent(place.pool(), name -> new AtomicInteger());
    }

    @Test
    void limitsAreSensible() {
        assertThat(CallLimits.DEFAULT).isEqualTo(new CallLimits(64, 8, 32));
        assertThatThrownBy(() -> new CallLimits(1, 0, 1)).hasMessageContaining("perNode");
    }
}
