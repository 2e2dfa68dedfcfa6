// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Others act, the process dies and answers go missing while binds are under way (semantics/binder §7.2). */
@Tag("long")
class RaceTest {
    private static final int SEEDS = 150;

    // ---- chance ----

    static IntStream seeds() {
        return IntStream.rangeClosed(1, SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whateverComesFirstTheEndIsInOrder(int seed) {
        Random random = new Random(seed);
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(toy)), seed).shuffled(seed);
        boolean[] calm = new boolean[1];
        Watchman.over(
                cluster, call -> !calm[0] && random.nextInt(4) == 0 ? Outcome.uncertain("planted") : toy.answer(call));
        cluster.fault = number -> switch (random.nextInt(30)) {
            case 0 -> Interception.refuse(Failure.CONFLICT, "planted");
            case 1 -> Interception.refuse(Failure.UNAVAILABLE, "planted");
            case 2 -> Interception.loseAnswer("planted");
            default -> Interception.PROCEED;
        };
        cluster.diesAfter = number -> random.nextInt(60) == 0;
        cluster.diesBefore = number -> random.nextInt(60) == 0;
        for (int step = 0; step < 40; step++) {
            somethingHappens(cluster, random, step);
            if (random.nextBoolean()) {
                cluster.stepAFew(random.nextInt(12));
            }
        }
        cluster.advance(Duration.ofMinutes(20));
        cluster.fault = number -> Interception.PROCEED;
        cluster.diesAfter = number -> false;
        cluster.diesBefore = number -> false;
        calm[0] = true;
        cluster.advance(Duration.ofMinutes(20));
        BinderInvariants.check(cluster);
    }

    private static void somethingHappens(Cluster cluster, Random random, int step) {
        String size = 1 + random.nextInt(3) + "Gi";
        List<String> claims =
                cluster.claims().stream().map(c -> c.metadata().name()).toList();
        List<String> volumes =
                cluster.volumes().stream().map(v -> v.metadata().name()).toList();
        switch (random.nextInt(8)) {
            case 0, 1, 2 ->
                cluster.load(BinderObjects.volume("pv-" + step, size, ReclaimPolicy.values()[random.nextInt(3)]));
            case 3, 4 -> cluster.load(BinderObjects.claim("data-" + step, size));
            case 5 -> {
                if (!claims.isEmpty()) {
                    cluster.deleteClaim(claims.get(random.nextInt(claims.size())));
                }
            }
            case 6 -> {
                if (!volumes.isEmpty()) {
                    cluster.deleteVolume(volumes.get(random.nextInt(volumes.size())));
                }
            }
            default -> {
                if (!volumes.isEmpty()) {
                    cluster.load(BinderObjects.naming(
                            BinderObjects.claim("named-" + step, size), volumes.get(random.nextInt(volumes.size()))));
                }
            }
        }
    }

    // ---- contention (D18) ----

    @Test
    void neitherTheOrderOfArrivalNorChanceDecidesWhoWins() {
        for (int seed = 1; seed <= 50; seed++) {
            for (List<String> order : List.of(List.of("small", "large"), List.of("large", "small"))) {
                Cluster cluster = new Cluster(BinderOptions.DEFAULT, PluginRegistry.EMPTY, seed);
                order.forEach(name -> cluster.load(BinderObjects.claim(name, name.equals("small") ? "1Gi" : "4Gi")));
                cluster.settle().shuffled(seed);
                cluster.load(BinderObjects.volume("pv", "5Gi")).settle();
                BindingTest.assertBound(cluster, "pv", "large");
                assertThat(cluster.claim("small").status().phase()).isEqualTo(ClaimPhase.PENDING);
            }
        }
    }

    @Test
    void equalRequestsAreServedByAgeAndThenByName() {
        Cluster cluster = new Cluster();
        for (String name : List.of("b", "a")) {
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("old-" + name, "1Gi"))
                    .orThrow();
        }
        cluster.advance(Duration.ofMinutes(1));
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("a-new", "1Gi"))
                .orThrow();
        cluster.settle();
        for (String next : List.of("old-a", "old-b", "a-new")) {
            cluster.load(BinderObjects.volume("pv-of-" + next, "1Gi")).settle();
            BindingTest.assertBound(cluster, "pv-of-" + next, next);
        }
    }
}
