// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.spi.Place;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose storage a volume that shall be emptied would take along (semantics/plugins §2.8 R2). */
class OverlapsTest {
    private final Caches caches = new Caches(List.of(Kinds.PERSISTENT_VOLUME, Kinds.POD), change -> {});
    private final Overlaps overlaps = new Overlaps(new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER))));
    private final PersistentVolume emptied = volume("emptied", "emptied");

    private PersistentVolume volume(String name, String storage) {
        PersistentVolume volume = Objects.volume(name, "1Gi");
        PersistentVolume named = volume.withMetadata(
                        volume.metadata().withUid("uid-of-" + name).withResourceVersion("1"))
                .withSpec(Objects.volume(storage, "1Gi").spec());
        caches.of(Kinds.PERSISTENT_VOLUME).put(named, Origin.WATCH);
        return named;
    }

    private void pod(String name, String storage, PodPhase phase) {
        Pod pod = Objects.pod(name, "n1", "data");
        PodVolume inline =
                new PodVolume("v", Objects.volume(storage, "1Gi").spec().source());
        caches.of(Kinds.POD)
                .put(
                        pod.withMetadata(
                                        pod.metadata().withUid("uid-of-" + name).withResourceVersion("1"))
                                .withSpec(pod.spec().withVolumes(List.of(inline)))
                                .withStatus(pod.status().withPhase(phase)),
                        Origin.WATCH);
    }

    private Optional<String> found() {
        return overlaps.of(emptied, caches);
    }

    @Test
    void neitherItselfNorOtherStorageOverlaps() {
        volume("beside", "beside");
        pod("beside", "beside-too", PodPhase.RUNNING);
        assertThat(found()).isEmpty();
    }

    @Test
    void anotherVolumeOfTheSameStorageDoes() {
        volume("beside", "beside");
        volume("same", "emptied");
        assertThat(found()).contains("volume same");
    }

    @Test
    void aPodThatBringsItItselfDoesUntilItHasEnded() {
        pod("over", "emptied", PodPhase.SUCCEEDED);
        assertThat(found()).isEmpty();
        pod("web", "emptied", PodPhase.RUNNING);
        assertThat(found()).contains("a volume of pod default/web");
    }

    @Test
    void ofSeveralTheFirstByNameIsTold() {
        volume("two", "emptied");
        volume("one", "emptied");
        assertThat(found()).contains("volume one");
    }
}
