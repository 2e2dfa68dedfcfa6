// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods come and go; what is mounted follows, whatever fails on the way. */
class PodVolumesLoopTest {
    private static final ObjectKey POD = ObjectKey.of("ns", "web");
    private static final Path TARGET = SmallCluster.ROOT.resolve("pods/web-uid/volumes/example.com~fake/pv1");

    private final NodeWorld world = NodeWorld.withNode();

    private void boundClaimAndPod() {
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
    }

    private void deletePod() {
        Pod pod = world.store.get(Kinds.POD, POD).orElseThrow();
        world.store.put(Kinds.POD, pod.withMetadata(pod.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH))));
    }

    private PodPhase phase() {
        return world.store.get(Kinds.POD, POD).orElseThrow().status().phase();
    }

    @Test
    void publishesABoundClaimAndRunsThePod() {
        boundClaimAndPod();

        world.run();

        assertThat(world.calls).containsExactly("publish pv1");
        assertThat(world.mounts).containsOnlyKeys(TARGET);
        assertThat(phase()).isEqualTo(PodPhase.RUNNING);
        assertThat(world.eventReasons()).isEmpty();
        assertThat(world.standing())
                .singleElement()
                .satisfies(entry -> assertThat(entry.phase()).isEqualTo(RecordPhase.DONE));
    }

    @Test
    void takesTheVolumeAwayBeforeTheDeletedPodsObjectGoes() {
        boundClaimAndPod();
        world.run();
        world.faults = call ->
                call instanceof UnpublishCall && world.store.get(Kinds.POD, POD).isEmpty()
                        ? Optional.of(Outcome.refused(Refusal.CORRUPT, "the pod went first"))
                        : Optional.empty();
        deletePod();

        world.run();

        assertThat(world.calls).containsExactly("publish pv1", "unpublish pv1");
        assertThat(world.mounts).isEmpty();
        assertThat(world.standing()).isEmpty();
        assertThat(world.store.get(Kinds.POD, POD)).isEmpty();
    }

    private void deleteClaim() {
        PersistentVolumeClaim claim = SmallCluster.claim("data", "pv1");
        world.store.put(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                claim.withMetadata(claim.metadata()
                        .withFinalizer(Finalizers.PVC_PROTECTION)
                        .withDeletionTimestamp(Optional.of(Instant.EPOCH))));
    }

    /** Its protection may have asked for the pods that use it before there was this one (found by random worlds). */
    @Test
    void aPodDoesNotBeginToUseAClaimThatIsBeingDeleted() {
        boundClaimAndPod();
        deleteClaim();

        world.run();

        assertThat(world.calls).isEmpty();
        assertThat(world.standing()).isEmpty();
        assertThat(world.events)
                .extracting(Announcement::message)
                .containsExactly("persistentvolumeclaim \"data\" is being deleted");
    }

    @Test
    void aPodThatHasBegunToUseAClaimGoesOnWhenItIsBeingDeleted() {
        boundClaimAndPod();
        AtomicInteger tries = new AtomicInteger();
        world.faults = call -> {
            if (call instanceof PublishCall && tries.incrementAndGet() == 1) {
                deleteClaim();
                return Optional.of(Outcome.refused(Refusal.NOT_FOUND, "not yet"));
            }
            return Optional.empty();
        };

        world.run();

        assertThat(tries).hasValue(2);
        assertThat(world.mounts).containsOnlyKeys(TARGET);
    }

    /** As after its machine was booted, when no record of it stands; kubelets look at the finalizer alone (PR 130335). */
    @Test
    void aPodThatRanBeforeItsClaimWasDeletedGetsIt() {
        boundClaimAndPod();
        Pod pod = world.store.get(Kinds.POD, POD).orElseThrow();
        world.store.put(Kinds.POD, pod.withStatus(pod.status().withPhase(PodPhase.RUNNING)));
        deleteClaim();

        world.run();

        assertThat(world.mounts).containsOnlyKeys(TARGET);
    }

    @Test
    void l01_aVolumeOfAnotherNodeIsNotPublished() {
        boundClaimAndPod();
        PersistentVolume volume = SmallCluster.volume("pv1", "data");
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                volume.withSpec(volume.spec()
                        .withNodeAffinity(
                                Optional.of(VolumeNodeAffinity.onlyWhere("kubernetes.io/hostname", "another")))));

        world.run();

        assertThat(world.calls).isEmpty();
        assertThat(world.eventReasons())
                .anySatisfy(event ->
                        assertThat(event).contains("does not allow node").contains("n1"));
    }

    @Test
    void publishesAnInlineSource() {
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.inline("scratch", "/scratch")));

        world.run();

        assertThat(world.calls).containsExactly("publish web-uid/scratch");
        assertThat(phase()).isEqualTo(PodPhase.RUNNING);
    }

    @Test
    void aPodThatWaitsLongForItsClaimIsToldWhy() {
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        world.run();
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", ""));
        world.run();
        assertThat(world.calls).isEmpty();
        assertThat(world.eventReasons())
                .containsExactly(
                        "FailedMount: persistentvolumeclaim \"data\" not found",
                        "FailedMount: persistentvolumeclaim \"data\" is not bound");

        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        PersistentVolumeClaim claim = SmallCluster.claim("data", "pv1");
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, claim);
        world.run();

        assertThat(world.calls).containsExactly("publish pv1");
    }

    @Test
    void tellsOnceWhyAVolumeCannotBePublished() {
        boundClaimAndPod();
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "other"));

        world.run();

        assertThat(world.calls).isEmpty();
        assertThat(world.eventReasons())
                .containsExactly(
                        "FailedMount: persistentvolume \"pv1\" is not bound to persistentvolumeclaim \"data\"");
    }

    @Test
    void repeatsARefusedPublishAndTellsEachTime() {
        boundClaimAndPod();
        AtomicInteger left = new AtomicInteger(2);
        world.faults = call -> call instanceof PublishCall && left.getAndDecrement() > 0
                ? Optional.of(Outcome.refused(Refusal.NOT_FOUND, "no such directory"))
                : Optional.empty();

        world.run();

        assertThat(world.calls).containsExactly("publish pv1", "publish pv1", "publish pv1");
        assertThat(world.eventReasons())
                .containsExactly("FailedMount: no such directory", "FailedMount: no such directory");
        assertThat(phase()).isEqualTo(PodPhase.RUNNING);
    }

    @Test
    void aDeletedPodIsToldWhyItsVolumeIsNotTakenAway() {
        boundClaimAndPod();
        world.run();
        AtomicInteger left = new AtomicInteger(2);
        world.faults = call -> call instanceof UnpublishCall && left.getAndDecrement() > 0
                ? Optional.of(Outcome.refused(Refusal.IN_USE, "a foreign mount lies on it"))
                : Optional.empty();
        deletePod();

        world.run();

        assertThat(world.eventReasons())
                .containsExactly(
                        "FailedUnMount: waits for unpublish: a foreign mount lies on it",
                        "FailedUnMount: waits for unpublish: a foreign mount lies on it");
        assertThat(world.events)
                .allMatch(event ->
                        event.kind().equals(Kinds.POD) && event.object().equals(POD));
        assertThat(world.store.get(Kinds.POD, POD)).isEmpty();
    }

    @Test
    void undoesAPublishWhoseAnswerWasLostWhenThePodGoes() {
        boundClaimAndPod();
        world.faults = call -> {
            if (call instanceof PublishCall publish) {
                world.publish(publish);
                return Optional.of(Outcome.uncertain("no answer"));
            }
            return Optional.empty();
        };
        world.run(5);
        assertThat(world.mounts).isNotEmpty();
        assertThat(phase()).isEqualTo(PodPhase.PENDING);
        deletePod();

        world.run();

        assertThat(world.violations).isEmpty();
        assertThat(world.mounts).isEmpty();
        assertThat(world.standing()).isEmpty();
        assertThat(world.store.get(Kinds.POD, POD)).isEmpty();
    }

    @Test
    void keepsAskingForAnUnpublishThatIsUncertain() {
        boundClaimAndPod();
        world.run();
        AtomicInteger left = new AtomicInteger(3);
        world.faults = call -> call instanceof UnpublishCall && left.getAndDecrement() > 0
                ? Optional.of(Outcome.uncertain("no answer"))
                : Optional.empty();
        deletePod();

        world.run();

        assertThat(world.calls).containsOnlyOnce("publish pv1").hasSize(5);
        assertThat(world.mounts).isEmpty();
    }

    @Test
    void aForcedDeletionIsConfirmedLiveBeforeAnythingIsTakenAway() {
        boundClaimAndPod();
        world.run();
        world.storeFaults = effect -> effect.operation().equals(AgentOperations.CONFIRM_POD)
                ? Optional.of(StoreResult.failed(Failure.UNAVAILABLE, "no answer"))
                : Optional.empty();
        world.store.remove(Kinds.POD, POD);
        world.run();
        assertThat(world.calls).containsExactly("publish pv1");

        world.storeFaults = effect -> Optional.empty();
        world.run();

        assertThat(world.calls).containsExactly("publish pv1", "unpublish pv1");
        assertThat(world.mounts).isEmpty();
    }

    @Test
    void aPodOfTheSameNameIsAnotherPod() {
        boundClaimAndPod();
        world.run();
        Pod next = SmallCluster.pod("web", SmallCluster.claimed("v", "data"));
        world.store.put(Kinds.POD, next.withMetadata(next.metadata().withUid("second-uid")));

        world.run();

        assertThat(world.mounts)
                .containsOnlyKeys(SmallCluster.ROOT.resolve("pods/second-uid/volumes/example.com~fake/pv1"));
        assertThat(phase()).isEqualTo(PodPhase.RUNNING);
    }

    @Test
    void keepsWhatALivePodUsesWhenTheVolumeNoLongerResolves() {
        boundClaimAndPod();
        world.run();
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
        world.store.remove(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("ns", "data"));
        world.run();
        world.restart();

        world.run();

        assertThat(world.calls).containsExactly("publish pv1");
        assertThat(world.mounts).containsOnlyKeys(TARGET);
    }

    @Test
    void twoNamesOfOneClaimAreOneVolume() {
        boundClaimAndPod();
        world.store.put(
                Kinds.POD,
                SmallCluster.pod("web", SmallCluster.claimed("v", "data"), SmallCluster.claimed("w", "data")));

        world.run();

        assertThat(world.calls).containsExactly("publish pv1");
        assertThat(phase()).isEqualTo(PodPhase.RUNNING);
    }

    @Test
    void afterARebootTheOldIsUndoneOnceAndTheVolumePublishedAgain() {
        boundClaimAndPod();
        world.run();
        world.reboot();

        world.run();

        assertThat(world.calls).containsExactly("publish pv1", "unpublish pv1", "publish pv1");
        assertThat(world.mounts).containsOnlyKeys(TARGET);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void aRecordIsUndoneThoughNoObjectMentionsItAnyMore() {
        boundClaimAndPod();
        world.run();
        world.store.remove(Kinds.POD, POD);
        world.store.remove(Kinds.NODE, ObjectKey.cluster("n1"));
        world.restart();

        world.run();

        assertThat(world.mounts).isEmpty();
        assertThat(world.standing()).isEmpty();
    }

    @Test
    void nothingIsPublishedBeforeTheIntentIsDurable() {
        boundClaimAndPod();
        world.faults = call -> call instanceof RecordCall
                ? Optional.of(Outcome.refused(Refusal.EXHAUSTED, "no space left"))
                : Optional.empty();

        world.run();

        assertThat(world.calls).isEmpty();
        assertThat(world.eventReasons()).isNotEmpty().allMatch("FailedMount: no space left"::equals);
    }

    @Test
    void anIdleNodeDoesNothing() {
        boundClaimAndPod();
        world.run();
        int before = world.effects;

        world.run(100_000);

        assertThat(world.effects).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashAtEveryEffectConverges(boolean after) {
        int effects = storyWithCrash(-1, after).effects;
        assertThat(effects).isGreaterThan(10);
        for (int crash = 0; crash < effects; crash++) {
            NodeWorld crashed = storyWithCrash(crash, after);
            assertThat(crashed.violations).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.mounts).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.standing()).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.store.get(Kinds.POD, POD))
                    .as("crash at effect %d", crash)
                    .isEmpty();
        }
    }

    /** A pod comes, runs, and is deleted. */
    private static NodeWorld storyWithCrash(int dieAt, boolean after) {
        PodVolumesLoopTest story = new PodVolumesLoopTest();
        story.world.dieAt = dieAt;
        story.world.dieAfter = after;
        story.boundClaimAndPod();
        story.world.run();
        assertThat(story.phase()).as("crash at effect %d", dieAt).isEqualTo(PodPhase.RUNNING);
        assertThat(story.world.mounts).as("crash at effect %d", dieAt).containsOnlyKeys(TARGET);
        story.deletePod();
        story.world.run();
        return story.world;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPodThatGoesWhileItIsBeingPublishedLeavesNothing(boolean after) {
        for (int crash = 0; crash < 12; crash++) {
            PodVolumesLoopTest story = new PodVolumesLoopTest();
            int last = crash;
            story.world.dieAt = crash;
            story.world.dieAfter = after;
            story.boundClaimAndPod();
            story.world.faults = call -> {
                if (story.world.effects > last) {
                    story.world.store.remove(Kinds.POD, POD);
                }
                return Optional.empty();
            };
            story.world.run();
            story.world.store.remove(Kinds.POD, POD);
            story.world.run();
            assertThat(story.world.mounts).as("crash at effect %d", crash).isEmpty();
            assertThat(story.world.standing()).as("crash at effect %d", crash).isEmpty();
            assertThat(story.world.violations).as("crash at effect %d", crash).isEmpty();
        }
    }
}
