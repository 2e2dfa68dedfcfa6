// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.modification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.bound.BoundPair;
import dev.mooring.binder.control.BinderObjects;
import dev.mooring.binder.modification.ModificationState.Certainty;
import dev.mooring.binder.modification.ModificationState.Failure;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.spi.PluginName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a class that failed is asked for again. */
class ModifyingVolumeTest {
    private static final PluginName DISK = new PluginName("disk.example.com");

    private static List<String> next(Certainty certainty, long againAtNanos, long nowNanos) {
        PersistentVolumeClaim wanting = BinderObjects.boundTo("pv");
        PersistentVolumeClaim claim =
                wanting.withSpec(wanting.spec().withVolumeAttributesClassName(Optional.of("fast")));
        PersistentVolumeClaim begun = claim.withStatus(ModifyMarks.inProgress(claim, "fast", Instant.EPOCH));
        PersistentVolume volume = BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID);
        Caches caches = new Caches(List.of(Kinds.VOLUME_ATTRIBUTES_CLASS), change -> {});
        caches.of(Kinds.VOLUME_ATTRIBUTES_CLASS)
                .put(new VolumeAttributesClass(ObjectMeta.named("fast"), DISK.value(), Map.of()), Origin.WATCH);
        ModificationState failed =
                ModificationState.NONE.calling("fast", true).failed(new Failure(certainty, "", "why"), againAtNanos);
        Situation situation = new Situation(caches, new Time(Instant.EPOCH, nowNanos), Map.of(), List.of());
        return new ModifyingVolume(new BoundPair(begun, volume), DISK, situation)
                .decide(failed).effects().stream().map(Effect::operation).toList();
    }

    /** Monotonic time has no beginning: a machine may show less than zero. */
    @ParameterizedTest
    @CsvSource({
        "INFEASIBLE, 100, 99, false",
        "INFEASIBLE, 100, 100, true",
        "INFEASIBLE, -100, -101, false",
        "INFEASIBLE, -100, -100, true",
        "UNCERTAIN, 0, 1, true",
        "UNCERTAIN, 0, -1, true",
        "NOT_APPLIED, 0, -1, true"
    })
    void onlyARefusalHasATimeOfItsOwn(Certainty certainty, long againAt, long now, boolean asks) {
        assertThat(next(certainty, againAt, now).contains("modify")).isEqualTo(asks);
    }
}
