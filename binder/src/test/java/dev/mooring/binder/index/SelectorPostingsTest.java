// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Selectors over one large group, where they are looked up in posting lists instead of tried on each volume. */
@Tag("long")
class SelectorPostingsTest {
    private static final int STEPS = Integer.getInteger("mooring.index.steps", 6_000);
    private static final int VOLUMES = 600;

    private final VolumeIndex index = new VolumeIndex();
    private final MatchOracle oracle = new MatchOracle(false);

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void answersAsTheSpecificationWhileLabelsChange(long seed) {
        RandomObjects random = new RandomObjects(seed);
        int found = 0;
        for (int step = 0; step < STEPS; step++) {
            String name = "pv-" + random.number(VOLUMES);
            if (step < VOLUMES || random.chance(40)) {
                put(volume(random, name));
            } else if (random.chance(15)) {
                index.remove(name);
                oracle.volumes.remove(name);
            } else {
                PersistentVolumeClaim claim = claim(random);
                Optional<PersistentVolume> expected = oracle.find(claim, MatchOptions.DEFAULT);
                found += expected.isPresent() ? 1 : 0;
                assertThat(index.findBestMatch(claim, MatchOptions.DEFAULT))
                        .as("seed %d, step %d, %s", seed, step, claim)
                        .isEqualTo(expected);
            }
            if (step % 200 == 0) {
                index.check();
            }
        }
        assertThat(found).isGreaterThan(STEPS / 12);
    }

    private void put(PersistentVolume volume) {
        index.put(volume);
        oracle.volumes.put(volume.metadata().name(), volume);
    }

    private static PersistentVolume volume(RandomObjects random, String name) {
        Map<String, String> labels = random.chance(90)
                ? Map.of("zone", "z" + random.number(6), "disk", "d" + random.number(30))
                : Map.of("other", "x");
        return Fixtures.labels(Fixtures.volume(name, 1 + random.number(40) + "Gi"), labels);
    }

    private static PersistentVolumeClaim claim(RandomObjects random) {
        Map<String, String> labels = random.chance(60) ? Map.of("zone", "z" + random.number(7)) : Map.of();
        LabelSelectorRequirement expression = random.oneOf(List.of(
                Fixtures.expression("disk", "In", "d" + random.number(30), "d" + random.number(30), "d31"),
                Fixtures.expression("disk", "NotIn", "d" + random.number(30)),
                Fixtures.expression("other", "DoesNotExist"),
                Fixtures.expression("other", "Exists")));
        LabelSelector selector = new LabelSelector(labels, random.chance(60) ? List.of(expression) : List.of());
        String request = random.number(40) + "Gi";
        return Fixtures.claim(
                "claim",
                spec -> spec.withRequestedStorage(Quantity.parse(request)).withSelector(Optional.of(selector)));
    }

    @Test
    void looksOnlyAtVolumesWithTheRarestLabel() {
        for (int i = 0; i < 10_000; i++) {
            index.put(Fixtures.labels(
                    Fixtures.volume("pv-" + i), Map.of("zone", "z" + i % 2, "disk", i % 1000 == 999 ? "rare" : "d")));
        }
        PersistentVolumeClaim claim = Fixtures.claim(
                "claim", spec -> spec.withSelector(Fixtures.selector(Map.of("zone", "z1", "disk", "rare"))));
        index.findBestMatch(claim, MatchOptions.DEFAULT);
        long before = index.probes();

        assertThat(index.findBestMatch(claim, MatchOptions.DEFAULT))
                .get()
                .returns("pv-1999", volume -> volume.metadata().name());
        assertThat(index.probes() - before).isLessThan(20);
    }

    /** As costly as a required value: only volumes that are selected are looked at. */
    @ParameterizedTest
    @ValueSource(strings = {"Exists", "DoesNotExist", "NotIn"})
    void looksOnlyAtSelectedVolumesWithoutARequiredValue(String operator) {
        for (int i = 0; i < 10_000; i++) {
            boolean rare = i == 9_998;
            Map<String, String> labels = operator.equals("Exists") == rare ? Map.of("disk", "d") : Map.of("other", "x");
            index.put(Fixtures.labels(Fixtures.volume("pv-%04d".formatted(i)), labels));
        }
        LabelSelectorRequirement expression = operator.equals("NotIn")
                ? Fixtures.expression("disk", operator, "d")
                : Fixtures.expression("disk", operator);
        PersistentVolumeClaim claim =
                Fixtures.claim("claim", spec -> spec.withSelector(Fixtures.selector(Map.of(), expression)));
        index.findBestMatch(claim, MatchOptions.DEFAULT);
        long before = index.probes();

        assertThat(index.findBestMatch(claim, MatchOptions.DEFAULT))
                .get()
                .returns("pv-9998", volume -> volume.metadata().name());
        assertThat(index.probes() - before).isLessThan(20);
    }

    @Test
    void tellsAtOnceThatNoVolumeHasBothLabels() {
        for (int i = 0; i < 10_000; i++) {
            index.put(Fixtures.labels(Fixtures.volume("pv-" + i), Map.of("zone", "z" + i % 2, "disk", "d" + i % 2)));
        }
        PersistentVolumeClaim claim = Fixtures.claim(
                "claim", spec -> spec.withSelector(Fixtures.selector(Map.of("zone", "z1", "disk", "d0"))));
        index.findBestMatch(claim, MatchOptions.DEFAULT);
        long before = index.probes();

        assertThat(index.findBestMatch(claim, MatchOptions.DEFAULT)).isEmpty();
        assertThat(index.probes() - before).isLessThan(20);
    }

    @Test
    void answersMoreCombinationsOfLabelsThanItIndexes() {
        RandomObjects random = new RandomObjects(3);
        for (int i = 0; i < 300; i++) {
            put(Fixtures.labels(Fixtures.volume("pv-" + i, 1 + random.number(40) + "Gi"), manyLabels(random)));
        }
        int found = 0;
        for (int step = 0; step < 1000; step++) {
            Map<String, String> wanted = new TreeMap<>();
            wanted.put("l" + random.number(6), "v" + random.number(3));
            wanted.put("l" + random.number(6), "v" + random.number(3));
            PersistentVolumeClaim claim = Fixtures.claim(
                    "claim",
                    spec -> spec.withSelector(
                            Fixtures.selector(wanted, Fixtures.expression("l" + random.number(6), "In", "v0", "v1"))));
            Optional<PersistentVolume> expected = oracle.find(claim, MatchOptions.DEFAULT);
            found += expected.isPresent() ? 1 : 0;
            assertThat(index.findBestMatch(claim, MatchOptions.DEFAULT))
                    .as("%s", claim)
                    .isEqualTo(expected);
            put(Fixtures.labels(
                    Fixtures.volume("pv-" + random.number(300), 1 + random.number(40) + "Gi"), manyLabels(random)));
        }
        index.check();
        assertThat(found).isGreaterThan(500);
    }

    private static Map<String, String> manyLabels(RandomObjects random) {
        Map<String, String> labels = new TreeMap<>();
        for (int label = 0; label < 6; label++) {
            labels.put("l" + label, "v" + random.number(3));
        }
        return labels;
    }
}
