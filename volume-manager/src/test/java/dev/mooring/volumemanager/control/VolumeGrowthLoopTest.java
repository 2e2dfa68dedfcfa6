// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.volumemanager.calls.ExpandOnNodeCall;
import dev.mooring.volumemanager.calls.StageCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A claim grows while a pod of this node has its volume. */
class VolumeGrowthLoopTest {
    private static final ObjectKey CLAIM = ObjectKey.of("ns", "data");
    private static final Quantity ONE = Quantity.parse("1Gi");
    private static final Quantity TWO = Quantity.parse("2Gi");

    private NodeWorld world = new NodeWorld(new FakePlugin.Growing());

    private void running(AccessMode mode) {
        world.store.put(Kinds.NODE, SmallCluster.node());
        world.store.put(Kinds.PERSISTENT_VOLUME, volume(ONE, mode));
        PersistentVolumeClaim claim = SmallCluster.claim("data", "pv1");
        world.store.put(
                Kinds.PERSISTENT_VOLUME_CLAIM, claim.withStatus(claim.status().withCapacity(Map.of("storage", ONE))));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        world.attach("/data/pv1");
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
    }

    private static PersistentVolume volume(Quantity size, AccessMode mode) {
        PersistentVolume volume = SmallCluster.volume("pv1", "data");
        return volume.withSpec(
                volume.spec().withCapacity(Map.of("storage", size)).withAccessModes(List.of(mode)));
    }

    private PersistentVolumeClaim claim() {
        return world.store.get(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM).orElseThrow();
    }

    /** What the controllers write when the back-end has grown. */
    private void pending(AccessMode mode) {
        world.store.put(Kinds.PERSISTENT_VOLUME, volume(TWO, mode));
        world.store.put(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                claim().withSpec(claim().spec()
                                .withResources(claim().spec().resources().withRequests(Map.of("storage", TWO))))
                        .withStatus(claim().status()
                                .withAllocatedResources(Map.of("storage", TWO))
                                .withAllocatedResourceStatuses(Map.of("storage", GrowthMarks.PENDING))));
    }

    @Test
    void growsAndOnlyThenRaisesTheClaimsCapacity() {
        running(AccessMode.READ_WRITE_ONCE);
        world.faults = call -> {
            if (call instanceof ExpandOnNodeCall expand) {
                assertThat(GrowthMarks.status(claim())).isEqualTo(GrowthMarks.IN_PROGRESS);
                assertThat(GrowthMarks.capacity(claim())).isEqualTo(ONE);
                assertThat(expand.wanted()).isEqualTo(TWO);
                assertThat(expand.path().toString()).endsWith("globalmount");
            }
            return Optional.empty();
        };
        pending(AccessMode.READ_WRITE_ONCE);
        world.run();

        assertThat(world.calls).endsWith("expand-on-node pv1").hasSize(3);
        assertThat(GrowthMarks.capacity(claim())).isEqualTo(TWO);
        assertThat(GrowthMarks.status(claim())).isEmpty();
        assertThat(world.eventReasons())
                .filteredOn(event -> event.startsWith("FileSystemResizeSuccessful"))
                .hasSize(2);
        int before = world.effects;
        world.run();
        assertThat(world.effects).isEqualTo(before);
    }

    /** CSI: {@code volume_path} is where the volume is available. */
    @Test
    void whatIsNotPreparedGrowsWhereAPodSeesIt() {
        world = new NodeWorld(new FakePlugin.GrowingWherePublished());
        running(AccessMode.READ_WRITE_ONCE);
        List<String> paths = new ArrayList<>();
        world.faults = call -> {
            if (call instanceof ExpandOnNodeCall expand) {
                paths.add(expand.path().toString());
            }
            return Optional.empty();
        };
        pending(AccessMode.READ_WRITE_ONCE);
        world.run();
        assertThat(paths).singleElement().asString().contains("/pods/").endsWith("/pv1");
        assertThat(GrowthMarks.capacity(claim())).isEqualTo(TWO);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashAtEveryEffectConverges(boolean after) {
        for (int crash = 0; crash < 6; crash++) {
            VolumeGrowthLoopTest story = new VolumeGrowthLoopTest();
            story.running(AccessMode.READ_WRITE_ONCE);
            story.world.dieAt = story.world.effects + crash;
            story.world.dieAfter = after;
            story.pending(AccessMode.READ_WRITE_ONCE);
            story.world.run();
            assertThat(GrowthMarks.capacity(story.claim()))
                    .as("crash at %d", crash)
                    .isEqualTo(TWO);
            assertThat(GrowthMarks.status(story.claim()))
                    .as("crash at %d", crash)
                    .isEmpty();
            assertThat(story.world.violations).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INVALID", "NOT_FOUND", "UNSUPPORTED"})
    void anUncertainAnswerIsRepeatedAndARefusalIsShown(Refusal refusal) {
        running(AccessMode.READ_WRITE_ONCE);
        AtomicInteger tries = new AtomicInteger();
        world.faults = call -> call instanceof ExpandOnNodeCall
                ? Optional.of(
                        tries.incrementAndGet() < 3
                                ? Outcome.uncertain("no answer")
                                : Outcome.refused(refusal, "cannot grow"))
                : Optional.empty();
        pending(AccessMode.READ_WRITE_ONCE);
        world.run();

        assertThat(tries).hasValue(3);
        assertThat(GrowthMarks.status(claim())).isEqualTo(GrowthMarks.INFEASIBLE);
        assertThat(GrowthMarks.capacity(claim())).isEqualTo(ONE);
        assertThat(claim().status().conditions())
                .anySatisfy(condition -> assertThat(condition.message()).isEqualTo("cannot grow"));
        assertThat(world.eventReasons()).contains("VolumeResizeFailed: cannot grow");
    }

    /** Smaller than before, as before, and no size at all: the claim says so, and nothing is taken from the pod. */
    @ParameterizedTest
    @MethodSource("answersThatAreNoGrowth")
    void anAnswerThatIsNoGrowthIsToldAndShown(Object answer) {
        running(AccessMode.READ_WRITE_ONCE);
        world.faults = call -> call instanceof ExpandOnNodeCall ? Optional.of(Outcome.done(answer)) : Optional.empty();
        pending(AccessMode.READ_WRITE_ONCE);
        world.run();

        String why = "the plugin answered with a smaller size than was asked for";
        assertThat(world.eventReasons()).contains("VolumeResizeFailed: " + why);
        assertThat(GrowthMarks.status(claim())).isEqualTo(GrowthMarks.INFEASIBLE);
        assertThat(GrowthMarks.capacity(claim())).isEqualTo(ONE);
        assertThat(world.store
                        .get(Kinds.POD, ObjectKey.of("ns", "web"))
                        .orElseThrow()
                        .status()
                        .phase())
                .isEqualTo(PodPhase.RUNNING);
        assertThat(world.calls).doesNotContain("unpublish pv1", "unstage pv1");
    }

    static List<Object> answersThatAreNoGrowth() {
        return List.of(Quantity.parse("512Mi"), ONE, Quantity.ZERO, "two of them");
    }

    @Test
    void whatCannotBeDoneInUseIsNotTriedAgainUntilTheNextStage() {
        running(AccessMode.READ_WRITE_ONCE);
        AtomicInteger tries = new AtomicInteger();
        world.faults = call -> call instanceof ExpandOnNodeCall && tries.getAndIncrement() == 0
                ? Optional.of(Outcome.refused(Refusal.IN_USE, "only offline"))
                : Optional.empty();
        pending(AccessMode.READ_WRITE_ONCE);
        world.run();
        world.run();
        assertThat(tries).hasValue(1);

        ObjectKey pod = ObjectKey.of("ns", "web");
        world.store.put(
                Kinds.POD,
                world.store
                        .get(Kinds.POD, pod)
                        .map(found ->
                                found.withMetadata(found.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH))))
                        .orElseThrow());
        world.run();
        world.store.put(Kinds.POD, SmallCluster.pod("next", SmallCluster.claimed("v", "data")));
        world.run();
        assertThat(tries).hasValue(2);
        assertThat(GrowthMarks.capacity(claim())).isEqualTo(TWO);
    }

    @Test
    void everyNodeGrowsItsOwnFileSystemOfASharedVolume() {
        running(AccessMode.READ_WRITE_MANY);
        world.store.put(Kinds.PERSISTENT_VOLUME, volume(TWO, AccessMode.READ_WRITE_MANY));
        world.store.put(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                claim().withStatus(claim().status().withCapacity(Map.of("storage", TWO))));
        world.run();
        assertThat(world.calls).endsWith("expand-on-node pv1").hasSize(3);
    }

    /** What the node made of the former volume says nothing of the storage that the new one stands for. */
    @Test
    void aVolumeThatIsMadeAgainUnderItsNameIsMadeLargerAnew() {
        running(AccessMode.READ_WRITE_ONCE);
        pending(AccessMode.READ_WRITE_ONCE);
        world.run();
        assertThat(world.calls).endsWith("expand-on-node pv1").hasSize(3);

        world.store.put(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                claim().withStatus(claim().status().withCapacity(Map.of("storage", ONE))));
        pending(AccessMode.READ_WRITE_ONCE);
        PersistentVolume again = volume(TWO, AccessMode.READ_WRITE_ONCE);
        world.store.put(
                Kinds.PERSISTENT_VOLUME, again.withMetadata(again.metadata().withUid("pv1-again")));
        world.run();

        assertThat(world.calls)
                .endsWith("expand-on-node pv1", "expand-on-node pv1")
                .hasSize(4);
        assertThat(GrowthMarks.capacity(claim())).isEqualTo(TWO);
    }

    /** As Kubernetes reads it: that the annotation is there says so, whatever its value. */
    @Test
    void noNodeGrowsWhatIsSaidToNeedNoGrowth() {
        running(AccessMode.READ_WRITE_MANY);
        world.store.put(Kinds.PERSISTENT_VOLUME, volume(TWO, AccessMode.READ_WRITE_MANY));
        PersistentVolumeClaim grown = claim().withStatus(claim().status().withCapacity(Map.of("storage", TWO)));
        world.store.put(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                grown.withMetadata(grown.metadata().withAnnotation(Annotations.NODE_EXPANSION_NOT_REQUIRED, "yes")));
        world.run();
        assertThat(world.calls).doesNotContain("expand-on-node pv1");
    }

    @Test
    void neverWhileTheVolumeIsBeingStaged() {
        running(AccessMode.READ_WRITE_ONCE);
        boolean[] staging = {false};
        world.faults = call -> {
            if (call instanceof StageCall) {
                staging[0] = true;
                return Optional.of(Outcome.uncertain("no answer"));
            }
            assertThat(call instanceof ExpandOnNodeCall && staging[0]).isFalse();
            return Optional.empty();
        };
        world.reboot();
        pending(AccessMode.READ_WRITE_ONCE);
        world.run(60);
        assertThat(staging[0]).isTrue();
        assertThat(GrowthMarks.capacity(claim())).isEqualTo(ONE);
    }

    private Optional<PodPhase> phase() {
        return world.store
                .get(Kinds.POD, ObjectKey.of("ns", "late"))
                .map(pod -> pod.status().phase());
    }

    /** A pod that begins in the middle of an expansion would find the file system as small as it was (§3.5). */
    @ParameterizedTest(name = "in the end the call is {0}")
    @ValueSource(strings = {"done", "impossible in use", "refused"})
    void aPodDoesNotBeginBeforeItsVolumeIsLargeEnough(String end) {
        running(AccessMode.READ_WRITE_ONCE);
        boolean[] late = {true};
        world.faults = call -> {
            if (!(call instanceof ExpandOnNodeCall) || (!late[0] && end.equals("done"))) {
                return Optional.empty();
            }
            return Optional.of(
                    late[0]
                            ? Outcome.uncertain("no answer")
                            : Outcome.refused(
                                    end.equals("refused") ? Refusal.UNSUPPORTED : Refusal.IN_USE, "cannot grow"));
        };
        pending(AccessMode.READ_WRITE_ONCE);
        world.store.put(Kinds.POD, SmallCluster.pod("late", SmallCluster.claimed("v", "data")));
        world.run();
        assertThat(world.mounts).hasSize(2);
        assertThat(phase()).contains(PodPhase.PENDING);

        late[0] = false;
        world.run();
        assertThat(phase()).contains(PodPhase.RUNNING);
    }
}
