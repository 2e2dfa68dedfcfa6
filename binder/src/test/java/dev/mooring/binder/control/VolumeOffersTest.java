// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.index.Awaited;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A free volume is offered to one waiting claim after the other, and is Available if none took it (semantics/binder §7 D18, D17). */
class VolumeOffersTest {
    private static final ObjectKey PV = ObjectKey.cluster("pv");
    private static final ObjectKey LARGE = ObjectKey.of("default", "large");
    private static final ObjectKey SMALL = ObjectKey.of("default", "small");

    private final BinderIndexes indexes = new BinderIndexes(false, 10, PluginRegistry.EMPTY);
    private final VolumeDecider decider =
            new VolumeDecider(new BinderContext(indexes, PluginRegistry.EMPTY, BinderOptions.DEFAULT));
    private final Caches caches =
            new Caches(List.of(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM), change -> {});

    private Decision decide(VolumeState state) {
        Situation situation = new Situation(caches, new Time(Instant.EPOCH, 0), Map.of(), List.of());
        return decider.decide(PV, state, situation);
    }

    private VolumeState offeredTo(VolumeState before, ObjectKey claim) {
        Decision decision = decide(before);
        assertThat(decision.effects()).isEmpty();
        VolumeState state = (VolumeState) decision.state().orElseThrow();
        assertThat(state.offeredTo()).contains(claim);
        indexes.offer("pv", claim);
        return state;
    }

    private void free() {
        PersistentVolume volume = BinderObjects.volume("pv", "2Gi");
        PersistentVolume stored =
                volume.withMetadata(volume.metadata().withUid(BinderObjects.UID).withResourceVersion("1"));
        caches.of(Kinds.PERSISTENT_VOLUME).put(stored, Origin.WATCH);
        indexes.volumes().put(stored);
    }

    private void waiting(String name, String size) {
        PersistentVolumeClaim claim = BinderObjects.claim(name, size);
        indexes.waiting().register(claim, Awaited.by(claim));
    }

    @Test
    void aVolumeThatIsLookedAtAgainBeforeTheClaimHasAnsweredStaysOfferedToIt() {
        free();
        waiting("large", "2Gi");
        waiting("small", "1Gi");
        VolumeState first = offeredTo(VolumeState.NONE, LARGE);

        Decision decision = decide(first);
        assertThat(decision.state()).contains(first);
        assertThat(decision.effects()).isEmpty();
        assertThat(decision.wakeAfter()).isEmpty();
    }

    @Test
    void whoDeclinesIsNotAskedAgainAndTheVolumeIsAvailableInTheEnd() {
        free();
        waiting("large", "2Gi");
        waiting("small", "1Gi");
        VolumeState first = offeredTo(VolumeState.NONE, LARGE);
        indexes.answer(LARGE);
        VolumeState second = offeredTo(first, SMALL);
        assertThat(second.declined()).containsExactly(LARGE);
        indexes.answer(SMALL);

        Decision last = decide(second);
        assertThat(last.effects()).singleElement().isInstanceOf(Effect.UpdateStatus.class);
        assertThat(last.state()).as("who declined").isEmpty();
    }
}
