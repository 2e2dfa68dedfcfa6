// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A controller that marks every ConfigMap with a label, if asked to only after a call or a while. */
final class Toy implements Controller {
    static final String LABEL = "seen";
    static final Duration TIME_LIMIT = Duration.ofMinutes(5);

    private final String name;
    private final Work work;

    Toy(String name, Work work) {
        this.name = name;
        this.work = work;
    }

    /** What it does about a ConfigMap without the label. */
    enum Work {
        LABEL_IT,
        CALL_FIRST,
        WAIT_A_MINUTE,
        NEVER_REST,
        THROW
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.CONFIG_MAP);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        mailbox.recheck(new Key("map", change.key()));
    }

    /** The name decides, not the order of arrival: z before a. */
    @Override
    public Rank rank(Key key) {
        return new Rank(1, List.of(-key.object().name().charAt(0)));
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<ConfigMap> map = situation.caches().get(Kinds.CONFIG_MAP, key.object());
        if (map.isEmpty() || (isDone(map.get()) && work != Work.NEVER_REST)) {
            return Decision.nothing();
        }
        return switch (work) {
            case LABEL_IT -> Decision.act(label(map.get()));
            case CALL_FIRST -> called(situation) ? Decision.act(label(map.get())) : Decision.act(call(key.object()));
            case WAIT_A_MINUTE ->
                state.isPresent()
                        ? waited(map.get(), (Since) state.get(), situation)
                        : Decision.remember(new Since(situation.now().monotonicNanos()))
                                .wakeAfter(Duration.ofMinutes(1));
            case NEVER_REST -> Decision.nothing().wakeAfter(Duration.ZERO);
            case THROW -> throw new IllegalStateException("planted");
        };
    }

    private static boolean isDone(ConfigMap map) {
        return map.metadata().labels().containsKey(LABEL);
    }

    private static boolean called(Situation situation) {
        return situation.resultOf("ping").filter(result -> result.succeeded()).isPresent();
    }

    private static Effect call(ObjectKey key) {
        return new Effect.Perform("ping", new Ping(key.name()), Optional.empty(), TIME_LIMIT);
    }

    private static Decision waited(ConfigMap map, Since since, Situation situation) {
        long left = since.nanos()
                + Duration.ofMinutes(1).toNanos()
                - situation.now().monotonicNanos();
        return left > 0 ? Decision.remember(since).wakeAfter(Duration.ofNanos(left)) : Decision.act(label(map));
    }

    private static Effect label(ConfigMap map) {
        Map<String, String> labels = new LinkedHashMap<>(map.metadata().labels());
        labels.put(LABEL, "yes");
        return new Effect.Update<>(
                "label",
                Kinds.CONFIG_MAP,
                new Change<>(map, map.withMetadata(map.metadata().withLabels(labels))));
    }

    /** Since when a key waits. */
    private record Since(long nanos) implements KeyState {}

    /** A call. */
    record Ping(String volume) implements Call {
        @Override
        public PluginName plugin() {
            return new PluginName("example.com/ping");
        }

        @Override
        public String operation() {
            return "ping";
        }

        @Override
        public String node() {
            return "";
        }
    }
}
