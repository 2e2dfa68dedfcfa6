// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster that is followed is explained as one that is looked at for the first time, however it came to be as it is. */
class FollowedClusterTest {
    private static final Instant NOW = ExplainedObjects.START.plus(Duration.ofHours(1));
    private static final int WORLDS = 80;

    private static final Explainer EXPLAINER = new Explainer(BinderOptions.DEFAULT, PluginRegistry.EMPTY);

    /** Each world is another situation, or two of them at once, so that objects of one name change, come and go. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void changesAreExplainedAsIfTheyHadAlwaysBeenThere(long seed) {
        List<List<KubernetesObject>> situations = situations();
        Random random = new Random(seed);
        FollowedCluster followed = EXPLAINER.following();
        for (int i = 0; i < WORLDS; i++) {
            List<KubernetesObject> world = one(situations, random);
            if (random.nextInt(3) == 0) {
                world = merged(world, one(situations, random));
            }
            followed.show(world);
            Snapshot fresh = Snapshot.of(world, NOW);
            for (Kind<?> kind : Explainer.kinds()) {
                for (KubernetesObject object : List.copyOf(fresh.all(kind))) {
                    ObjectKey key = ObjectKey.of(object);
                    assertThat(followed.explain(kind, key, List.of(), NOW))
                            .as("seed %d, world %d, %s %s", seed, i, kind.name(), key)
                            .isEqualTo(EXPLAINER.explain(fresh, kind, key));
                }
            }
        }
    }

    /** Events and whole pods are read for one question; the next one does not see them. */
    @ParameterizedTest
    @ValueSource(longs = {4, 5})
    void whatIsReadForOneQuestionIsForgottenAfterIt(long seed) {
        List<List<KubernetesObject>> situations = situations();
        Random random = new Random(seed);
        FollowedCluster followed = EXPLAINER.following();
        for (int i = 0; i < WORLDS; i++) {
            List<KubernetesObject> world = one(situations, random);
            List<KubernetesObject> more = one(situations, random);
            followed.show(world);
            Snapshot both = Snapshot.of(merged(world, more), NOW);
            for (Kind<?> kind : Explainer.kinds()) {
                for (KubernetesObject object : List.copyOf(both.all(kind))) {
                    ObjectKey key = ObjectKey.of(object);
                    assertThat(followed.explain(kind, key, more, NOW)).isEqualTo(EXPLAINER.explain(both, kind, key));
                    assertThat(followed.explain(kind, key, List.of(), NOW))
                            .isEqualTo(EXPLAINER.explain(Snapshot.of(world, NOW), kind, key));
                }
            }
        }
    }

    @Test
    void anEmptyClusterHasNothingToExplain() {
        assertThat(EXPLAINER.following().explain(Kinds.POD, ObjectKey.of("default", "web"), List.of(), NOW))
                .isEmpty();
    }

    private static List<List<KubernetesObject>> situations() {
        return Stream.concat(
                        StuckSituations.all().stream().map(StuckSituation::objects),
                        AdvisedSituation.all().stream().map(AdvisedSituation::objects))
                .toList();
    }

    private static List<KubernetesObject> one(List<List<KubernetesObject>> situations, Random random) {
        return situations.get(random.nextInt(situations.size()));
    }

    /** The second one's objects in place of those of the same kind and name. */
    private static List<KubernetesObject> merged(List<KubernetesObject> first, List<KubernetesObject> second) {
        Map<String, KubernetesObject> byName = new TreeMap<>();
        Stream.concat(first.stream(), second.stream())
                .forEach(object -> byName.put(object.getClass().getName() + ObjectKey.of(object), object));
        return new ArrayList<>(byName.values());
    }
}
