// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.WriteVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every scenario of semantics/binder §7.2 by name, each under 32 random schedules: chance decides the order of news, decisions and
 * answers, when others act, and at which writes and calls the process dies. The {@link Watchman} looks at every step, {@link BinderInvariants}
 * at the end.
 */
@Tag("long")
class RaceScenariosTest {
    private static final int SCHEDULES = 32;
    private static final ToyPlugin TOY = new ToyPlugin(Place.CONTROLLER);
    private static final String MADE = "pvc-" + BinderObjects.UID;

    /** One run: the cluster, chance, and how the plugin answers while it storms. */
    private static final class Run {
        final Random chance;
        final Cluster cluster;
        final Watchman watchman;
        UnaryOperator<Outcome<?>> answer = real -> real;

        Run(int seed) {
            chance = new Random(seed);
            cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(TOY)), seed).shuffled(seed);
            watchman = Watchman.over(cluster, this::answer);
        }

        private Outcome<?> answer(Call call) {
            return answer.apply(TOY.answer(call));
        }

        void storm() {
            cluster.diesBefore = write -> chance.nextInt(20) == 0;
            cluster.diesAfter = write -> chance.nextInt(12) == 0;
            cluster.diesBeforeCall = call -> chance.nextInt(6) == 0;
            cluster.diesAfterCall = call -> chance.nextInt(6) == 0;
        }

        void calm() {
            cluster.diesBefore = write -> false;
            cluster.diesAfter = write -> false;
            cluster.diesBeforeCall = call -> false;
            cluster.diesAfterCall = call -> false;
            cluster.refused = request -> false;
            answer = real -> real;
        }

        void ifVolume(String name, Consumer<String> act) {
            cluster.findVolume(name).ifPresent(volume -> act.accept(name));
        }

        void ifClaim(Consumer<PersistentVolumeClaim> act) {
            cluster.findClaim("data").ifPresent(act);
        }

        void deleteClaim() {
            ifClaim(claim -> cluster.deleteClaim("data"));
        }

        void annotateClaim(UnaryOperator<PersistentVolumeClaim> edit) {
            ifClaim(claim -> cluster.editClaim("data", edit));
        }

        void load(StorageClass storageClass) {
            cluster.load(storageClass);
        }

        void makeDefault(String name, boolean isDefault) {
            StorageClass before = cluster.store
                    .get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name))
                    .orThrow();
            StorageClass after = before.withMetadata(
                    before.metadata().withAnnotation(Annotations.IS_DEFAULT_CLASS, String.valueOf(isDefault)));
            cluster.store
                    .update(Kinds.STORAGE_CLASS, new Change<>(before, after))
                    .orThrow();
        }
    }

    /** What a user or program does, or what holds. */
    private interface Act {
        void accept(Run run);
    }

    /**
     * A scenario.
     *
     * @param acts what others do, one after the other, with work of the binder in between
     * @param end what must hold then
     */
    private record Scenario(String name, List<Act> acts, Act end) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Scenario scenario(String name, Act end, Act... acts) {
        return new Scenario(name, List.of(acts), end);
    }

    // ---- the bind itself ----

    static Stream<Scenario> binds() {
        return Arrays.stream(Disturbance.values())
                .map(disturbance -> scenario(
                        "crashes of a bind, " + disturbance,
                        run -> {},
                        run -> run.cluster.load(
                                BinderObjects.volume("pv", "1Gi", policy(run)), BinderObjects.volume("other", "2Gi")),
                        run -> run.cluster.load(BinderObjects.data()),
                        run -> disturbance.strikes(run.cluster)));
    }

    private static ReclaimPolicy policy(Run run) {
        return List.of(ReclaimPolicy.RETAIN, ReclaimPolicy.RECYCLE, ReclaimPolicy.DELETE)
                .get(run.chance.nextInt(3));
    }

    // ---- deletion of a volume with each set of finalizers ----

    static Stream<Scenario> finalizers() {
        List<String> all = List.of(Finalizers.PV_PROTECTION, Finalizers.PV_CONTROLLER, Finalizers.EXTERNAL_PROVISIONER);
        return IntStream.range(0, 1 << all.size()).mapToObj(set -> {
            List<String> finalizers = new ArrayList<>();
            IntStream.range(0, all.size()).filter(i -> (set >> i & 1) != 0).forEach(i -> finalizers.add(all.get(i)));
            return scenario(
                    "volume deleted with finalizers " + finalizers,
                    run -> {
                        assertThat(run.cluster.findVolume("pv")).isEmpty();
                        assertThat(run.cluster.findClaim("data")).isEmpty();
                    },
                    run -> {
                        PersistentVolume volume = BinderObjects.annotated(
                                BinderObjects.claimedBy(
                                        BinderObjects.volume("pv", "1Gi", ReclaimPolicy.DELETE),
                                        "data",
                                        BinderObjects.UID),
                                Annotations.PROVISIONED_BY,
                                ToyPlugin.NAME);
                        volume = volume.withMetadata(volume.metadata().withFinalizers(finalizers));
                        run.cluster
                                .store
                                .loadDocument(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME.write(volume))
                                .orThrow();
                        run.cluster.load(BinderObjects.data());
                    },
                    run -> run.ifVolume("pv", run.cluster::deleteVolume),
                    Run::deleteClaim);
        });
    }

    // ---- storage that is being made ----

    static Stream<Scenario> provisioning() {
        Act nothingLeft = run -> {
            assertThat(run.cluster.findClaim("data")).isEmpty();
            assertThat(run.cluster.volumes()).isEmpty();
            assertThat(run.watchman.storage).isEmpty();
        };
        Act wish = run -> {
            run.load(StorageClass.of("gold", ToyPlugin.NAME));
            run.cluster.load(BinderObjects.ofClass(BinderObjects.data(), "gold"));
        };
        return Stream.of(
                scenario("claim deleted while provisioning, driver success", nothingLeft, wish, Run::deleteClaim),
                scenario(
                        "claim deleted while provisioning, driver timeout",
                        nothingLeft,
                        run -> run.answer = real -> run.chance.nextInt(3) > 0 ? Outcome.uncertain("time-out") : real,
                        wish,
                        Run::deleteClaim),
                scenario(
                        "claim deleted while provisioning, creation of the volume fails",
                        nothingLeft,
                        run -> run.cluster.refused =
                                request -> request.verb() == WriteVerb.CREATE && run.chance.nextInt(4) > 0,
                        wish,
                        Run::deleteClaim),
                scenario(
                        "no user deletes the claim while provisioning",
                        run -> {
                            BindingTest.assertBound(run.cluster, MADE, "data");
                            assertThat(run.watchman.storage).containsExactly(MADE);
                        },
                        run -> run.answer = real -> run.chance.nextInt(3) > 0 ? Outcome.uncertain("time-out") : real,
                        wish));
    }

    // ---- what the binder is told ----

    static Stream<Scenario> news() {
        Act pair =
                run -> run.cluster.load(BinderObjects.volume("pv", "1Gi", ReclaimPolicy.DELETE), BinderObjects.data());
        return Stream.of(
                scenario(
                        "relist with missing claims, the claim exists",
                        run -> {
                            assertThat(run.cluster.calls).isEmpty();
                            BindingTest.assertBound(run.cluster, "pv", "data");
                        },
                        pair,
                        run -> run.cluster.relistWithoutClaims(),
                        run -> run.cluster.relistWithoutClaims(),
                        // a claim that is Bound all the time is not looked at again until a user touches the volume
                        run -> run.cluster.annotateVolume("pv", "example.com/touched", "yes")),
                scenario(
                        "relist with missing claims, the claim has gone",
                        run -> assertThat(run.cluster
                                        .findVolume("pv")
                                        .map(v -> v.status().phase()))
                                .as("destroyed, or never claimed")
                                .isIn(Optional.empty(), Optional.of(PersistentVolumePhase.AVAILABLE)),
                        pair,
                        Run::deleteClaim,
                        run -> run.cluster.relistWithoutClaims(),
                        run -> run.cluster.relistWithoutClaims()),
                scenario(
                        "relist with missing claims, a claim of that name is created again",
                        run -> assertThat(run.cluster.claim("data").status().phase())
                                .isIn(ClaimPhase.PENDING, ClaimPhase.BOUND),
                        pair,
                        run -> run.cluster.relistWithoutClaims(),
                        run -> Disturbance.CLAIM_MADE_ANEW.strikes(run.cluster),
                        run -> run.cluster.relistWithoutClaims()),
                scenario(
                        "resourceVersion going backwards",
                        run -> assertThat(run.cluster.claims())
                                .allMatch(claim -> claim.status().phase() == ClaimPhase.BOUND),
                        run -> run.cluster.withSlowWatch(),
                        pair,
                        run -> run.cluster.repeatOldNews(run.chance),
                        run -> run.cluster.load(
                                BinderObjects.volume("pv-2", "2Gi"), BinderObjects.claim("more", "2Gi")),
                        run -> run.cluster.repeatOldNews(run.chance),
                        run -> run.cluster.repeatOldNews(run.chance)));
    }

    // ---- objects that take the place of others ----

    static Stream<Scenario> successors() {
        return Stream.of(
                scenario(
                        "a volume created again with another uid, free",
                        run -> BindingTest.assertBound(run.cluster, "pv", "data"),
                        run -> run.cluster.load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data()),
                        run -> run.cluster.tearOutVolume("pv"),
                        run -> run.cluster.load(BinderObjects.volume("pv", "1Gi"))),
                scenario(
                        "a volume created again with another uid, of another claim",
                        run -> {
                            BindingTest.assertBound(run.cluster, "pv", "rival");
                            assertThat(run.cluster.claim("data").status().phase())
                                    .isIn(ClaimPhase.LOST, ClaimPhase.PENDING);
                        },
                        run -> run.cluster.load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data()),
                        run -> run.cluster.tearOutVolume("pv"),
                        run -> run.cluster.load(
                                BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "rival", ""),
                                BinderObjects.claim("rival", "1Gi"))),
                scenario(
                        "default class switched while claims are pending",
                        run -> {
                            assertThat(run.cluster.claims()).allSatisfy(claim -> {
                                assertThat(claim.status().phase()).isEqualTo(ClaimPhase.BOUND);
                                assertThat(claim.spec().storageClassName().orElse("none"))
                                        .isIn("gold", "tin");
                            });
                            assertThat(run.watchman.storage).hasSize(3);
                        },
                        run -> run.cluster.load(
                                BinderObjects.data(),
                                BinderObjects.claim("data-2", "2Gi"),
                                BinderObjects.claim("data-3", "3Gi")),
                        run -> run.load(BinderObjects.byDefault(StorageClass.of("gold", ToyPlugin.NAME))),
                        run -> run.load(BinderObjects.byDefault(StorageClass.of("tin", ToyPlugin.NAME))),
                        run -> run.makeDefault("gold", false),
                        run -> run.makeDefault("tin", false),
                        run -> run.makeDefault("gold", true)),
                scenario(
                        "attributes class changed during the bind",
                        run -> {
                            BindingTest.assertBound(run.cluster, "pv", "data");
                            assertThat(run.cluster.volume("pv").status().phase())
                                    .isEqualTo(PersistentVolumePhase.BOUND);
                        },
                        run -> run.cluster.load(fast(csi(BinderObjects.volume("pv", "1Gi")))),
                        run -> run.cluster.load(fast(BinderObjects.data())),
                        run -> run.cluster.settle(),
                        run -> run.cluster.editVolume(
                                "pv", v -> v.withSpec(v.spec().withVolumeAttributesClassName(Optional.of("slow")))),
                        run -> run.cluster.editClaim(
                                "data", c -> c.withSpec(c.spec().withVolumeAttributesClassName(Optional.of("slow")))),
                        run -> run.cluster.editClaim(
                                "data", c -> c.withSpec(c.spec().withVolumeAttributesClassName(Optional.of("fast"))))));
    }

    private static PersistentVolume csi(PersistentVolume volume) {
        VolumeSource source =
                new VolumeSource("csi", Document.of(Map.of("driver", "d.example.com", "volumeHandle", "h")));
        return volume.withSpec(volume.spec().withSource(Optional.of(source)));
    }

    private static PersistentVolume fast(PersistentVolume volume) {
        return volume.withSpec(volume.spec().withVolumeAttributesClassName(Optional.of("fast")));
    }

    private static PersistentVolumeClaim fast(PersistentVolumeClaim claim) {
        return claim.withSpec(claim.spec().withVolumeAttributesClassName(Optional.of("fast")));
    }

    // ---- what a scheduler and its pods do ----

    static Stream<Scenario> consumers() {
        Act waiting = run -> {
            run.load(BinderObjects.storageClass("late", ToyPlugin.NAME, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
            run.cluster.load(Node.of("n1"), Node.of("n2"), BinderObjects.ofClass(BinderObjects.data(), "late"));
            run.cluster.load(BinderObjects.pod("web", "", "data"));
        };
        Act bound = run -> {
            BindingTest.assertBound(run.cluster, MADE, "data");
            assertThat(run.watchman.storage).containsExactly(MADE);
        };
        return Stream.of(
                scenario(
                        "pod deleted while its volumes are being bound",
                        bound,
                        waiting,
                        run -> selectNode(run, "n1"),
                        run -> run.cluster.endPod("web"),
                        run -> run.cluster.load(BinderObjects.pod("web-2", "", "data")),
                        run -> selectNode(run, "n1")),
                scenario(
                        "pod and claim deleted while its volumes are being bound",
                        run -> {
                            assertThat(run.cluster.findClaim("data")).isEmpty();
                            assertThat(run.cluster.volumes()).isEmpty();
                            assertThat(run.watchman.storage).isEmpty();
                        },
                        waiting,
                        run -> selectNode(run, "n1"),
                        run -> run.cluster.endPod("web"),
                        Run::deleteClaim),
                scenario(
                        "node deleted after it was selected",
                        bound,
                        waiting,
                        run -> selectNode(run, "n1"),
                        run -> run.cluster
                                .store
                                .delete(Kinds.NODE, ObjectKey.cluster("n1"), DeleteOptions.DEFAULT)
                                .orThrow(),
                        run -> run.cluster.advance(Duration.ofHours(1)),
                        run -> selectNode(run, "n2")));
    }

    private static void selectNode(Run run, String node) {
        run.annotateClaim(
                claim -> claim.withMetadata(claim.metadata().withAnnotation(Annotations.SELECTED_NODE, node)));
    }

    // ---- the runs ----

    @ParameterizedTest(name = "{0}")
    @MethodSource({"binds", "finalizers", "provisioning", "news", "successors", "consumers"})
    void holdsUnderEverySchedule(Scenario scenario) {
        int deaths = 0;
        for (int seed = 1; seed <= SCHEDULES; seed++) {
            Run run = new Run(seed);
            try {
                play(scenario, run);
                deaths += run.cluster.deaths;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(scenario + " under schedule " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(deaths).as("how often the process died").isGreaterThan(SCHEDULES / 4);
    }

    private static void play(Scenario scenario, Run run) {
        run.storm();
        for (Act act : scenario.acts) {
            act.accept(run);
            run.cluster.stepAFew(run.chance.nextInt(30));
        }
        run.cluster.advance(Duration.ofMinutes(20));
        run.calm();
        run.cluster.relist();
        run.cluster.advance(Duration.ofMinutes(20));
        BinderInvariants.check(run.cluster);
        scenario.end.accept(run);
    }
}
