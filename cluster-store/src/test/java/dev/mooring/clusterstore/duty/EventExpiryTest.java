// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.Interception;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The expiry of events")
class EventExpiryTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private final DutyWorld world = new DutyWorld(BackgroundDuties.eventExpiry(DutyOptions.DEFAULT));

    private void event(String name) {
        world.create(
                Kinds.EVENT,
                Document.of(Map.of(
                        "metadata",
                        DutyWorld.meta("x", name),
                        "involvedObject",
                        Map.of("namespace", "x", "name", "o", "kind", "Pod"))));
    }

    @Test
    @DisplayName("has no timer without events")
    void idle() {
        world.settle();
        assertThat(world.hasTimer()).isFalse();
        assertThat(world.counters.decisions()).isZero();
    }

    @Test
    @DisplayName("deletes each event an hour after it was told, with one timer for all")
    void expires() {
        for (int i = 0; i < 10; i++) {
            event("e" + i);
            world.advance(Duration.ofMinutes(1));
        }
        assertThat(world.counters.timers()).isZero();
        world.advance(Duration.ofMinutes(49));
        assertThat(world.names(Kinds.EVENT)).hasSize(10);
        world.advance(Duration.ofMinutes(1));
        assertThat(world.names(Kinds.EVENT)).hasSize(9).doesNotContain("e0");
        world.advance(HOUR);
        assertThat(world.names(Kinds.EVENT)).isEmpty();
        assertThat(world.counters.timers()).isEqualTo(10);
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("keeps an event that is told again")
    void toldAgain() {
        event("e");
        world.advance(Duration.ofMinutes(50));
        tell("e");
        world.advance(Duration.ofMinutes(50));
        assertThat(world.names(Kinds.EVENT)).containsExactly("e");
        world.advance(Duration.ofMinutes(10));
        assertThat(world.names(Kinds.EVENT)).isEmpty();
    }

    @Test
    @DisplayName("keeps an event that was told again unseen")
    void toldUnseen() {
        event("e");
        world.settle().held.add(Kinds.EVENT);
        world.advance(Duration.ofMinutes(50));
        tell("e");
        world.advance(Duration.ofMinutes(20));
        assertThat(world.names(Kinds.EVENT)).containsExactly("e");
    }

    private void tell(String name) {
        world.store
                .patchDocument(
                        Kinds.EVENT,
                        ObjectKey.of("x", name),
                        "",
                        Document.empty().with(world.wall().toString(), "lastTimestamp"))
                .orThrow();
    }

    @Test
    @DisplayName("catches up with many that expired before it began")
    void many() {
        for (int i = 0; i < 350; i++) {
            event("e" + i);
        }
        world.held.add(Kinds.EVENT);
        world.advance(HOUR.multipliedBy(2));
        world.held.clear();
        world.settle();
        assertThat(world.names(Kinds.EVENT)).isEmpty();
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("tries again at growing distances")
    void refused() {
        event("e");
        world.fault = Interception.refuse(Failure.UNAVAILABLE, "planted");
        world.advance(HOUR.plusMinutes(10));
        assertThat(world.counters.writes()).isBetween(5L, 60L);
        world.fault = Interception.PROCEED;
        world.advance(Duration.ofMinutes(5));
        assertThat(world.names(Kinds.EVENT)).isEmpty();
    }
}
