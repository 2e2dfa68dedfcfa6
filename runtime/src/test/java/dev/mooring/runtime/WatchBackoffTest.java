// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.control.HandTime;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Who follows a kind")
class WatchBackoffTest extends RunningToys {
    private static final Duration STEP = Duration.ofMillis(100);

    private final HandTime time = new HandTime();

    @Test
    @DisplayName("waits 800 ms, then twice as long each time up to 30 s, and up to as much again at random")
    void doubles() {
        for (int seed = 0; seed < 100; seed++) {
            WatchBackoff backoff = new WatchBackoff(new SplittableRandom(seed));
            for (long millis : new long[] {800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000}) {
                assertThat(backoff.failed(Duration.ZERO))
                        .as("seed %d", seed)
                        .isBetween(Duration.ofMillis(millis), Duration.ofMillis(2 * millis));
            }
            assertThat(backoff.failed(Duration.ofSeconds(61))).isEqualTo(Duration.ofSeconds(61));
            backoff.delivered();
            assertThat(backoff.failed(Duration.ZERO)).isBetween(Duration.ofMillis(800), Duration.ofMillis(1_600));
        }
    }

    @Test
    @DisplayName("asks a store whose lists succeed and whose watches are always gone no more often than one that fails")
    void alwaysGone() {
        store.forgetAlways();
        try (ControllerRuntime runtime = byHand()) {
            pass(runtime, Duration.ofSeconds(30));
            assertThat(store.lists()).as("lists in 30 s").isBetween(4, 6);
            pass(runtime, Duration.ofMinutes(10));
            assertThat(store.lists()).as("lists in 10.5 min").isBetween(13, 26);
        }
    }

    @Test
    @DisplayName("begins again with the shortest wait when a watch has delivered an event or a bookmark")
    void deliveryResets() {
        try (ControllerRuntime runtime = byHand()) {
            for (int end = 1; end <= 20; end++) {
                int before = store.lists();
                store.endWatches(Failure.UNAVAILABLE);
                pass(runtime, Duration.ofMillis(1_700));
                assertThat(store.openWatches()).as("end %d", end).isEqualTo(1);
                assertThat(store.lists()).as("end %d", end).isEqualTo(before + 1);
                if (end % 2 == 0) {
                    create("toy-" + end);
                } else {
                    store.bookmark(store.revision());
                }
                pass(runtime, STEP);
            }
        }
    }

    @Test
    @DisplayName(
            "reads again what a store has that was restored from a backup, also if a watch from the future is silent")
    void restored() {
        create("a");
        long backup = store.revision();
        try (ControllerRuntime runtime = byHand()) {
            create("b");
            store.update(Kinds.CONFIG_MAP, saidMore()).orThrow();
            pass(runtime, STEP);
            assertThat(cached(runtime, B)).isPresent();
            store.restore(backup);
            pass(runtime, Duration.ofSeconds(2));
            assertThat(cached(runtime, B)).as("what is gone").isEmpty();
            assertThat(cached(runtime, A).orElseThrow().data()).containsEntry("text", "new");
            create("c");
            pass(runtime, STEP);
            assertThat(cached(runtime, Toys.key("c"))).as("what is new").isPresent();
        }
    }

    @Test
    @DisplayName("reads again what a store has whose watch goes back")
    void wentBack() {
        create("a");
        create("b");
        try (ControllerRuntime runtime = byHand()) {
            int before = store.lists();
            store.bookmark(store.revision() - 1);
            pass(runtime, Duration.ofSeconds(2));
            assertThat(store.lists()).isEqualTo(before + 1);
            assertThat(store.openWatches()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("looks at any object for the revision before it goes on, as a selection would cost the database more")
    void looksAtAny() {
        toys.following(Interest.selected("spec.nodeName=here", object -> true));
        try (ControllerRuntime runtime = byHand()) {
            assertThat(lastAsked()).isEqualTo(ListOptions.ALL.withFields("spec.nodeName=here"));
            breakWatches(runtime);
            assertThat(lastAsked()).isEqualTo(ListOptions.ALL.withLimit(1).keeping(FieldSelection.of("metadata.name")));
            store.allowSelectionsOnly();
            for (int i = 0; i < 2; i++) {
                breakWatches(runtime);
                assertThat(lastAsked())
                        .as("where nothing else is allowed")
                        .isEqualTo(
                                ListOptions.ALL.withFields("spec.nodeName=here").withLimit(1));
                assertThat(store.openWatches()).isEqualTo(1);
            }
            assertThat(store.asked()).hasSize(5);
        }
    }

    private void breakWatches(ControllerRuntime runtime) {
        store.endWatches(Failure.UNAVAILABLE);
        pass(runtime, Duration.ofMillis(1_700));
        store.bookmark(store.revision());
        pass(runtime, STEP);
    }

    private ListOptions lastAsked() {
        List<ListOptions> all = store.asked();
        return all.get(all.size() - 1);
    }

    private Change<ConfigMap> saidMore() {
        ConfigMap now = store.get(Kinds.CONFIG_MAP, A).orThrow();
        return new Change<>(now, Toys.saying(now, "more"));
    }

    /** A runtime whose requests are made by its decider, and whose time goes on when the test says so. */
    private ControllerRuntime byHand() {
        ControllerRuntime runtime = runtime(options()
                        .withTime(time)
                        .withRandom(new SplittableRandom(7))
                        .withExecutors(Runnable::run, Runnable::run))
                .start();
        pass(runtime, STEP);
        return runtime;
    }

    private void pass(ControllerRuntime runtime, Duration duration) {
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(STEP)) {
            time.pass(STEP);
            runtime.ask(caches -> 0).join();
            while (threads.all.element().getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait(); // what is due, and what comes of it
            }
        }
    }
}
