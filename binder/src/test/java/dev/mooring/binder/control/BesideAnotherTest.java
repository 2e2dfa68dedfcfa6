// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.MigratedPlugins;
import dev.mooring.binder.ProvisionerRole;
import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The binder as the provisioner beside another program that binds: what it writes, and what it leaves alone (semantics/csi §8). */
class BesideAnotherTest {
    private static final String VOLUME = "pvc-" + BinderObjects.UID;
    private static final ToyPlugin TOY = new ToyPlugin(Place.CONTROLLER);
    private static final ProvisionerRole OF_NODE =
            new ProvisionerRole("pvc", -1, Optional.of("a"), Optional.of(Duration.ofSeconds(20)), Optional.empty());

    /** What exists on the storage system. */
    private final Set<String> storage = new HashSet<>();

    private Outcome<?> backend(Call call) {
        if (call.operation().equals("provision")) {
            storage.add(call.volume());
        } else {
            storage.remove(call.volume());
        }
        return TOY.answer(call);
    }

    private Cluster cluster(ProvisionerRole role, VolumeBindingMode mode) {
        BinderOptions options =
                BinderOptions.DEFAULT.withMigrated(MigratedPlugins.NONE).besideAnother(role);
        Cluster cluster = new Cluster(options, new PluginRegistry(List.of(TOY)), 1);
        cluster.backend = this::backend;
        return cluster.load(StorageClass.of("gold", ToyPlugin.NAME)
                .withVolumeBindingMode(Optional.of(mode))
                .withReclaimPolicy(Optional.of(ReclaimPolicy.DELETE)));
    }

    private Cluster cluster() {
        return cluster(ProvisionerRole.DEFAULT, VolumeBindingMode.IMMEDIATE);
    }

    private static PersistentVolumeClaim wish() {
        return BinderObjects.ofClass(BinderObjects.data(), "gold");
    }

    private static PersistentVolumeClaim asked(String annotation) {
        return BinderObjects.annotated(wish(), annotation, ToyPlugin.NAME);
    }

    private static PersistentVolumeClaim asked() {
        return asked(Annotations.BETA_STORAGE_PROVISIONER);
    }

    private static void show(Cluster cluster, PersistentVolumePhase phase) {
        PersistentVolume volume = cluster.volume(VOLUME);
        cluster.store
                .updateStatus(Kinds.PERSISTENT_VOLUME, new Change<>(volume, BinderObjects.inPhase(volume, phase)))
                .orThrow();
    }

    /** What the program that binds does then. */
    private static void bind(Cluster cluster) {
        show(cluster, PersistentVolumePhase.BOUND);
        cluster.editClaim("data", claim -> BinderObjects.naming(claim, VOLUME));
    }

    private static void release(Cluster cluster) {
        show(cluster, PersistentVolumePhase.RELEASED);
    }

    private static void letGo(Cluster cluster) {
        cluster.deleteClaim("data")
                .editClaim(
                        "data",
                        claim -> claim.withMetadata(claim.metadata().withoutFinalizer(Finalizers.PVC_PROTECTION)));
    }

    // ---- making ----

    @Test
    void aClaimThatAsksNoProvisionerIsLeftAlone() {
        Cluster cluster = cluster().load(wish());
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.writes).isEmpty();
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.news).isEmpty();
    }

    @Test
    void aClaimThatAsksForWhatItsClassDoesNotNameIsLeftAlone() {
        Cluster cluster =
                cluster().load(BinderObjects.annotated(wish(), Annotations.STORAGE_PROVISIONER, "other.example.com"));
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.writes).isEmpty();
        assertThat(cluster.calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {Annotations.STORAGE_PROVISIONER, Annotations.BETA_STORAGE_PROVISIONER})
    void theVolumeIsMadeAndTheClaimIsAsItWas(String annotation) {
        PersistentVolumeClaim wish = asked(annotation);
        Cluster cluster = cluster().load(wish);
        cluster.advance(Duration.ofMinutes(1));

        PersistentVolume volume = cluster.volume(VOLUME);
        assertThat(volume.metadata().annotation(Annotations.PROVISIONED_BY)).contains(ToyPlugin.NAME);
        assertThat(volume.metadata().annotation(Annotations.BOUND_BY_CONTROLLER))
                .isEmpty();
        assertThat(volume.metadata().finalizers())
                .contains(Finalizers.EXTERNAL_PROVISIONER)
                .doesNotContain(Finalizers.PV_CONTROLLER);
        assertThat(volume.spec().claimRef().orElseThrow().uid()).isEqualTo(BinderObjects.UID);
        assertThat(volume.status().phase()).isEqualTo(PersistentVolumePhase.PENDING);
        PersistentVolumeClaim claim = cluster.claim("data");
        assertThat(claim.spec().volumeName()).isEmpty();
        assertThat(claim.status().phase()).isEqualTo(ClaimPhase.PENDING);
        assertThat(claim.metadata().annotations()).isEqualTo(wish.metadata().annotations());
        assertThat(claim.metadata().finalizers()).containsExactly(Finalizers.PVC_PROTECTION);
        assertThat(cluster.told("ProvisioningSucceeded")).isEqualTo(1);
        assertThat(cluster.operations()).containsExactly("provision");
    }

    @Test
    void aBoundPairIsTouchedNoMore() {
        Cluster cluster = cluster().load(asked());
        cluster.settle();
        bind(cluster);
        cluster.writes.clear();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.writes).isEmpty();
        assertThat(cluster.operations()).containsExactly("provision");
    }

    static Stream<Death> deaths() {
        return Death.atWrites(3);
    }

    @ParameterizedTest(name = "dies {0}")
    @MethodSource("deaths")
    void endsTheSameWhereverTheProcessDies(Death death) {
        Cluster cluster = cluster().load(asked());
        death.in(cluster);
        cluster.advance(Duration.ofMinutes(5));
        assertThat(storage).containsExactly(VOLUME);
        assertThat(cluster.volumes()).hasSize(1);
        assertThat(cluster.claim("data").metadata().finalizers()).containsExactly(Finalizers.PVC_PROTECTION);
    }

    @Test
    void aClaimThatGoesWhileTheAnswerIsLostLeavesNothingBehind() {
        Cluster cluster = cluster();
        boolean[] lost = {true};
        cluster.backend = call -> {
            Outcome<?> real = backend(call);
            return lost[0] ? Outcome.uncertain("time-out") : real;
        };
        cluster.load(asked()).settle();
        letGo(cluster);
        lost[0] = false;
        cluster.restart();
        cluster.advance(Duration.ofMinutes(5));
        if (cluster.findVolume(VOLUME).isPresent()) {
            release(cluster); // as the program that binds does when the claim has gone
        }
        cluster.advance(Duration.ofMinutes(5));
        assertThat(storage).isEmpty();
        assertThat(cluster.findClaim("data")).isEmpty();
    }

    @Test
    void onlyAFullNodeIsGivenUp() {
        for (Refusal refusal : List.of(Refusal.EXHAUSTED, Refusal.DENIED)) {
            Cluster cluster = cluster(ProvisionerRole.DEFAULT, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);
            cluster.backend = call -> Outcome.refused(refusal, "no");
            cluster.load(
                    BinderObjects.annotated(asked(), Annotations.SELECTED_NODE, "a"), SelectedNodeTest.node("a", true));
            cluster.settle();
            assertThat(cluster.claim("data").metadata().annotation(Annotations.SELECTED_NODE))
                    .isEqualTo(refusal == Refusal.EXHAUSTED ? Optional.empty() : Optional.of("a"));
        }
    }

    @Test
    void aClaimThatWaitsForANodeIsLeftAlone() {
        Cluster cluster = cluster(ProvisionerRole.DEFAULT, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER)
                .load(asked());
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void aVolumesNameIsMadeAsWanted() {
        Cluster cluster = cluster(
                        new ProvisionerRole("vol", 8, Optional.empty(), Optional.empty(), Optional.empty()),
                        VolumeBindingMode.IMMEDIATE)
                .load(asked());
        cluster.advance(Duration.ofMinutes(1));
        assertThat(cluster.volumes())
                .extracting(volume -> volume.metadata().name())
                .containsExactly("vol-" + BinderObjects.UID.replace("-", "").substring(0, 8));
    }

    // ---- one node ----

    @Test
    void aNodeServesTheClaimsForWhichItWasChosen() {
        Cluster cluster = cluster(OF_NODE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER)
                .load(SelectedNodeTest.node("a", true), SelectedNodeTest.node("b", true))
                .load(BinderObjects.annotated(asked(), Annotations.SELECTED_NODE, "b"));
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.writes).isEmpty();
        cluster.editClaim("data", claim -> BinderObjects.annotated(claim, Annotations.SELECTED_NODE, "a"));
        cluster.advance(Duration.ofMinutes(1));
        assertThat(storage).containsExactly(VOLUME);
    }

    @Test
    void aClaimThatMayLieAnywhereIsTakenInTurn() {
        Cluster cluster = cluster(OF_NODE, VolumeBindingMode.IMMEDIATE).load(asked(), SelectedNodeTest.node("a", true));
        cluster.advance(Duration.ofSeconds(21));
        assertThat(cluster.claim("data").metadata().annotation(Annotations.SELECTED_NODE))
                .contains("a");
        assertThat(storage).containsExactly(VOLUME);
    }

    // ---- destroying ----

    @Test
    void aReleasedVolumeIsDestroyed() {
        Cluster cluster = cluster().load(asked());
        cluster.settle();
        bind(cluster);
        letGo(cluster);
        cluster.advance(Duration.ofMinutes(1));
        assertThat(storage).as("the other program has not released it").containsExactly(VOLUME);
        release(cluster);
        cluster.advance(Duration.ofMinutes(1));
        assertThat(storage).isEmpty();
        assertThat(cluster.findVolume(VOLUME)
                        .map(volume -> volume.metadata().finalizers())
                        .orElse(List.of()))
                .doesNotContain(Finalizers.EXTERNAL_PROVISIONER);
    }

    @Test
    void aVolumeThatIsTakenBackBeforeTheCallIsNotDestroyed() {
        Cluster cluster = cluster().load(asked());
        cluster.settle();
        bind(cluster);
        letGo(cluster);
        cluster.afterEachStep = () -> cluster.findVolume(VOLUME)
                .filter(volume ->
                        volume.metadata().annotation(Annotations.RECLAIMING).isPresent()
                                && volume.status().phase() == PersistentVolumePhase.RELEASED)
                .ifPresent(volume -> show(cluster, PersistentVolumePhase.BOUND));
        release(cluster);
        cluster.advance(Duration.ofMinutes(10));
        assertThat(cluster.volume(VOLUME).status().phase()).isEqualTo(PersistentVolumePhase.BOUND);
        assertThat(storage).containsExactly(VOLUME);
        assertThat(cluster.volume(VOLUME).metadata().annotation(Annotations.RECLAIMING))
                .isEmpty();
    }

    @Test
    void aVolumeThatCannotBeDestroyedKeepsItsPhase() {
        Cluster cluster = cluster().load(asked());
        cluster.settle();
        bind(cluster);
        letGo(cluster);
        cluster.backend = call -> Outcome.refused(Refusal.IN_USE, "it has snapshots");
        release(cluster);
        cluster.advance(Duration.ofMinutes(10));
        assertThat(cluster.volume(VOLUME).status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
        assertThat(cluster.told("VolumeFailedDelete")).isPositive();
        assertThat(cluster.operations().size()).isGreaterThan(2);
        assertThat(cluster.writes).extracting(WriteRecord::subresource).doesNotContain("status");
    }

    @Test
    void aVolumeThatIsKeptLosesTheFinalizer() {
        Cluster cluster = cluster().load(asked());
        cluster.settle();
        bind(cluster);
        cluster.editVolume(
                VOLUME,
                volume -> volume.withSpec(volume.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)));
        cluster.advance(Duration.ofMinutes(1));
        assertThat(cluster.volume(VOLUME).metadata().finalizers()).doesNotContain(Finalizers.EXTERNAL_PROVISIONER);
        letGo(cluster);
        release(cluster);
        cluster.advance(Duration.ofMinutes(1));
        assertThat(storage).containsExactly(VOLUME);
    }
}
