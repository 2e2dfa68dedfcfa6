// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The checkers of the races can fail: planted defects of the binder are found, each by the rule that it breaks. */
class CheckersTest {
    /**
     * A defect.
     *
     * @param operation whose effect is carried out wrongly
     * @param defect what is written instead
     * @param rule that it breaks
     */
    private record Planted(
            String name,
            String operation,
            BiFunction<Cluster, Effect.Update<PersistentVolume>, Effect> defect,
            String rule,
            Consumer<Cluster> story) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** A plugin that throws where the binder asks it for a plan. */
    private record Thrower(ToyPlugin toy) implements LikeToy, Provisioning {
        @Override
        public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
            throw new IllegalStateException("planted");
        }

        @Override
        public Outcome<VolumeTemplate> provision(
                OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
            return toy.provision(context, request, plan);
        }
    }

    @Test
    void whatAControllerThrowsEndsTheTest() {
        PluginRegistry broken = new PluginRegistry(List.of(new Thrower(new ToyPlugin(Place.CONTROLLER))));
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, broken, 1)
                .load(StorageClass.of("toy", ToyPlugin.NAME), BinderObjects.ofClass(BinderObjects.data(), "toy"));

        assertThatThrownBy(cluster::settle).isInstanceOf(AssertionError.class).hasRootCauseMessage("planted");
    }

    private static void bind(Cluster cluster) {
        cluster.load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data()).settle();
    }

    private static Effect volume(PersistentVolume base, PersistentVolume edited) {
        return new Effect.Update<>("planted", Kinds.PERSISTENT_VOLUME, new Change<>(base, edited));
    }

    private static PersistentVolume unversioned(PersistentVolume volume) {
        return volume.withMetadata(volume.metadata().withResourceVersion(""));
    }

    private static Effect claim(Cluster cluster, PersistentVolume volume) {
        PersistentVolumeClaim claim = cluster.claim("data");
        return new Effect.Update<>(
                "planted", Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, Transitions.naming(claim, volume)));
    }

    static Stream<Planted> defects() {
        return Stream.concat(binding(), reclaiming());
    }

    private static Stream<Planted> binding() {
        return Stream.of(
                new Planted(
                        "the volume is written without its version",
                        BinderOperations.CLAIM_VOLUME,
                        (cluster, update) -> {
                            // another claim was faster, and the decision does not know it yet
                            cluster.load(BinderObjects.claim("rival", "1Gi"));
                            PersistentVolumeClaim rival = cluster.claim("rival");
                            cluster.editVolume("pv", v -> Transitions.claimed(v, rival));
                            return volume(
                                    unversioned(update.change().base()),
                                    unversioned(update.change().edited()));
                        },
                        "I10",
                        CheckersTest::bind),
                new Planted(
                        "the claim is written before the volume",
                        BinderOperations.CLAIM_VOLUME,
                        (cluster, update) -> {
                            cluster.writeAsBinder(claim(cluster, update.change().base()));
                            return update;
                        },
                        "§1.7 the claim names a volume that was never claimed for it",
                        CheckersTest::bind),
                new Planted(
                        "the volume's status is written before the volume",
                        BinderOperations.CLAIM_VOLUME,
                        (cluster, update) -> new Effect.UpdateStatus<>(
                                "planted",
                                Kinds.PERSISTENT_VOLUME,
                                new Change<>(
                                        update.change().base(),
                                        Transitions.inPhase(update.change().base(), PersistentVolumePhase.BOUND, ""))),
                        "§1.7 Bound before it is claimed",
                        CheckersTest::bind),
                new Planted(
                        "the claim's status is written before the claim",
                        BinderOperations.CLAIM_VOLUME,
                        (cluster, update) -> {
                            PersistentVolumeClaim claim = cluster.claim("data");
                            cluster.writeAsBinder(new Effect.UpdateStatus<>(
                                    "planted",
                                    Kinds.PERSISTENT_VOLUME_CLAIM,
                                    new Change<>(
                                            claim,
                                            Transitions.showing(
                                                    claim, update.change().base()))));
                            return update;
                        },
                        "§1.7 Bound is shown before it is true",
                        CheckersTest::bind),
                new Planted(
                        "a volume that does not fit is taken",
                        BinderOperations.CLAIM_VOLUME,
                        (cluster, update) -> {
                            PersistentVolume small = cluster.volume("small");
                            return volume(small, Transitions.claimed(small, cluster.claim("data")));
                        },
                        "I7",
                        cluster -> cluster.load(
                                        BinderObjects.volume("small", "1Mi"),
                                        BinderObjects.volume("pv", "1Gi"),
                                        BinderObjects.data())
                                .settle()),
                new Planted(
                        "what a user tied is taken away",
                        BinderOperations.UNBIND,
                        (cluster, update) -> volume(
                                update.change().base(),
                                update.change()
                                        .base()
                                        .withSpec(update.change().base().spec().withClaimRef(Optional.empty()))),
                        "I8",
                        cluster -> cluster.load(
                                        BinderObjects.claimedBy(
                                                BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID),
                                        BinderObjects.claimedBy(
                                                BinderObjects.volume("another", "1Gi"), "data", BinderObjects.UID),
                                        BinderObjects.boundTo("another"))
                                .settle()));
    }

    private static Stream<Planted> reclaiming() {
        Consumer<Cluster> release = cluster -> cluster.load(
                        BinderObjects.annotated(
                                BinderObjects.volume("pv", "1Gi", ReclaimPolicy.DELETE),
                                Annotations.PROVISIONED_BY,
                                ToyPlugin.NAME),
                        BinderObjects.data())
                .settle()
                .deleteClaim("data")
                .advance(Duration.ofMinutes(1));
        return Stream.of(
                new Planted(
                        "the mark is made while the claim is there",
                        BinderOperations.CLAIM_VOLUME,
                        (cluster, update) -> volume(
                                update.change().base(),
                                Transitions.reclaiming(update.change().edited(), BinderObjects.UID)),
                        "I3 marked while its claim uses it",
                        release),
                new Planted(
                        "a mark of another claim",
                        BinderOperations.MARK_RECLAIMING,
                        (cluster, update) -> volume(
                                update.change().base(),
                                Transitions.reclaiming(update.change().base(), BinderObjects.OTHER_UID)),
                        "D6 marked for another claim",
                        release),
                new Planted(
                        "the call is made before the mark",
                        BinderOperations.MARK_RECLAIMING,
                        (cluster, update) -> destroying(cluster, update),
                        "D6 data is touched without a mark",
                        release),
                new Planted(
                        "the finalizer goes before the storage",
                        BinderOperations.MARK_RECLAIMING,
                        (cluster, update) -> volume(
                                update.change().base(),
                                Transitions.destroyed(update.change().base(), Finalizers.PV_CONTROLLER)),
                        "§1.13",
                        release),
                new Planted(
                        "storage is destroyed while it is used",
                        BinderOperations.CLAIM_VOLUME,
                        (cluster, update) -> destroying(cluster, update),
                        "D6 data is touched without a mark",
                        release));
    }

    private static Effect destroying(Cluster cluster, Effect.Update<PersistentVolume> update) {
        assertThat(cluster.backend
                        .apply(new DeleteCall(
                                new PluginName(ToyPlugin.NAME),
                                VolumeSpec.of(update.change().base()).orElseThrow()))
                        .isDone())
                .isTrue();
        return update;
    }

    private static Cluster cluster() {
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(toy)), 1);
        Watchman.over(cluster, toy::answer);
        return cluster;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("defects")
    void aDefectIsFound(Planted planted) {
        Cluster cluster = cluster();
        boolean[] planned = new boolean[1];
        cluster.mutation = effect -> {
            if (planned[0] || !effect.operation().equals(planted.operation)) {
                return effect;
            }
            planned[0] = true;
            return planted.defect.apply(cluster, volumeUpdate(effect));
        };
        assertThatThrownBy(() -> planted.story.accept(cluster))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(planted.rule);
        assertThat(planned[0]).isTrue();
    }

    @ParameterizedTest(name = "without it: {0}")
    @MethodSource("defects")
    void nothingIsFoundWithoutTheDefect(Planted planted) {
        Cluster cluster = cluster();
        planted.story.accept(cluster);
        BinderInvariants.check(cluster);
    }

    @SuppressWarnings("unchecked") // all operations of the table write volumes
    private static Effect.Update<PersistentVolume> volumeUpdate(Effect effect) {
        return (Effect.Update<PersistentVolume>) effect;
    }

    @Test
    void storageThatIsMadeWithoutAnIntentIsFound() {
        Cluster cluster = cluster();
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        PersistentVolumeClaim wish = BinderObjects.ofClass(BinderObjects.data(), "gold");
        StorageClass gold = StorageClass.of("gold", ToyPlugin.NAME);
        ProvisionRequest request =
                ProvisionRequests.of(wish, gold, Map.of(), "pvc-" + BinderObjects.UID, Optional.empty());
        cluster.load(BinderObjects.data());
        assertThat(cluster.backend
                        .apply(new ProvisionCall(
                                new PluginName(ToyPlugin.NAME),
                                request,
                                toy.plan(request).result().orElseThrow()))
                        .isDone())
                .isTrue();
        assertThatThrownBy(cluster::settle).hasMessageContaining("D15");
    }

    // ---- the checks of the end ----

    @Test
    void twoClaimsThatAreBoundToOneVolumeAreFound() {
        PersistentVolumeClaim twin = BinderObjects.boundTo("pv");
        found(
                "I1",
                BinderObjects.inPhase(
                        BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID),
                        PersistentVolumePhase.BOUND),
                BinderObjects.boundTo("pv"),
                twin.withMetadata(twin.metadata().withName("twin").withUid(BinderObjects.OTHER_UID)));
    }

    @Test
    void twoVolumesOfOneClaimAreFound() {
        found(
                "one claim's uid",
                BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID),
                BinderObjects.claimedBy(BinderObjects.volume("pv-2", "1Gi"), "data", BinderObjects.UID));
    }

    @Test
    void aClaimThatWaitsForWhatIsThereIsFound() {
        found(
                "I6: nothing that is free fits",
                BinderObjects.volume("pv", "1Gi"),
                BinderObjects.inPhase(BinderObjects.data(), ClaimPhase.PENDING));
    }

    /** No controller works on the objects before the checkers look at them. */
    private static void found(String rule, KubernetesObject... objects) {
        Cluster cluster = cluster().load(objects);
        assertThatThrownBy(() -> BinderInvariants.check(cluster))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(rule);
    }
}
