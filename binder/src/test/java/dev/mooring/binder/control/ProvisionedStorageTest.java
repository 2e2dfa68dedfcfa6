// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.VolumeTemplate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of storage that was made for a claim that has gone (semantics/binder §1.10 PI). */
class ProvisionedStorageTest {
    private static final ObjectKey CLAIM = ObjectKey.of("default", "data");

    private final ProvisionedStorage storage = new ProvisionedStorage(new BinderContext(
            new BinderIndexes(false, 10, PluginRegistry.EMPTY),
            new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER))),
            BinderOptions.DEFAULT));
    private final Situation situation = new Situation(
            new Caches(List.of(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM), change -> {}),
            new Time(Instant.EPOCH, 0),
            Map.of(),
            List.of());

    private static ClaimStorage made() {
        VolumeTemplate template = new VolumeTemplate(
                BinderObjects.volume("pv", "1Gi").spec().source().orElseThrow(),
                Quantity.parse("1Gi"),
                List.of(),
                Optional.empty(),
                Map.of());
        return ClaimStorage.of(new ClaimStorage.Made(
                ToyPlugin.NAME,
                ProvisionRequests.of(
                        BinderObjects.ofClass(BinderObjects.data(), "gold"),
                        StorageClass.of("gold", ToyPlugin.NAME),
                        Map.of(),
                        "pv",
                        Optional.empty()),
                template,
                ClaimStorage.Certainty.MADE));
    }

    private List<String> operations(ClaimStorage known) {
        Decision decision = storage.createOrphan(CLAIM, ClaimState.NONE.withStorage(known), situation);
        return decision.effects().stream().map(Effect::operation).toList();
    }

    @Test
    void isToHaveAVolumeThroughWhichItIsDestroyed() {
        assertThat(operations(made())).containsExactly(BinderOperations.CREATE_VOLUME);
    }

    @Test
    void isDestroyedAfterALiveReadIfTheStoreTakesNoSuchVolume() {
        ClaimStorage known = made();
        for (int i = 0; i < 5; i++) {
            assertThat(operations(known)).as("after %d tries", i).containsExactly(BinderOperations.CREATE_VOLUME);
            known = known.afterFailedCreate();
        }
        assertThat(operations(known))
                .doesNotContain(BinderOperations.CREATE_VOLUME)
                .isNotEmpty();
    }

    @Test
    void isNothingToDoIfThereIsNone() {
        assertThat(operations(ClaimStorage.NOTHING)).isEmpty();
    }
}
