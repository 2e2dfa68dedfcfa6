// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.delayed;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.on;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The small scheduler, from pods to their nodes. */
class SchedulerTest {
    private static final String PROVISIONER = "far.example.com";
    private static final String BINDING =
            "FailedScheduling: running PreBind plugin \"VolumeBinding\": binding volumes: ";

    private static SchedulingWorld world(SchedulingOptions options) {
        return new SchedulingWorld(7, () -> VolumeScheduling.scheduler(options));
    }

    private static SchedulingWorld world() {
        return world(SchedulingOptions.DEFAULT);
    }

    /** A world in which an external provisioner makes the volumes, or does not. */
    private static SchedulingWorld provisioned(SchedulingOptions options) {
        return world(options)
                .create(
                        node("n1"),
                        node("n2"),
                        delayed("gold", PROVISIONER),
                        ofClass(claim("c", "1Gi"), "gold"),
                        pod("p", "c"))
                .settle();
    }

    private static Optional<String> selected(SchedulingWorld world) {
        return world.claim("c").metadata().annotation(Annotations.SELECTED_NODE);
    }

    @Test
    void withScoresTheNodeWithMostSpaceLeftWins() {
        SchedulingWorld world = world(SchedulingOptions.DEFAULT.withScoring(true))
                .create(node("n1"), node("n2"), local(), claim("c", "2Gi"));
        world.create(on(volume("tight", "2Gi"), "n1"), on(volume("roomy", "8Gi"), "n2"))
                .settle();
        world.create(pod("p", "c")).settle();
        assertThat(world.nodeOf("p")).isEqualTo("n2"); // most space is left there (§3.6, Score)
        assertThat(world.claim("c").spec().volumeName()).isEqualTo("roomy");
        assertThat(world.toldOf("p")).last().isEqualTo("Scheduled: Successfully assigned default/p to n2");
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    void withoutScoresTheNodeWithFewerPodsWins() {
        SchedulingWorld world = world(SchedulingOptions.DEFAULT)
                .create(node("n1"), node("n2"), pod("a"), pod("b"), pod("c"))
                .settle();
        assertThat(List.of(world.nodeOf("a"), world.nodeOf("b"), world.nodeOf("c")))
                .containsExactly("n1", "n2", "n1");
    }

    @Test
    void aClaimToProvisionGetsItsNodeAndThePodWaitsForIt() {
        SchedulingWorld world = provisioned(SchedulingOptions.DEFAULT);
        assertThat(selected(world)).contains("n1");
        assertThat(world.nodeOf("p")).isEmpty();
        world.create(SchedulingObjects.claimedBy(ofClass(on(volume("made", "1Gi"), "n1"), "gold"), world.claim("c")))
                .settle();
        assertThat(world.nodeOf("p")).isEqualTo("n1");
        assertThat(world.hasTimer()).isFalse();
    }

    /** However soon it comes after the former, as the pods of a StatefulSet do. */
    @Test
    void aPodThatIsMadeAgainUnderItsNameIsToldToo() {
        for (int seed = 0; seed < 20; seed++) {
            SchedulingWorld world = new SchedulingWorld(
                            seed, () -> VolumeScheduling.scheduler(SchedulingOptions.DEFAULT))
                    .create(node("n1"), pod("p", "missing"))
                    .settle();
            List<String> first = world.toldOf("p");
            assertThat(first).as("seed %d", seed).hasSize(1);
            world.deletePod("p").create(pod("p", "missing")).settle();
            assertThat(world.toldOf("p")).as("seed %d", seed).containsExactly(first.get(0), first.get(0));
        }
    }

    @Test
    void theMadeVolumeMustBeInReach() {
        SchedulingWorld world = provisioned(SchedulingOptions.DEFAULT);
        world.create(SchedulingObjects.claimedBy(ofClass(on(volume("made", "1Gi"), "n2"), "gold"), world.claim("c")))
                .settle();
        assertThat(world.toldOf("p")).contains(BINDING + "pv \"made\" node affinity doesn't match node \"n1\"");
        world.advance(Duration.ofSeconds(1)); // then the pod goes where the volume is
        assertThat(world.nodeOf("p")).isEqualTo("n2");
    }

    @Test
    void aProvisionerThatGivesUpTheNodeFailsTheBind() {
        SchedulingWorld world = provisioned(SchedulingOptions.DEFAULT);
        world.editClaim("c", c -> c.withMetadata(c.metadata().withoutAnnotation(Annotations.SELECTED_NODE)))
                .settle();
        assertThat(world.toldOf("p")).last().isEqualTo(BINDING + "provisioning failed for PVC \"c\"");
        assertThat(selected(world)).isEmpty();
        world.advance(Duration.ofSeconds(1));
        assertThat(selected(world)).contains("n1"); // Kubernetes' first back-off is one second
    }

    @Test
    void aBindThatTakesTooLongGivesTheNodeUp() {
        SchedulingWorld world = provisioned(SchedulingOptions.DEFAULT);
        world.advance(Duration.ofSeconds(599));
        assertThat(selected(world)).contains("n1");
        assertThat(world.toldOf("p"))
                .containsExactly(
                        "FailedScheduling: the volumes of the pod are not yet bound to volumes that node \"n1\","
                                + " which was chosen for it, can reach");
        world.advance(Duration.ofSeconds(1)).settle();
        assertThat(world.toldOf("p")).last().isEqualTo(BINDING + "timed out waiting for the claims to be bound");
        assertThat(selected(world)).isEmpty();
    }

    @Test
    void asUpstreamItKeepsTheNode() {
        SchedulingWorld world = provisioned(SchedulingOptions.DEFAULT.withSelectedNodeTtl(Optional.empty()));
        world.advance(Duration.ofMinutes(10)).settle();
        assertThat(world.toldOf("p")).last().isEqualTo(BINDING + "timed out waiting for the claims to be bound");
        assertThat(selected(world)).contains("n1");
    }

    @Test
    void aVolumeThatWasMadeKeepsTheNode() {
        SchedulingWorld world = provisioned(SchedulingOptions.DEFAULT);
        world.create(SchedulingObjects.claimedBy(
                        ofClass(volume("made", "1Mi"), "gold"), world.claim("c"))) // too small, so never bound
                .settle();
        world.advance(Duration.ofMinutes(10)).settle();
        assertThat(world.toldOf("p")).last().isEqualTo(BINDING + "timed out waiting for the claims to be bound");
        assertThat(selected(world)).contains("n1");
    }

    @Test
    void aClaimRefThatIsTakenAwayFailsTheBind() {
        SchedulingWorld world =
                world().create(node("n1"), local(), claim("c", "1Gi"), on(volume("v", "1Gi"), "n1"), pod("p", "c"));
        while (world.volume("v").spec().claimRef().isEmpty()) {
            assertThat(world.step()).isTrue();
        }
        world.editVolume("v", v -> v.withSpec(v.spec().withClaimRef(Optional.empty())));
        world.settle();
        world.advance(Duration.ofMinutes(1));
        assertThat(world.nodeOf("p")).isEqualTo("n1");
        assertThat(world.claim("c").spec().volumeName()).isEqualTo("v");
    }

    @Test
    void theNodeGoesWhileThePodWaits() {
        SchedulingWorld world = provisioned(SchedulingOptions.DEFAULT);
        world.store
                .delete(Kinds.NODE, ObjectKey.cluster("n1"), DeleteOptions.DEFAULT)
                .orThrow();
        world.settle();
        assertThat(world.toldOf("p")).contains(BINDING + "node \"n1\" not found");
        world.advance(Duration.ofSeconds(10));
        assertThat(selected(world)).contains("n2"); // the binder gave n1 up (D10)
    }

    @Test
    void aPodThatGoesLeavesItsVolumeToTheNext() {
        SchedulingWorld world = world().create(
                        node("n1"), local(), claim("c", "1Gi"), claim("d", "1Gi"), pod("p", "c"), pod("q", "d"))
                .settle();
        assertThat(world.toldOf("q"))
                .containsExactly("FailedScheduling: 0/1 nodes are available: 1 node(s) didn't find available persistent"
                        + " volumes to bind.");
        world.deletePod("p").settle();
        world.create(on(volume("v", "1Gi"), "n1")).settle();
        assertThat(world.nodeOf("q")).isEqualTo("n1");
    }

    @Test
    void newsAreToldOnceAndWaitingCostsNothing() {
        SchedulingWorld world = world().create(node("n1"), local(), claim("c", "1Gi"), pod("p", "c"))
                .settle();
        assertThat(world.toldOf("p")).hasSize(1);
        assertThat(world.hasTimer()).isFalse();
        for (int i = 0; i < 5; i++) {
            world.store
                    .updateStatus(
                            Kinds.NODE,
                            new Change<>(
                                    world.store
                                            .get(Kinds.NODE, ObjectKey.cluster("n1"))
                                            .orThrow(),
                                    heartbeat(world, i)))
                    .orThrow();
            world.create(on(ofClass(volume("other" + i, "1Gi"), "other"), "n1")).settle();
        }
        assertThat(world.toldOf("p")).hasSize(1);
    }

    private static dev.mooring.storage.model.Node heartbeat(SchedulingWorld world, int beat) {
        dev.mooring.storage.model.Node node =
                world.store.get(Kinds.NODE, ObjectKey.cluster("n1")).orThrow();
        return node.withStatus(node.status().withVolumesInUse(List.of("beat" + beat)));
    }

    @Test
    void podsThatShareAClaimGoWhereItsVolumeIs() {
        SchedulingWorld world =
                world().create(node("n1"), node("n2"), local(), claim("c", "1Gi"), on(volume("v", "1Gi"), "n2"));
        world.create(pod("p", "c"), pod("q", "c"), pod("r", "c")).settle();
        assertThat(List.of(world.nodeOf("p"), world.nodeOf("q"), world.nodeOf("r")))
                .containsOnly("n2");
    }
}
