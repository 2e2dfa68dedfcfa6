// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.store.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is counted as objects change is what a count of all objects gives. */
class BinderGaugesTest {
    private static final Time NOW = new Time(Instant.ofEpochSecond(1_000), 0);
    private static final List<Kind<?>> KINDS = List.of(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM);

    private final BinderMetrics metrics = new BinderMetrics(PluginRegistry.EMPTY, () -> NOW);
    private final Caches caches = new Caches(KINDS, metrics::onChange);
    private long revision = 1;

    private static List<Metric> recounted(Caches caches) {
        BinderMetrics fresh = new BinderMetrics(PluginRegistry.EMPTY, () -> NOW);
        KINDS.forEach(kind -> recount(kind, caches, fresh));
        return gauges(fresh);
    }

    private static <T extends KubernetesObject> void recount(Kind<T> kind, Caches caches, BinderMetrics fresh) {
        for (T object : caches.of(kind).all()) {
            fresh.onChange(new ObjectChange<>(
                    kind, ObjectKey.of(object), Optional.empty(), Optional.of(object), Origin.WATCH));
        }
    }

    private static List<Metric> gauges(BinderMetrics metrics) {
        return metrics.collect().stream()
                .filter(metric -> metric.type() == Metric.Type.GAUGE)
                .toList();
    }

    private static <T> T oneOf(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private ObjectMeta metadata(Random random, String namespace) {
        String name = Integer.toString(random.nextInt(6));
        ObjectMeta metadata = ObjectMeta.named(namespace, name)
                .withUid(name + "-" + random.nextInt(2))
                .withResourceVersion(Long.toString(++revision));
        return random.nextBoolean()
                ? metadata
                : metadata.withCreationTimestamp(Optional.of(Instant.ofEpochSecond(random.nextInt(5))));
    }

    private PersistentVolume volume(Random random) {
        PersistentVolume volume = PersistentVolume.of(
                        "v",
                        PersistentVolumeSpec.EMPTY
                                .withStorageClassName(Optional.of(oneOf(random, List.of("", "gold", "silver"))))
                                .withPersistentVolumeReclaimPolicy(oneOf(random, List.of(ReclaimPolicy.values())))
                                .withSource(Optional.of(new NfsSource("s", "/p", false).toSource())))
                .withMetadata(metadata(random, ""));
        return volume.withStatus(volume.status().withPhase(oneOf(random, List.of(PersistentVolumePhase.values()))));
    }

    private PersistentVolumeClaim claim(Random random) {
        PersistentVolumeClaim claim = PersistentVolumeClaim.of(
                        "a",
                        "c",
                        PersistentVolumeClaimSpec.EMPTY.withStorageClassName(
                                Optional.of(oneOf(random, List.of("", "gold")))))
                .withMetadata(metadata(random, oneOf(random, List.of("a", "b"))));
        return claim.withStatus(claim.status().withPhase(oneOf(random, List.of(ClaimPhase.values()))));
    }

    private <T extends KubernetesObject> void change(Kind<T> kind, T object, Random random) {
        switch (random.nextInt(4)) {
            case 0 ->
                caches.of(kind)
                        .remove(
                                ObjectKey.of(object),
                                object.metadata().uid(),
                                new Revision(revision),
                                Origin.OWN_WRITE);
            case 1 -> caches.of(kind).replace(new ArrayList<>(List.of(object)), new Revision(revision));
            default -> caches.of(kind).put(object, Origin.WATCH);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theyAreWhatACountOfAllGives(long seed) {
        Random random = new Random(seed);
        int different = 0;
        for (int i = 0; i < 2_000; i++) {
            List<Metric> before = gauges(metrics);
            if (random.nextBoolean()) {
                change(Kinds.PERSISTENT_VOLUME, volume(random), random);
            } else {
                change(Kinds.PERSISTENT_VOLUME_CLAIM, claim(random), random);
            }
            assertThat(gauges(metrics)).isEqualTo(recounted(caches));
            different += gauges(metrics).equals(before) ? 0 : 1;
        }
        assertThat(different).as("changes that changed a count").isGreaterThan(500);
    }
}
