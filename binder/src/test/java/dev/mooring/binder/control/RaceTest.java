// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.store.Interception;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Others act, the process dies and answers go missing while binds are under way (semantics/binder §7.2). */
class RaceTest {
    private static final int SEEDS = 150;

    private static Map<String, Consumer<Cluster>> intruders() {
        Map<String, Consumer<Cluster>> intruders = new TreeMap<>();
        intruders.put("claim deleted", cluster -> cluster.deleteClaim("data"));
        intruders.put("volume deleted", cluster -> cluster.deleteVolume("pv"));
        intruders.put("volume torn out", cluster -> cluster.tearOutVolume("pv"));
        intruders.put("claim made anew", cluster -> {
            cluster.deleteClaim("data");
            if (cluster.findClaim("data").isPresent()) {
                cluster.editClaim("data", c -> c.withMetadata(c.metadata().withFinalizers(List.of())));
            }
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME_CLAIM, Objects.claim("data", "1Gi"))
                    .orThrow();
        });
        intruders.put("another controller takes the volume", cluster -> {
            cluster.load(Objects.claim("rival", "1Gi"));
            PersistentVolumeClaim rival = cluster.claim("rival");
            cluster.editVolume("pv", v -> Transitions.claimed(v, rival));
        });
        intruders.put("another controller takes the claim", cluster -> {
            if (cluster.claim("data").spec().volumeName().isEmpty()) {
                cluster.editClaim("data", c -> Transitions.naming(c, cluster.volume("other")));
            }
        });
        intruders.put("a scheduler reserves another volume", cluster -> {
            PersistentVolumeClaim claim = cluster.claim("data");
            cluster.editVolume("other", v -> Transitions.claimed(v, claim));
        });
        intruders.put(
                "claimRef taken away",
                cluster -> cluster.editVolume("pv", v -> v.withSpec(v.spec().withClaimRef(Optional.empty()))));
        intruders.put(
                "claimRef without its uid", cluster -> cluster.editVolume("pv", v -> Objects.claimedBy(v, "data", "")));
        intruders.put(
                "bind-completed taken away",
                cluster -> cluster.editClaim(
                        "data", c -> c.withMetadata(c.metadata().withoutAnnotation(Annotations.BIND_COMPLETED))));
        return intruders;
    }

    static Stream<Arguments> intrusions() {
        return intruders().keySet().stream()
                .flatMap(who -> IntStream.rangeClosed(1, 4)
                        .boxed()
                        .flatMap(write -> Stream.of(true, false).map(dies -> Arguments.of(who, write, dies))));
    }

    @ParameterizedTest(name = "{0} after write {1}, the process dies: {2}")
    @MethodSource("intrusions")
    void somebodyElseActsAfterAWrite(String who, int write, boolean dies) {
        Cluster cluster = new Cluster()
                .load(Objects.volume("pv", "1Gi"), Objects.volume("other", "2Gi"))
                .settle()
                .load(Objects.data())
                .countingFromOne();
        Consumer<Cluster> intruder = intruders().get(who);
        boolean[] acted = new boolean[1];
        cluster.diesAfter = number -> {
            if (number != write || acted[0]) {
                return false;
            }
            acted[0] = true;
            intruder.accept(cluster);
            return dies;
        };
        cluster.advance(Duration.ofMinutes(5));
        assertThat(acted[0]).isTrue();
        Invariants.check(cluster);
        if (!who.contains("claim deleted")) {
            assertThat(cluster.claim("data").status().phase())
                    .isIn(ClaimPhase.BOUND, ClaimPhase.LOST, ClaimPhase.PENDING);
        }
    }

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
        cluster.backend = call -> random.nextInt(4) == 0 ? Outcome.uncertain("planted") : toy.answer(call);
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
        cluster.backend = toy::answer;
        cluster.advance(Duration.ofMinutes(20));
        Invariants.check(cluster);
    }

    private static void somethingHappens(Cluster cluster, Random random, int step) {
        String size = 1 + random.nextInt(3) + "Gi";
        List<String> claims =
                cluster.claims().stream().map(c -> c.metadata().name()).toList();
        List<String> volumes =
                cluster.volumes().stream().map(v -> v.metadata().name()).toList();
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> cluster.load(Objects.volume("pv-" + step, size, ReclaimPolicy.values()[random.nextInt(3)]));
            case 3, 4 -> cluster.load(Objects.claim("data-" + step, size));
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
                    cluster.load(Objects.naming(
                            Objects.claim("named-" + step, size), volumes.get(random.nextInt(volumes.size()))));
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
                order.forEach(name -> cluster.load(Objects.claim(name, name.equals("small") ? "1Gi" : "4Gi")));
                cluster.settle().shuffled(seed);
                cluster.load(Objects.volume("pv", "5Gi")).settle();
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
                    .create(Kinds.PERSISTENT_VOLUME_CLAIM, Objects.claim("old-" + name, "1Gi"))
                    .orThrow();
        }
        cluster.advance(Duration.ofMinutes(1));
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, Objects.claim("a-new", "1Gi"))
                .orThrow();
        cluster.settle();
        for (String next : List.of("old-a", "old-b", "a-new")) {
            cluster.load(Objects.volume("pv-of-" + next, "1Gi")).settle();
            BindingTest.assertBound(cluster, "pv-of-" + next, next);
        }
    }
}
