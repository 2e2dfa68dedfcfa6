// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.Toys;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A listener of a loop")
class LoopListenerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final HandTime time = new HandTime();
    private final List<Dispatch> sent = new ArrayList<>();
    private final ToyController toys = new ToyController("toys");
    private final List<String> heard = new ArrayList<>();

    private ControlLoop loop(LoopListener listener) {
        ControlLoop loop = new ControlLoop(List.of(toys), time, new Random(1), listener, sent::add);
        loop.lead(1);
        loop.listed(Kinds.CONFIG_MAP, List.of(), new Revision(1));
        return loop;
    }

    /** Writes down what has a time in it. */
    private final class Measuring implements LoopListener {
        @Override
        public boolean measures() {
            return true;
        }

        @Override
        public void onDecided(String controller, Key key, DecisionTimes times) {
            heard.add("decided " + key.object().name() + " waited " + times.waited() + " took " + times.took()
                    + " ready " + times.ready());
        }

        @Override
        public void onFinished(Dispatch dispatch, EffectResult result, Duration took) {
            heard.add("finished " + dispatch.effect().operation() + " took " + took + " " + result.succeeded());
        }

        @Override
        public void onBackoff(String controller, Key key, String operation, int failures, Duration wait) {
            heard.add("backoff " + operation + " " + failures + " " + wait);
        }
    }

    private void answer(ControlLoop loop, Outcome<?> outcome) {
        Dispatch dispatch = sent.remove(0);
        loop.completed(dispatch, new EffectResult.Performed(dispatch.effect(), outcome), true);
    }

    @Test
    @DisplayName("learns how long keys wait, decisions and effects take, and how many keys are ready")
    void times() {
        ControlLoop loop = loop(new Measuring());
        toys.when(ToyController.key("a").object(), (situation, state) -> {
            time.pass(SECOND);
            return situation.results().isEmpty() ? Decision.act(ToyCall.effect("call", "v")) : Decision.nothing();
        });
        loop.recheck("toys", ToyController.key("a"));
        loop.recheck("toys", ToyController.key("b"));
        loop.recheck("toys", ToyController.key("a")); // posted again: it waits since the first time
        time.pass(SECOND.multipliedBy(2));
        while (loop.decideNext()) {
            // all of them
        }
        time.pass(SECOND.multipliedBy(5));
        answer(loop, Outcome.done());
        time.pass(SECOND.multipliedBy(3));
        loop.decideNext();
        assertThat(heard)
                .containsExactly(
                        "decided a waited PT2S took PT1S ready 1",
                        "decided b waited PT3S took PT0S ready 0",
                        "finished call took PT5S true",
                        "decided a waited PT3S took PT1S ready 0");
    }

    @Test
    @DisplayName("counts the time that a key was held back as waiting")
    void heldBack() {
        ControlLoop loop = loop(new Measuring());
        Script always = () -> Decision.act(ToyCall.effect("call", "v"));
        toys.when(ToyController.key("a").object(), (situation, state) -> always.decide());
        loop.recheck("toys", ToyController.key("a"));
        loop.decideNext();
        answer(loop, Outcome.uncertain("planted"));
        loop.decideNext();
        time.pass(Duration.ofMillis(500));
        loop.fireTimers();
        loop.decideNext();
        assertThat(heard)
                .containsExactly(
                        "decided a waited PT0S took PT0S ready 0",
                        "finished call took PT0S false",
                        "backoff call 1 PT0.5S",
                        "decided a waited PT0.5S took PT0S ready 0");
    }

    private interface Script {
        Decision decide();
    }

    @Test
    @DisplayName("that measures nothing costs no look at the clock")
    void unmeasured() {
        AtomicInteger looks = new AtomicInteger();
        TimeSource counting = () -> {
            looks.incrementAndGet();
            return time.now();
        };
        List<String> calls = new ArrayList<>();
        for (LoopListener listener : List.of(LoopListener.NONE, new LoopCounters(), new Measuring())) {
            sent.clear();
            ControlLoop loop = new ControlLoop(List.of(toys), counting, new Random(1), listener, sent::add);
            toys.when(
                    ToyController.key("a").object(),
                    (situation, state) -> situation.results().isEmpty()
                            ? Decision.act(ToyCall.effect("call", "v"))
                            : Decision.nothing());
            loop.lead(1);
            // a term begins with one look
            looks.set(0);
            loop.listed(Kinds.CONFIG_MAP, List.of(), new Revision(1));
            loop.recheck("toys", ToyController.key("a"));
            loop.decideNext();
            answer(loop, Outcome.done());
            loop.decideNext();
            calls.add("looks " + looks.get());
        }
        assertThat(calls.subList(0, 2)).containsExactly("looks 2", "looks 2");
        assertThat(calls.get(2)).isNotEqualTo("looks 2");
    }

    @Test
    @DisplayName("hears of leadership, changes, and trouble in following the store")
    void leadershipAndNews() {
        ControlLoop loop = loop(new LoopListener() {
            @Override
            public void onLead(long epoch) {
                heard.add("lead " + epoch);
            }

            @Override
            public void onStandDown(long epoch) {
                heard.add("stand down " + epoch);
            }

            @Override
            public void onChange(ObjectChange<?> change) {
                heard.add("change " + change.key() + " " + change.origin());
            }

            @Override
            public void onWatchFailure(Kind<?> kind, StoreResult.Failure reason, String message) {
                heard.add("watch failure " + kind + " " + reason);
            }
        });
        loop.caches().of(Kinds.CONFIG_MAP).put(Toys.toy("a", "u", 2), ObjectChange.Origin.WATCH);
        loop.subscribe(new Subscription.Listener() {
            @Override
            public void begin(Subscription<?> subscription) {
                subscription.failed(StoreResult.Failure.UNAVAILABLE, "down");
            }

            @Override
            public void end(Subscription<?> subscription) {
                heard.add("end");
            }
        });
        loop.standDown();
        loop.standDown();
        loop.lead(2);
        assertThat(heard)
                .containsExactly(
                        "lead 1", "change ns/a WATCH", "watch failure ConfigMap UNAVAILABLE", "stand down 1", "lead 2");
    }

    @Test
    @DisplayName("among several hears everything, whatever the others throw; the loop goes on")
    void several() throws ReflectiveOperationException {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        LoopListener broken = listener((proxy, method, arguments) -> {
            first.add(method.getName());
            throw first.size() % 2 == 0 ? new IllegalStateException("defect") : new AssertionError("defect");
        });
        LoopListener sound = listener((proxy, method, arguments) -> {
            second.add(method.getName());
            return method.getReturnType() == boolean.class ? false : null;
        });
        LoopListener all = LoopListener.all(broken, sound);
        List<String> methods = new ArrayList<>();
        for (Method method : LoopListener.class.getMethods()) {
            if (method.getName().startsWith("on")) {
                method.invoke(all, nothing(method));
                methods.add(method.getName());
            }
        }
        assertThat(methods).hasSize(14);
        assertThat(first).isEqualTo(methods);
        assertThat(second).isEqualTo(methods);
        assertThat(all.measures()).isFalse();
        assertThat(LoopListener.all(broken, new Measuring()).measures()).isTrue();
    }

    private static LoopListener listener(InvocationHandler handler) {
        return (LoopListener) Proxy.newProxyInstance(
                LoopListener.class.getClassLoader(), new Class<?>[] {LoopListener.class}, handler);
    }

    private static Object[] nothing(Method method) {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            if (type == long.class) {
                arguments[i] = 0L;
            } else if (type == int.class) {
                arguments[i] = 0;
            }
        }
        return arguments;
    }
}
