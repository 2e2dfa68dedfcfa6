// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.calls.HealthCall;
import dev.mooring.binder.control.BinderObjects;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.ConditionMemory;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthControllerTest {
    private static final String DRIVER = "disks.example.com";
    private static final Key KEY = new Key(HealthController.NAME, ObjectKey.cluster("pv"));

    private final HealthController controller = new HealthController(new PluginRegistry(List.of(new Looking())));
    private final Caches caches = new Caches(controller.kinds(), change -> {});
    private Optional<KeyState> state = Optional.empty();
    private Duration now = Duration.ZERO;

    private static final class Looking implements StoragePlugin, Health {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(new PluginName(DRIVER), List.of("nfs"), Place.CONTROLLER)
                    .withSupportsMountOptions(true)
                    .withManagesOwnership(true);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(describe().name(), "v");
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public Outcome<Condition> check(OperationContext context, VolumeSpec volume) {
            return Outcome.deferred("only the decisions are looked at");
        }
    }

    private void bound(VolumeSource source) {
        PersistentVolume volume = BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID);
        caches.of(Kinds.PERSISTENT_VOLUME)
                .put(volume.withSpec(volume.spec().withSource(Optional.of(source))), Origin.WATCH);
        caches.of(Kinds.PERSISTENT_VOLUME_CLAIM).put(BinderObjects.boundTo("pv"), Origin.WATCH);
    }

    private Decision decide(EffectResult... results) {
        Decision decision = controller.decide(
                KEY,
                state,
                new Situation(caches, new Time(Instant.EPOCH.plus(now), now.toNanos()), Map.of(), List.of(results)));
        state = decision.state();
        return decision;
    }

    /** What people are told when a look comes to this. */
    private List<String> told(Outcome<Condition> outcome) {
        now = now.plus(ConditionMemory.UNABLE);
        Effect look = decide().effects().get(0);
        assertThat(((Effect.Perform) look).call()).isInstanceOf(HealthCall.class);
        return decide(new EffectResult.Performed(look, outcome)).effects().stream()
                .filter(Effect.Announce.class::isInstance)
                .map(effect -> ((Effect.Announce) effect).announcement())
                .map(news -> news.reason() + ": " + news.message())
                .toList();
    }

    @Test
    void aClaimIsToldOfItsVolumesConditionWhenItChanges() {
        bound(new CsiSource(DRIVER, "h", "", false, Map.of()).toSource());
        decide();

        assertThat(told(Outcome.done(new Condition(false, "fine")))).isEmpty();
        assertThat(told(Outcome.done(new Condition(true, "worn out"))))
                .containsExactly("VolumeConditionAbnormal: worn out");
        assertThat(told(Outcome.done(new Condition(true, "worn out")))).isEmpty();
        assertThat(told(Outcome.deferred("it hangs"))).isEmpty();
        assertThat(told(Outcome.done(new Condition(true, "broken"))))
                .containsExactly("VolumeConditionAbnormal: broken");
        now = now.plus(ConditionMemory.REPEAT);
        assertThat(told(Outcome.done(new Condition(true, "broken"))))
                .containsExactly("VolumeConditionAbnormal: broken");
        assertThat(told(Outcome.done(new Condition(false, ""))))
                .containsExactly("VolumeConditionNormal: The Volume returns to the healthy state");
    }

    @Test
    void looksThatHangLeaveTheDriversCallsTheirPlaces() {
        bound(new CsiSource(DRIVER, "h", "", false, Map.of()).toSource());
        decide();
        now = now.plus(ConditionMemory.INTERVAL);
        Effect look = decide().effects().get(0);

        assertThat(((Effect.Perform) look).call().bulkhead()).isNotEqualTo(DRIVER);
    }

    @Test
    void itIsLookedEveryMinuteAndMuchLaterWhereTheDriverCannotTell() {
        bound(new CsiSource(DRIVER, "h", "", false, Map.of()).toSource());
        assertThat(decide().wakeAfter().orElseThrow()).isLessThanOrEqualTo(ConditionMemory.INTERVAL);
        now = now.plus(ConditionMemory.INTERVAL);
        Effect look = decide().effects().get(0);

        assertThat(decide(new EffectResult.Performed(look, Outcome.done(new Condition(false, ""))))
                        .wakeAfter())
                .contains(ConditionMemory.INTERVAL);
        assertThat(decide(new EffectResult.Performed(look, Outcome.refused(Refusal.UNSUPPORTED, "no")))
                        .wakeAfter())
                .contains(ConditionMemory.UNABLE);
    }

    @Test
    void onlyVolumesOfDriversAreLookedAt() {
        bound(new VolumeSource("nfs", Document.of(Map.of("server", "s", "path", "/"))));

        assertThat(decide()).isEqualTo(Decision.nothing());
    }
}
