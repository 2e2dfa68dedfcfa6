// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodStatus;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has a volume, who waits, and what both are told (semantics/attach-and-mount §1.8, §1.10, §1.14, S1, S6). */
class SlotTest {
    private static AttachDetachWorld nodes(AttachDetachWorld world, int count) {
        for (int i = 1; i <= count; i++) {
            world.load(AttachDetachObjects.node("n" + i));
        }
        return world;
    }

    private static AttachDetachWorld disk(AttachDetachWorld world, AccessMode... modes) {
        return nodes(world, 3)
                .load(AttachDetachObjects.volume("disk", "data", modes), AttachDetachObjects.claim("data", "disk"));
    }

    private static AttachDetachWorld attachedToN1() {
        return disk(new AttachDetachWorld(), AccessMode.READ_WRITE_ONCE)
                .load(AttachDetachObjects.pod("a", "n1", "data"))
                .settle();
    }

    private static Pod reader(String name, String node) {
        return AttachDetachObjects.pod(name, node, AttachDetachObjects.claimVolume("data", "data", true));
    }

    // ---- who may have it ----

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void oneOfTwoNodesThatWantItAtOnceGetsIt(long seed) {
        AttachDetachWorld world = disk(new AttachDetachWorld().shuffled(seed), AccessMode.READ_WRITE_ONCE);
        world.load(AttachDetachObjects.pod("a", "n1", "data"), AttachDetachObjects.pod("b", "n2", "data"))
                .advance(Duration.ofMinutes(10));
        assertThat(world.truth("disk")).hasSize(1);
        assertThat(world.violations).isEmpty();
        assertThat(world.attachments()).hasSize(1);
    }

    /** Nodes list a volume as in use from the moment on that a pod of theirs wants it. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nodesThatOnlyWaitAreNotInEachOthersWay(long seed) {
        AttachDetachWorld world = disk(new AttachDetachWorld().shuffled(seed), AccessMode.READ_WRITE_ONCE);
        String disk = AttachDetachObjects.reported("disk");
        world.inUse("n1", disk).inUse("n2", disk).inUse("n3", disk);
        Pod told = AttachDetachObjects.pod("p2", "n2", "data");
        PodStatus creating = told.status().withContainerStatuses(List.of(container("waiting", "ContainerCreating")));
        world.load(
                        AttachDetachObjects.pod("p1", "n1", "data"),
                        told.withStatus(creating),
                        AttachDetachObjects.pod("p3", "n3", "data"))
                .advance(Duration.ofMinutes(10));
        for (int left = 3; left > 0; left--) {
            assertThat(world.truth("disk")).hasSize(1);
            String holder = world.truth("disk").iterator().next();
            world.deletePod("p" + holder.substring(1)).inUse(holder).advance(Duration.ofMinutes(10));
        }
        assertThat(world.truth("disk")).isEmpty();
        assertThat(world.violations).isEmpty();
    }

    private static ContainerStatus container(String state, String reason) {
        Optional<Document> told = Optional.of(Document.of(Map.of("reason", reason)));
        return new ContainerStatus(
                "main",
                new ContainerStatus.State(
                        told.filter(t -> state.equals("waiting")),
                        told.filter(t -> state.equals("running")),
                        told.filter(t -> state.equals("terminated"))));
    }

    static List<PodStatus> begun() {
        PodStatus pending = PodStatus.EMPTY;
        return List.of(
                pending.withPhase(PodPhase.RUNNING),
                pending.withPhase(PodPhase.UNKNOWN),
                pending.withInitContainerStatuses(List.of(container("running", ""))),
                pending.withInitContainerStatuses(List.of(container("waiting", "CrashLoopBackOff"))),
                pending.withInitContainerStatuses(List.of(container("terminated", "Completed")))
                        .withContainerStatuses(List.of(container("waiting", "PodInitializing"))),
                pending.withContainerStatuses(List.of(container("waiting", "ImagePullBackOff"))));
    }

    @ParameterizedTest
    @MethodSource("begun")
    void aNodeThatHasBegunWithAPodIsInTheWayAlsoWithoutAnAttachment(PodStatus status) {
        AttachDetachWorld world = disk(new AttachDetachWorld(), AccessMode.READ_WRITE_ONCE);
        Pod begun = AttachDetachObjects.pod("b", "n1", "data").withStatus(status);
        world.dangle("disk", "n1").load(AttachDetachObjects.pod("a", "n2", "data"), begun);
        world.inUse("n1", AttachDetachObjects.reported("disk")).restart();
        world.advance(Duration.ofMinutes(10));
        assertThat(world.truth("disk")).containsExactly("n1");
        assertThat(world.violations).isEmpty();
    }

    @Test
    void aSharedVolumeIsAttachedWhereverItIsWanted() {
        AttachDetachWorld world = nodes(new AttachDetachWorld(), 3)
                .load(
                        AttachDetachObjects.volume("shared", "data", AccessMode.READ_WRITE_MANY),
                        AttachDetachObjects.claim("data", "shared"),
                        AttachDetachObjects.pod("a", "n1", "data"),
                        AttachDetachObjects.pod("b", "n2", "data"))
                .settle();
        assertThat(world.truth("shared")).containsExactly("n1", "n2");
        world.deletePod("a").settle();
        assertThat(world.truth("shared")).containsExactly("n2");
        assertThat(world.violations).isEmpty();
    }

    /** H9: a node whose call does not end holds up no call of another node. */
    @Test
    void nodesOfASharedVolumeDoNotWaitForEachOther() {
        AttachDetachWorld world = nodes(new AttachDetachWorld(), 2);
        world.backend = call -> call.node().equals("n1") ? Outcome.uncertain("no answer") : Outcome.done();
        world.load(
                        AttachDetachObjects.volume("shared", "data", AccessMode.READ_WRITE_MANY),
                        AttachDetachObjects.claim("data", "shared"),
                        AttachDetachObjects.pod("a", "n1", "data"),
                        AttachDetachObjects.pod("b", "n2", "data"))
                .settle();
        assertThat(world.truth("shared")).containsExactly("n2");
    }

    /** Storage that refuses no node, such as iSCSI (semantics/plugins §3.4). */
    @Test
    void storageThatRefusesNoNodeIsSharedOnlyByReaders() {
        AttachDetachWorld world =
                new AttachDetachWorld(AttachDetachOptions.DEFAULT, new AttachedDiskPlugin(true, false));
        nodes(world, 3)
                .load(
                        AttachDetachObjects.volume(
                                "shared", "data", AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_MANY),
                        AttachDetachObjects.claim("data", "shared"),
                        reader("a", "n1"),
                        reader("b", "n2"),
                        AttachDetachObjects.pod("w", "n3", "data"))
                .settle();
        assertThat(world.truth("shared")).containsExactly("n1", "n2");
        assertThat(world.told("w", AttachEvents.FAILED)).hasSize(1);
        world.deletePod("a").deletePod("b").settle();
        assertThat(world.truth("shared")).containsExactly("n3");
        world.load(reader("c", "n1")).settle();
        assertThat(world.truth("shared")).containsExactly("n3");
    }

    @Test
    void aReaderMayNotBeginToWriteBesideOthers() {
        AttachDetachWorld world =
                new AttachDetachWorld(AttachDetachOptions.DEFAULT, new AttachedDiskPlugin(true, false));
        nodes(world, 2)
                .load(
                        AttachDetachObjects.volume("shared", "data", AccessMode.READ_ONLY_MANY),
                        AttachDetachObjects.claim("data", "shared"),
                        reader("a", "n1"),
                        reader("b", "n2"))
                .settle();
        world.load(AttachDetachObjects.pod("w", "n1", "data")).settle();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
        assertThat(world.told("w", AttachEvents.FAILED)).hasSize(1);
        world.deletePod("b").settle();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1")))
                .containsExactly(AttachDetachObjects.reported("shared"));
        assertThat(AttachmentAnnotations.of(world.attachment("shared", "n1").orElseThrow())
                        .orElseThrow()
                        .use()
                        .readOnly())
                .isFalse();
    }

    /** Two leaders of the past have each begun: the later one is undone before the earlier goes on. */
    @Test
    void ofTwoAttachmentsThatWereBegunTheLaterIsUndone() {
        AttachDetachWorld world = attachedToN1();
        VolumeAttachment first = world.attachment("disk", "n1").orElseThrow();
        AttachDetachWorld other = disk(new AttachDetachWorld(), AccessMode.READ_WRITE_ONCE);
        VolumeAttachment unattached =
                AttachmentObjects.unattached(first.withMetadata(first.metadata().withResourceVersion("")));
        VolumeAttachment second = unattached
                .withMetadata(unattached
                        .metadata()
                        .withName(AttachDetachWorld.nameOf("disk", "n2").name())
                        .withUid("another")
                        .withAnnotation(
                                AttachmentAnnotations.NODE_UID,
                                other.node("n2").metadata().uid())
                        .withCreationTimestamp(
                                first.metadata().creationTimestamp().map(time -> time.plusSeconds(1))))
                .withSpec(first.spec().withNodeName("n2"));
        VolumeAttachment ofThisN1 = unattached.withMetadata(unattached
                .metadata()
                .withAnnotation(
                        AttachmentAnnotations.NODE_UID,
                        other.node("n1").metadata().uid()));
        other.load(
                        ofThisN1,
                        second,
                        AttachDetachObjects.pod("a", "n1", "data"),
                        AttachDetachObjects.pod("b", "n2", "data"))
                .advance(Duration.ofMinutes(5));
        assertThat(other.calls).containsExactly("detach disk n2", "attach disk n1");
        assertThat(other.truth("disk")).containsExactly("n1");
    }

    // ---- the handshake ----

    @Test
    void wantedAgainBeforeItIsTakenAwayItStays() {
        AttachDetachWorld world =
                attachedToN1().inUse("n1", AttachDetachObjects.reported("disk")).settle();
        world.deletePod("a").settle();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
        world.load(AttachDetachObjects.pod("b", "n1", "data")).settle();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1")))
                .containsExactly(AttachDetachObjects.reported("disk"));
        assertThat(world.calls).containsExactly("attach disk n1");
    }

    /** The node begins to use the volume between our write and our read: the read shows it (S3). */
    @Test
    void aNodeThatIsFasterThanTheReadKeepsTheVolume() {
        AttachDetachWorld world = attachedToN1();
        boolean[] once = new boolean[1];
        world.beforeEffect = effect -> {
            if (effect.operation().equals(AttachmentOperations.PROVE_UNUSED) && !once[0]) {
                once[0] = true;
                world.inUse("n1", AttachDetachObjects.reported("disk"));
            }
        };
        world.deletePod("a").advance(Duration.ofHours(1));
        assertThat(once[0]).isTrue();
        assertThat(world.truth("disk")).containsExactly("n1");
        world.inUse("n1").settle();
        assertThat(world.truth("disk")).isEmpty();
        assertThat(world.violations).isEmpty();
    }

    /** The finalizer keeps the object as long as pods want the volume there: otherwise later ones would wait for it, and it for them. */
    @Test
    void oneThatAPersonDeletesGoesWhenNoPodWantsItByTheHandshake() {
        AttachDetachWorld world =
                attachedToN1().inUse("n1", AttachDetachObjects.reported("disk")).settle();
        world.store
                .delete(Kinds.VOLUME_ATTACHMENT, AttachDetachWorld.nameOf("disk", "n1"), DeleteOptions.DEFAULT)
                .orThrow();
        world.advance(Duration.ofHours(1));
        assertThat(AttachDetachWorld.attachedTo(world.node("n1")))
                .containsExactly(AttachDetachObjects.reported("disk"));
        world.deletePod("a").advance(Duration.ofHours(1));
        assertThat(world.truth("disk")).containsExactly("n1");
        world.inUse("n1").settle();
        assertThat(world.calls).containsExactly("attach disk n1", "detach disk n1");
        assertThat(world.attachment("disk", "n1")).isEmpty();
        world.load(AttachDetachObjects.pod("b", "n1", "data")).settle();
        assertThat(world.truth("disk")).containsExactly("n1");
        assertThat(world.violations).isEmpty();
    }

    /** #37586: a list that another program empties is written again; a volume that is not attached is not listed (S6). */
    @Test
    void theListIsPutRight() {
        AttachDetachWorld world = attachedToN1();
        world.editStatus(
                        Kinds.NODE,
                        ObjectKey.cluster("n1"),
                        (Node n) -> n.withStatus(
                                n.status().withVolumesAttached(List.of(new AttachedVolume("foreign", "/dev/x")))))
                .settle();
        assertThat(world.node("n1").status().volumesAttached())
                .containsExactly(new AttachedVolume(AttachDetachObjects.reported("disk"), "/dev/n1"));
    }

    @Test
    void aRestartWritesNothing() {
        AttachDetachWorld world =
                attachedToN1().inUse("n1", AttachDetachObjects.reported("disk")).settle();
        world.writes.clear();
        world.restart();
        world.advance(Duration.ofHours(1));
        assertThat(world.writes).isEmpty();
        assertThat(world.calls).containsExactly("attach disk n1");
        assertThat(world.told("a", AttachEvents.SUCCESSFUL)).hasSize(1);
    }

    /** L5. */
    @Test
    void anIdleControllerDoesNothing() {
        AttachDetachWorld world = attachedToN1();
        world.advance(Duration.ofMinutes(10));
        long decisions = world.counters.decisions();
        world.advance(Duration.ofDays(1));
        assertThat(world.counters.decisions()).isEqualTo(decisions);
        assertThat(world.hasTimer()).isFalse();
    }

    // ---- failures ----

    @ParameterizedTest(name = "{0}: code {1}")
    @CsvSource({"EXHAUSTED,8", "DENIED,"})
    void aNodeWithoutRoomIsToldSo(Refusal refusal, Long code) {
        AttachDetachWorld world = disk(new AttachDetachWorld(), AccessMode.READ_WRITE_ONCE);
        world.backend = call -> Outcome.refused(refusal, "too many volumes");
        world.load(AttachDetachObjects.pod("a", "n1", "data")).settle();
        assertThat(world.attachment("disk", "n1")
                        .orElseThrow()
                        .status()
                        .attachError()
                        .orElseThrow()
                        .errorCode())
                .isEqualTo(Optional.ofNullable(code));
        assertThat(world.told("a", AttachEvents.FAILED))
                .containsExactly("AttachVolume.Attach failed for volume \"disk\": too many volumes");
        world.backend = call -> Outcome.done(Map.of());
        world.advance(Duration.ofMinutes(1));
        assertThat(world.attachment("disk", "n1").orElseThrow().status().attachError())
                .isEmpty();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).hasSize(1);
    }

    /** An error that stays the same is written once, and told at each try. */
    @Test
    void anErrorThatStaysIsNotWrittenAgain() {
        AttachDetachWorld world = disk(new AttachDetachWorld(), AccessMode.READ_WRITE_ONCE);
        world.backend = call -> Outcome.uncertain("no answer");
        world.load(AttachDetachObjects.pod("a", "n1", "data")).advance(Duration.ofMinutes(30));
        assertThat(world.calls).hasSizeGreaterThan(10);
        assertThat(world.writes).hasSize(2);
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
    }

    // ---- priority ----

    /** §7.6: a volume for which a pod waits is detached first. */
    @Test
    void aDetachmentThatAPodWaitsForComesFirst() {
        AttachDetachWorld world = nodes(new AttachDetachWorld(), 2);
        for (String name : List.of("idle", "zawaited")) {
            world.load(
                    AttachDetachObjects.volume(name, "c" + name, AccessMode.READ_WRITE_ONCE),
                    AttachDetachObjects.claim("c" + name, name),
                    AttachDetachObjects.pod("p" + name, "n1", "c" + name));
        }
        world.settle();
        world.load(AttachDetachObjects.pod("w", "n2", "czawaited")).settle();
        world.calls.clear();
        world.deletePod("pidle").deletePod("pzawaited").settle();
        assertThat(world.calls.indexOf("detach zawaited n1")).isLessThan(world.calls.indexOf("detach idle n1"));
    }
}
