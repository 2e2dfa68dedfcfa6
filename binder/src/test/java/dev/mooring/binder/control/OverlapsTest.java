// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.VolumeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whose storage a volume that shall be emptied would take along (semantics/plugins §2.8 R2). */
@Tag("long")
class OverlapsTest {
    private final Paths plugin = new Paths();
    private final RecycleOverlaps overlaps = new RecycleOverlaps(new PluginRegistry(List.of(plugin)));
    private final Map<String, PersistentVolume> volumes = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();

    /** Names storage by the path of its export, and counts how often it is asked. */
    private static final class Paths implements LikeToy {
        private int asked;

        @Override
        public ToyPlugin toy() {
            return new ToyPlugin(Place.CONTROLLER);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            asked++;
            return new VolumeId(
                    describe().name(),
                    String.valueOf(source.attributes().asMap().get("path")));
        }
    }

    private static Optional<VolumeSource> at(String path) {
        String type =
                BinderObjects.volume("any", "1Gi").spec().source().orElseThrow().type();
        return Optional.of(new VolumeSource(type, Document.of(Map.of("server", "nfs.example.com", "path", path))));
    }

    private PersistentVolume volume(String name, String path) {
        PersistentVolume volume = BinderObjects.volume(name, "1Gi");
        PersistentVolume placed = volume.withSpec(volume.spec().withSource(at(path)));
        volume(name, Optional.of(placed));
        return placed;
    }

    private void volume(String name, Optional<PersistentVolume> after) {
        Optional<PersistentVolume> before = Optional.ofNullable(volumes.remove(name));
        after.ifPresent(now -> volumes.put(name, now));
        overlaps.volume(
                new ObjectChange<>(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name), before, after, Origin.WATCH));
    }

    private void pod(String name, String path, PodPhase phase) {
        Pod pod = BinderObjects.pod(name, "n1", "data");
        Pod now = pod.withSpec(pod.spec().withVolumes(List.of(new PodVolume("v", at(path)))))
                .withStatus(pod.status().withPhase(phase));
        Optional<Pod> before = Optional.ofNullable(pods.put(name, now));
        overlaps.pod(new ObjectChange<>(Kinds.POD, ObjectKey.of(now), before, Optional.of(now), Origin.WATCH));
    }

    @Test
    void neitherItselfNorOtherStorageOverlaps() {
        PersistentVolume emptied = volume("emptied", "/srv/data");
        volume("beside", "/srv/data-too");
        pod("beside", "/srv/dat", PodPhase.RUNNING);
        assertThat(overlaps.of(emptied)).isEmpty();
    }

    @Test
    void onANodeOnlyVolumesThatMayBeUsedThereOverlap() {
        PersistentVolume emptied = volume("emptied", "/srv/data");
        PersistentVolume other = volume("other", "/srv");
        pod("web", "/srv/data", PodPhase.RUNNING); // the node knows its own pods
        Map<String, String> labels = Map.of("disk", "a");
        assertThat(overlaps.volumeOn(emptied, labels, cached())).contains("volume other");

        PersistentVolume elsewhere =
                other.withSpec(other.spec().withNodeAffinity(Optional.of(VolumeNodeAffinity.onlyWhere("disk", "b"))));
        volume("other", Optional.of(elsewhere));
        assertThat(overlaps.volumeOn(emptied, labels, cached())).isEmpty();
        assertThat(overlaps.volumeOn(emptied, Map.of(), cached()))
                .as("of a node whose labels are not known")
                .contains("volume other");
    }

    private Caches cached() {
        Caches caches = new Caches(List.of(Kinds.PERSISTENT_VOLUME), change -> {});
        volumes.values()
                .forEach(volume -> caches.of(Kinds.PERSISTENT_VOLUME)
                        .put(volume.withMetadata(volume.metadata().withResourceVersion("1")), Origin.WATCH));
        return caches;
    }

    @Test
    void theSameStorageAndWhatContainsItAndWhatLiesInItDo() {
        PersistentVolume emptied = volume("emptied", "/srv/data");
        for (String path : List.of("/srv/data", "/srv", "/srv/", "/", "/srv/data/x", "/srv/data/x/y")) {
            volume("other", path);
            assertThat(overlaps.of(emptied)).as(path).contains("volume other");
            volume("other", Optional.empty());
            assertThat(overlaps.of(emptied)).isEmpty();
        }
    }

    @Test
    void aPodThatBringsItItselfDoesUntilItHasEnded() {
        PersistentVolume emptied = volume("emptied", "/srv/data");
        pod("web", "/srv/data", PodPhase.RUNNING);
        assertThat(overlaps.of(emptied)).contains("a volume of pod default/web");
        pod("web", "/srv/data", PodPhase.SUCCEEDED);
        assertThat(overlaps.of(emptied)).isEmpty();
    }

    @Test
    void ofSeveralTheFirstByNameIsTold() {
        PersistentVolume emptied = volume("emptied", "/srv/data");
        volume("two", "/srv");
        volume("one", "/srv/data");
        assertThat(overlaps.of(emptied)).contains("volume one");
    }

    @Test
    void eachSourceIsIdentifiedOnceHoweverOftenVolumesAreEmptied() {
        for (int i = 0; i < 1_000; i++) {
            volume("pv-" + i, "/srv/" + i);
        }
        int known = plugin.asked;
        volumes.values().forEach(volume -> assertThat(overlaps.of(volume)).isEmpty());
        assertThat(plugin.asked - known).isEqualTo(known).isLessThanOrEqualTo(2_000);
    }

    @Test
    void theAnswerIsThatOfALookAtAllVolumesAndPods() {
        Random random = new Random(28);
        List<String> parts = List.of("", "/", "/a", "/b", "/a/", "a", "ab");
        for (int i = 0; i < 5_000; i++) {
            String path = parts.get(random.nextInt(parts.size()))
                    + parts.get(random.nextInt(parts.size()))
                    + parts.get(1 + random.nextInt(parts.size() - 1));
            if (random.nextInt(3) == 0) {
                pod("pod-" + random.nextInt(6), path, random.nextBoolean() ? PodPhase.RUNNING : PodPhase.FAILED);
            } else if (random.nextInt(4) == 0) {
                volume("pv-" + random.nextInt(8), Optional.empty());
            } else {
                volume("pv-" + random.nextInt(8), path);
            }
            for (PersistentVolume volume : volumes.values()) {
                assertThat(overlaps.of(volume)).as("%s", volume.spec().source()).isEqualTo(searched(volume));
            }
        }
    }

    private Optional<String> searched(PersistentVolume volume) {
        VolumeId id = plugin.identify(volume.spec().source().orElseThrow());
        Stream<String> overlapping = volumes.values().stream()
                .filter(other ->
                        !other.metadata().name().equals(volume.metadata().name()))
                .filter(other ->
                        id.overlaps(plugin.identify(other.spec().source().orElseThrow())))
                .map(other -> "volume " + other.metadata().name());
        Stream<String> inline = pods.values().stream()
                .filter(pod -> !pod.status().phase().isTerminal())
                .filter(pod -> pod.spec().volumes().stream()
                        .anyMatch(used ->
                                id.overlaps(plugin.identify(used.source().orElseThrow()))))
                .map(pod -> "a volume of pod default/" + pod.metadata().name());
        return Stream.concat(overlapping, inline).sorted().findFirst();
    }
}
