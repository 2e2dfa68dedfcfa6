// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static dev.mooring.runtime.Toys.at;
import static dev.mooring.runtime.Toys.saying;
import static dev.mooring.runtime.Toys.toy;
import static dev.mooring.runtime.control.ToyController.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;

/** A control loop with one toy controller, in a time that stands still: what it sends is kept and answered by hand. */
abstract class ToyLoop {
    static final ObjectKey A = ObjectKey.of("ns", "a");
    static final ObjectKey B = ObjectKey.of("ns", "b");
    static final ObjectKey C = ObjectKey.of("ns", "c");
    static final long FIRST = Duration.ofMillis(500).toNanos();
    static final long LONGEST = Duration.ofMinutes(2).toNanos();

    final HandTime time = new HandTime();
    final List<Dispatch> sent = new ArrayList<>();
    final Heard heard = new Heard();
    final ToyController toys = new ToyController("toys");
    final ControlLoop loop = new ControlLoop(List.of(toys), time, new Random(7), heard, sent::add);

    @BeforeEach
    void begin() {
        loop.lead(1);
        loop.listed(Kinds.CONFIG_MAP, List.of(), at(1));
    }

    void decideAll() {
        loop.fireTimers();
        for (int i = 0; loop.decideNext(); i++) {
            assertThat(i).as("decisions without an end").isLessThan(1_000);
        }
    }

    void check(String object) {
        loop.recheck("toys", key(object));
        decideAll();
    }

    Dispatch last() {
        return sent.get(sent.size() - 1);
    }

    List<String> operations() {
        return sent.stream().map(dispatch -> dispatch.effect().operation()).toList();
    }

    void answer(Dispatch dispatch, Outcome<?> outcome) {
        loop.completed(dispatch, new EffectResult.Performed(dispatch.effect(), outcome), true);
    }

    void answer(Dispatch dispatch, StoreResult<?> result) {
        loop.completed(dispatch, new EffectResult.Stored(dispatch.effect(), result), true);
    }

    static Effect.Update<ConfigMap> update(String operation, ConfigMap base) {
        return new Effect.Update<>(operation, Kinds.CONFIG_MAP, new Change<>(base, saying(base, "changed")));
    }

    void cached(ConfigMap toy) {
        loop.caches().of(Kinds.CONFIG_MAP).put(toy, Origin.WATCH);
    }

    /** What the loop told its listener. */
    static final class Heard implements LoopListener {
        final List<String> heldBack = new ArrayList<>();
        final List<RuntimeException> defects = new ArrayList<>();
        final List<String> timers = new ArrayList<>();

        @Override
        public void onHeldBack(String controller, Key key, Effect effect) {
            heldBack.add(key.object().name() + " " + effect.operation());
        }

        @Override
        public void onDefect(String controller, Key key, RuntimeException defect) {
            defects.add(defect);
        }

        @Override
        public void onTimer(String controller, Key key) {
            timers.add(key.object().name());
        }
    }

    record Memory(int count) implements KeyState {}
}
