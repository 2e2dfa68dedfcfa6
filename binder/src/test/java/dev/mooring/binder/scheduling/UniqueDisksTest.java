// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UniqueDisksTest {
    private static final List<String> KINDS =
            List.of("gcePersistentDisk", "awsElasticBlockStore", "iscsi", "rbd", "nfs", "emptyDir");

    @Test
    void twoPodsConflictIfAnyTwoOfTheirVolumesDo() {
        int conflicts = 0;
        for (int seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            Pod one = pod(random, 1 + random.nextInt(4));
            Pod other = pod(random, 1 + random.nextInt(4));
            boolean expected = sources(one).stream()
                    .anyMatch(ours -> sources(other).stream().anyMatch(theirs -> isSameDisk(ours, theirs)));

            assertThat(UniqueDisks.of(one).conflictWith(other))
                    .as("seed %d: %s and %s", seed, sources(one), sources(other))
                    .isEqualTo(expected);
            conflicts += expected ? 1 : 0;
        }
        assertThat(conflicts).isBetween(300, 4_500);
    }

    /** If each volume were compared with each, this would be 10,000,000,000 comparisons. */
    @Test
    void podsOfManyVolumesAreComparedWithoutComparingEachWithEach() {
        Pod one = many("a");
        Pod other = many("b");

        assertThat(UniqueDisks.of(one).conflictWith(other)).isFalse();
        assertThat(UniqueDisks.of(one).conflictWith(one)).isTrue();
    }

    private static Pod many(String prefix) {
        return SchedulingObjects.withVolumes(
                prefix,
                IntStream.range(0, 100_000)
                        .mapToObj(i -> SchedulingObjects.podVolume(
                                "v" + i, new VolumeSource("iscsi", Document.of(Map.of("iqn", prefix + i)))))
                        .toList());
    }

    private static Pod pod(Random random, int volumes) {
        List<PodVolume> named = new ArrayList<>();
        for (int i = 0; i < volumes; i++) {
            named.add(SchedulingObjects.podVolume("v" + i, source(random)));
        }
        return SchedulingObjects.withVolumes("p", named);
    }

    private static VolumeSource source(Random random) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (String field : List.of("pdName", "volumeID", "iqn", "image", "pool")) {
            Optional.of(List.of("", "a", "b").get(random.nextInt(3)))
                    .filter(value -> !value.isEmpty())
                    .ifPresent(value -> fields.put(field, value));
        }
        if (random.nextBoolean()) {
            fields.put("readOnly", random.nextInt(3) > 0);
        }
        fields.put(
                "monitors",
                random.ints(random.nextInt(3), 0, 3).mapToObj(i -> "m" + i).toList());
        return new VolumeSource(KINDS.get(random.nextInt(KINDS.size())), Document.of(fields));
    }

    private static List<VolumeSource> sources(Pod pod) {
        return pod.spec().volumes().stream()
                .flatMap(volume -> volume.source().stream())
                .toList();
    }

    /** The rule as it is written for two volumes. */
    private static boolean isSameDisk(VolumeSource ours, VolumeSource theirs) {
        Document a = ours.attributes();
        Document b = theirs.attributes();
        boolean bothReadOnly = isReadOnly(a) && isReadOnly(b);
        return ours.type().equals(theirs.type())
                && switch (ours.type()) {
                    case "gcePersistentDisk" -> same(a, b, "pdName") && !bothReadOnly;
                    case "awsElasticBlockStore" -> same(a, b, "volumeID");
                    case "iscsi" -> same(a, b, "iqn") && !bothReadOnly;
                    case "rbd" ->
                        ((List<?>) a.asMap().get("monitors"))
                                        .stream().anyMatch(((List<?>) b.asMap().get("monitors"))::contains)
                                && a.text("pool")
                                        .orElse("rbd")
                                        .equals(b.text("pool").orElse("rbd"))
                                && same(a, b, "image")
                                && !bothReadOnly;
                    default -> false;
                };
    }

    private static boolean isReadOnly(Document source) {
        return source.at("readOnly").filter(Boolean.TRUE::equals).isPresent();
    }

    private static boolean same(Document a, Document b, String key) {
        return a.text(key).orElse("").equals(b.text(key).orElse(""));
    }
}
