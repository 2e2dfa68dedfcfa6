// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.Toys;
import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which lists and watches a loop needs whose objects are followed one by one. */
class SubscriptionsTest {
    private static final LabelSelector LABELLED = LabelSelector.EMPTY.withMatchLabels(Map.of("of", "mine"));

    private final List<String> seen = new ArrayList<>();
    private final Map<String, Subscription<?>> open = new LinkedHashMap<>();
    private final Needy needy = new Needy();
    private final ControlLoop loop = new ControlLoop(
            List.of(needy), () -> new Time(Instant.EPOCH, 0), new Random(1), LoopListener.NONE, dispatch -> {});

    private final class Needy implements Controller {
        private Optional<Mailbox> mailbox = Optional.empty();

        @Override
        public String name() {
            return "needy";
        }

        @Override
        public List<Kind<?>> kinds() {
            return List.of(Kinds.CONFIG_MAP);
        }

        @Override
        public Interest interest(Kind<?> kind) {
            return Interest.namedOrLabelled(LABELLED);
        }

        @Override
        public void started(Mailbox own) {
            mailbox = Optional.of(own);
            own.recheck(new Key("any", ObjectKey.cluster("thing")));
        }

        @Override
        public void missing(ObjectName object, Mailbox own) {
            seen.add(object.key().name() + " is missing");
        }

        @Override
        public void observe(ObjectChange<?> change, Mailbox own) {
            seen.add(change.key().name() + " " + change.origin());
        }

        @Override
        public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
            seen.add("decided");
            return Decision.nothing();
        }

        void needs(String what, String... names) {
            Set<ObjectName> needed = new LinkedHashSet<>();
            for (String name : names) {
                needed.add(new ObjectName(Kinds.CONFIG_MAP, ObjectKey.of("ns", name)));
            }
            mailbox.orElseThrow().needs(what, needed);
        }
    }

    @BeforeEach
    void begin() {
        loop.subscribe(new Subscription.Listener() {
            @Override
            public void begin(Subscription<?> subscription) {
                open.put(nameOf(subscription), subscription);
            }

            @Override
            public void end(Subscription<?> subscription) {
                open.remove(nameOf(subscription));
            }
        });
        loop.lead(1);
    }

    private static String nameOf(Subscription<?> subscription) {
        String fields = subscription.options().fields();
        return fields.isEmpty() ? "labelled" : fields.substring("metadata.name=".length());
    }

    @SuppressWarnings("unchecked") // there is one kind
    private Subscription<ConfigMap> of(String name) {
        return (Subscription<ConfigMap>) open.get(name);
    }

    private static ConfigMap toy(String name, long revision) {
        return Toys.toy(name, "uid-" + name, revision);
    }

    @Test
    void decisionsBeginWhenWhatIsNeededAtTheStartWasListedAndNotBefore() {
        needy.needs("x", "a", "b");
        of("labelled").listed(List.of(), Toys.at(1));
        of("a").listed(List.of(toy("a", 1)), Toys.at(1));
        assertThat(loop.decideNext()).isFalse();
        of("b").listed(List.of(), Toys.at(1));
        assertThat(loop.decideNext()).isTrue();
        assertThat(seen).containsExactly("a WATCH", "b is missing", "decided");

        needy.needs("y", "later");
        loop.recheck("needy", new Key("any", ObjectKey.cluster("thing")));
        assertThat(loop.decideNext())
                .as("what is needed later holds up only what it concerns")
                .isTrue();
    }

    @Test
    void whatMayNotBeReadHoldsUpNoStart() {
        needy.needs("x", "a");
        of("labelled").listed(List.of(), Toys.at(1));
        of("a").failed(Failure.UNAVAILABLE, "down");
        assertThat(loop.decideNext()).isFalse();
        of("a").failed(Failure.FORBIDDEN, "no");
        assertThat(loop.decideNext()).isTrue();
        assertThat(loop.caches().knows(Kinds.CONFIG_MAP, ObjectKey.of("ns", "a")))
                .isFalse();
    }

    @Test
    void anObjectIsFollowedAsLongAsAnyOwnerNeedsIt() {
        needy.needs("x", "a");
        needy.needs("y", "a");
        of("a").listed(List.of(toy("a", 1)), Toys.at(1));
        Subscription<ConfigMap> first = of("a");
        needy.needs("x");
        assertThat(open).containsKey("a");
        needy.needs("y");
        assertThat(open).containsOnlyKeys("labelled");
        assertThat(seen).containsExactly("a WATCH", "a RELEASED");

        first.heard(new WatchEvent<>(WatchEvent.Type.MODIFIED, toy("a", 2), Toys.at(2)));
        first.listed(List.of(toy("a", 3)), Toys.at(3));
        assertThat(loop.caches().of(Kinds.CONFIG_MAP).all()).isEmpty();
    }

    @Test
    void anObjectThatLosesItsLabelIsReleasedAndHasNotGone() {
        of("labelled").listed(List.of(toy("a", 1)), Toys.at(1));
        of("a").listed(List.of(toy("a", 1)), Toys.at(1));
        needy.needs("x", "a");
        of("labelled").heard(new WatchEvent<>(WatchEvent.Type.DELETED, toy("a", 2), Toys.at(2)));
        assertThat(loop.caches().of(Kinds.CONFIG_MAP).all()).hasSize(1);
        needy.needs("x");
        assertThat(seen).containsExactly("a WATCH", "a RELEASED");
    }
}
