// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.volumemanager.calls.StageCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import dev.mooring.volumemanager.calls.UnstageCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Volumes that have to be attached and prepared come and go with their pods. */
class StagedVolumesLoopTest extends StagedVolumeStory {
    @Test
    void reportsWaitsStagesPublishesAndGoesBackInTheOppositeOrder() {
        boundClaim();
        pod("web");
        world.run();
        assertThat(inUse()).containsExactly(NAME);
        assertThat(world.calls).isEmpty();
        assertThat(world.node().metadata().annotation("volumes.kubernetes.io/controller-managed-attach-detach"))
                .contains("true");

        world.attach(BACKEND);
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
        assertThat(world.attachedSeen.values()).containsExactly(Map.of("devicePath", "/dev/of" + BACKEND));
        assertThat(phase("web")).contains(PodPhase.RUNNING);

        deletePod("web");
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "unpublish pv1", "unstage pv1");
        assertThat(world.violations).isEmpty();
        assertThat(world.standing()).isEmpty();
        assertThat(inUse()).isEmpty();
    }

    /** semantics/attach-and-mount §3.7. */
    @Test
    void ofADeviceThatCannotBePreparedItsPodIsToldAsOfOneThatCannotBeMapped() {
        NodeWorld devices = new NodeWorld(new FakePlugin.Devices());
        PersistentVolume volume = SmallCluster.volume("pv1", "data");
        devices.store.put(Kinds.NODE, SmallCluster.node());
        devices.store.put(
                Kinds.PERSISTENT_VOLUME, volume.withSpec(volume.spec().withVolumeMode(Optional.of(VolumeMode.BLOCK))));
        devices.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        devices.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        devices.attach(BACKEND);
        devices.faults = call ->
                call instanceof StageCall ? Optional.of(Outcome.refused(Refusal.DENIED, "no")) : Optional.empty();
        devices.run(1);
        assertThat(devices.eventReasons()).contains("FailedMapVolume: no").doesNotContain("FailedMount: no");
    }

    /** A kubelet says so after two minutes and three seconds (semantics/attach-and-mount §3.1). */
    @Test
    void aPodThatWaitsLongForItsAttachmentIsToldSoOnce() {
        boundClaim();
        Pod pod = SmallCluster.pod("web", SmallCluster.claimed("v", "data"));
        world.store.put(
                Kinds.POD,
                pod.withMetadata(pod.metadata()
                        .withCreationTimestamp(Optional.of(world.time().wall()))));
        world.run(29);
        assertThat(world.eventReasons()).isEmpty();
        world.run(600);
        assertThat(world.eventReasons()).containsExactly("FailedMount: volume pv1 is not attached to node n1");
        world.attach(BACKEND);
        world.run();
        assertThat(phase("web")).contains(PodPhase.RUNNING);
    }

    @Test
    void severalPodsShareWhatIsStagedOnce() {
        boundClaim();
        world.attach(BACKEND);
        pod("a");
        pod("b");
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "publish pv1");

        deletePod("a");
        world.run();
        assertThat(world.calls).doesNotContain("unstage pv1");

        deletePod("b");
        world.run();
        assertThat(world.calls).endsWith("unpublish pv1", "unstage pv1").hasSize(6);
        assertThat(world.violations).isEmpty();
    }

    /** What could not be cleaned up is noted for the next node, on the object of that very storage (semantics/plugins §3.6). */
    @Test
    void anUnstageIsGivenTheVolumesObjectIfThatIsStillOfItsStorage() {
        assertThat(notedAtUnstage(Optional::of)).contains("pv1-uid");
        assertThat(notedAtUnstage(there -> Optional.empty())).isEmpty();
        assertThat(notedAtUnstage(there -> Optional.of(
                        there.withSpec(there.spec().withSource(Optional.of(SmallCluster.source("/data/other")))))))
                .isEmpty();
    }

    private Optional<String> notedAtUnstage(Function<PersistentVolume, Optional<PersistentVolume>> meanwhile) {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        List<UnstageCall> unstaged = new ArrayList<>();
        world.faults = call -> {
            if (call instanceof UnstageCall unstage) {
                unstaged.add(unstage);
            }
            return Optional.empty();
        };
        PersistentVolume volume = world.store
                .get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"))
                .orElseThrow();
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
        meanwhile.apply(volume).ifPresent(now -> world.store.put(Kinds.PERSISTENT_VOLUME, now));
        deletePod("web");
        world.run();
        assertThat(unstaged).hasSize(1);
        return unstaged.get(0).noted().map(VolumeSpec::uid);
    }

    @Test
    void aRefusedUnstageKeepsTheVolumeInUseAndDelaysTheNextPod() {
        boundClaim();
        world.attach(BACKEND);
        pod("a");
        world.run();
        boolean[] refuse = {true};
        world.faults = call -> refuse[0] && call instanceof UnstageCall
                ? Optional.of(Outcome.refused(Refusal.IN_USE, "device is open"))
                : Optional.empty();
        deletePod("a");
        world.run();
        pod("b");
        world.run();
        assertThat(inUse()).containsExactly(NAME);
        assertThat(world.calls.stream().filter("stage pv1"::equals)).hasSize(1);
        assertThat(phase("b")).contains(PodPhase.PENDING);
        assertThat(world.eventReasons()).contains("FailedMount: waits for unstage: device is open");

        refuse[0] = false;
        world.run();
        assertThat(world.calls).endsWith("unstage pv1", "stage pv1", "publish pv1");
        assertThat(phase("b")).contains(PodPhase.RUNNING);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void anUncertainStageIsRepeatedOrUndoneNeverAssumed() {
        boundClaim();
        world.attach(BACKEND);
        AtomicInteger left = new AtomicInteger(1000);
        world.faults = call -> {
            if (call instanceof StageCall stage && left.getAndDecrement() > 0) {
                world.stage(stage);
                return Optional.of(Outcome.uncertain("no answer"));
            }
            return Optional.empty();
        };
        pod("a");
        world.run(5);
        assertThat(world.eventReasons()).contains("FailedMount: no answer");
        deletePod("a");
        world.run();

        assertThat(world.calls).endsWith("unstage pv1").doesNotContain("publish pv1");
        assertThat(world.standing()).isEmpty();
        assertThat(inUse()).isEmpty();
        assertThat(world.violations).isEmpty();
    }

    @Test
    void anAttachmentThatDoesNotStandIsNotUsed() {
        boundClaim();
        pod("web");
        world.run();
        world.attach(BACKEND);
        world.store.put(Kinds.VOLUME_ATTACHMENT, SmallCluster.attachment(BACKEND, false));
        world.run();
        assertThat(world.calls).isEmpty();

        world.store.put(Kinds.VOLUME_ATTACHMENT, SmallCluster.attachment(BACKEND, true));
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
    }

    /** A list of what is attached may come late. */
    @Test
    void anAttachmentThatIsBeingTakenAwayIsNotUsedThoughItIsListed() {
        boundClaim();
        pod("web");
        world.run();
        VolumeAttachment attachment = SmallCluster.attachment(BACKEND, true);
        world.attach(BACKEND);
        world.store.put(Kinds.VOLUME_ATTACHMENT, marked(attachment, "mooring.dev/attachment-phase", "Detaching"));
        world.run();
        assertThat(world.calls).isEmpty();

        world.store.put(Kinds.VOLUME_ATTACHMENT, marked(attachment, "mooring.dev/attachment-phase", "Attaching"));
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
    }

    /** It may be taken back, and what is in use is not taken away (S3). */
    @Test
    void anAttachmentThatIsToBeTakenAwayIsUsedAsLongAsItIsListed() {
        boundClaim();
        world.attach(BACKEND);
        VolumeAttachment attachment = SmallCluster.attachment(BACKEND, true);
        world.store.put(
                Kinds.VOLUME_ATTACHMENT, marked(attachment, "mooring.dev/detach-requested-at", "2000-01-01T00:00:00Z"));
        pod("web");
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
    }

    private static VolumeAttachment marked(VolumeAttachment attachment, String annotation, String value) {
        return attachment.withMetadata(attachment.metadata().withAnnotation(annotation, value));
    }

    @Test
    void aNodeThatWasMadeAgainUnderItsNameIsNoProof() {
        boundClaim();
        pod("web");
        world.run();
        world.attach(BACKEND);
        world.store.put(
                Kinds.NODE, world.node().withMetadata(world.node().metadata().withUid("another")));
        world.run();
        assertThat(world.calls).isEmpty();
    }

    @Test
    void aReportOnItsWayThatLeavesTheVolumeOutHoldsTheStageUp() {
        boundClaim();
        world.attach(BACKEND);
        pod("a");
        world.run();
        deletePod("a");
        List<Effect> reports = new ArrayList<>();
        world.storeFaults = effect -> {
            if (effect.operation().equals(AgentOperations.REPORT_NODE)) {
                reports.add(effect);
                return Optional.of(StoreResult.failed(Failure.UNKNOWN, "no answer"));
            }
            return Optional.empty();
        };
        world.run(5);
        assertThat(reports).isNotEmpty();
        pod("b");
        world.run(5);
        assertThat(world.calls.stream().filter("stage pv1"::equals)).hasSize(1);

        world.storeFaults = effect -> Optional.empty();
        world.run();
        assertThat(phase("b")).contains(PodPhase.RUNNING);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void oneReadWriteOncePodVolumeHasOnePodUntilItsRecordIsGone() {
        boundClaim();
        PersistentVolume volume = SmallCluster.volume("pv1", "data");
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                volume.withSpec(volume.spec().withAccessModes(List.of(AccessMode.READ_WRITE_ONCE_POD))));
        world.attach(BACKEND);
        pod("a");
        world.run();
        pod("b");
        boolean[] stuck = {true};
        world.faults = call -> stuck[0] && call instanceof UnpublishCall
                ? Optional.of(Outcome.uncertain("no answer"))
                : Optional.empty();
        deletePod("a");
        world.run();
        assertThat(phase("b")).contains(PodPhase.PENDING);
        assertThat(world.eventReasons())
                .contains("FailedMount: volume uses the ReadWriteOncePod access mode and is already in use by another"
                        + " pod");

        stuck[0] = false;
        world.run();
        assertThat(phase("b")).contains(PodPhase.RUNNING);
        assertThat(world.mounts).hasSize(1);
    }

    /** The handshake was made for a call that could not be made then; in the meantime the volume was taken away by force. */
    @Test
    void whatWasReadBeforeABackOffIsNotBelievedAfterIt() {
        boundClaim();
        pod("web");
        world.run();
        boolean[] refuse = {true};
        world.faults = call ->
                refuse[0] && call instanceof StageCall ? Optional.of(Outcome.deferred("busy")) : Optional.empty();
        world.attach(BACKEND);
        world.run(1);
        refuse[0] = false;
        world.setAttached(List.of());
        world.store.put(Kinds.VOLUME_ATTACHMENT, SmallCluster.attachment(BACKEND, false));
        world.run();
        assertThat(world.violations).isEmpty();
        assertThat(world.staged).isEmpty();
        world.attach(BACKEND);
        world.run();
        assertThat(phase("web")).contains(PodPhase.RUNNING);
        assertThat(world.violations).isEmpty();
    }

    /** A reservation at the storage may know more than the attachment: nothing was done, so nothing has to be undone. */
    @Test
    void s15_aVolumeThatServesAnotherNodeIsToldWithItsNameAndTriedAgain() {
        boundClaim();
        world.attach(BACKEND);
        boolean[] held = {true};
        world.faults = call -> held[0] && call instanceof StageCall
                ? Optional.of(new Outcome.InUseElsewhere<>(
                        List.of(new NodeRef("other-node", "uid-2")), "the volume is reserved"))
                : Optional.empty();
        pod("web");
        world.run(30);
        assertThat(world.events)
                .filteredOn(event -> event.reason().equals("FailedMount"))
                .extracting(Announcement::message)
                .contains("the volume is reserved (in use on other-node)")
                .isSubsetOf("the volume is reserved (in use on other-node)", "volume pv1 is being prepared on node n1");
        assertThat(world.calls).doesNotContain("publish pv1");
        assertThat(phase("web")).contains(PodPhase.PENDING);

        held[0] = false;
        world.run(200);
        assertThat(phase("web")).contains(PodPhase.RUNNING);
        assertThat(world.violations).isEmpty();
    }
}
