// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.runtime.StoreRequests;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Taint;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeError;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A driver that an external attacher serves, which the test plays (semantics/attach-and-mount §1.12, §7.9). */
class ExternalTest {
    private static final String ATTACHERS_FINALIZER = "external-attacher/disk-example-com";

    private static AttachDetachWorld asked() {
        AttachDetachWorld world = new AttachDetachWorld(AttachDetachOptions.DEFAULT);
        return world.withPodOn("n1", "n2").settle();
    }

    /** The attacher takes the attachment on and attaches. */
    private static AttachDetachWorld attached() {
        AttachDetachWorld world = asked();
        return takenOn(world)
                .editStatus(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> AttachmentObjects.attached(va, Map.of("lun", "7")))
                .settle();
    }

    private static AttachDetachWorld takenOn(AttachDetachWorld world) {
        return world.edit(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> va.withMetadata(va.metadata().withFinalizer(ATTACHERS_FINALIZER)))
                .settle();
    }

    private static VolumeAttachment attachment(AttachDetachWorld world) {
        return world.attachment("disk", "n1").orElseThrow();
    }

    private static AttachDetachWorld withError(AttachDetachWorld world, Instant time) {
        VolumeError error = new VolumeError(Optional.of(time), "rpc error: no", Optional.empty());
        return world.editStatus(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> va.withStatus(va.status().withAttachError(Optional.of(error))))
                .advance(Duration.ofMinutes(30));
    }

    @Test
    void asksAsKubernetesDoes() {
        AttachDetachWorld world = asked();
        VolumeAttachment asked = attachment(world);
        assertThat(asked.spec().attacher()).isEqualTo(AttachDetachObjects.DRIVER);
        assertThat(asked.spec().nodeName()).isEqualTo("n1");
        assertThat(asked.spec().source().persistentVolumeName()).contains("disk");
        assertThat(asked.metadata().finalizers()).isEmpty();
        assertThat(world.calls).isEmpty();
        world.advance(Duration.ofMinutes(30));
        assertThat(world.hasTimer())
                .as("once people are told, nothing is waited for by time")
                .isFalse();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
    }

    /** Upstream waits until the attach has ended, or two minutes. */
    @Test
    void anAttachmentThatNoPodWantsAnyMoreIsAskedBackAtOnce() {
        assertThat(asked().deletePod("a").settle().attachment("disk", "n1")).isEmpty();
        AttachDetachWorld world = takenOn(asked()).deletePod("a").settle();
        assertThat(attachment(world).metadata().isDeleting()).isTrue();
        assertThat(attachment(world).metadata().finalizers()).containsExactly(ATTACHERS_FINALIZER);
    }

    @Test
    void listsWhatTheAttacherHasAttachedAndTellsThePods() {
        AttachDetachWorld world = attached();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1")))
                .containsExactly(AttachDetachObjects.reported("disk"));
        assertThat(world.told("a", AttachEvents.SUCCESSFUL)).hasSize(1);
    }

    @Test
    void whatTheAttacherShallDetachByForceIsCountedWithTheReason() {
        AttachDetachWorld world = attached().inUse("n1", AttachDetachObjects.reported("disk"));
        List<String> forced = new ArrayList<>();
        world.beforeEffect = effect -> AttachmentCounts.forcedBy(effect).ifPresent(forced::add);
        Taint taint = new Taint("node.kubernetes.io/out-of-service", "nodeshutdown", "NoExecute", Optional.empty());
        world.editStatus(
                        Kinds.NODE, ObjectKey.cluster("n1"), n -> AttachDetachObjects.ready(n, ConditionStatus.UNKNOWN))
                .edit(
                        Kinds.NODE,
                        ObjectKey.cluster("n1"),
                        (Node n) -> n.withSpec(n.spec().withTaints(List.of(taint))))
                .deletePod("a")
                .advance(Duration.ofMinutes(30));
        assertThat(attachment(world).metadata().isDeleting()).isTrue();
        assertThat(forced).containsExactly("out-of-service");
    }

    @Test
    void listsBothOfTwoThatAreAttachedWhileTheOtherIsReadLive() {
        AttachDetachWorld world = asked();
        world.load(
                        AttachDetachObjects.volume("other", "more", AccessMode.READ_WRITE_ONCE),
                        AttachDetachObjects.claim("more", "other"),
                        AttachDetachObjects.pod("b", "n1", "more"))
                .settle();
        world.postponed = Effect.Read.class::isInstance;
        for (String volume : List.of("disk", "other")) {
            world.editStatus(
                            Kinds.VOLUME_ATTACHMENT,
                            AttachDetachWorld.nameOf(volume, "n1"),
                            va -> va.withStatus(va.status().withAttached(true)))
                    .settle();
        }
        world.arrive();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1")))
                .containsExactly(AttachDetachObjects.reported("disk"), AttachDetachObjects.reported("other"));
    }

    @Test
    void anErrorIsToldOnceAndFailsNothing() {
        AttachDetachWorld world = withError(withError(takenOn(asked()), Instant.EPOCH), Instant.EPOCH);
        assertThat(world.told("a", AttachEvents.FAILED))
                .containsExactly("AttachVolume.Attach failed for volume \"disk\": rpc error: no");
        withError(world, Instant.EPOCH.plusSeconds(1));
        assertThat(world.told("a", AttachEvents.FAILED)).hasSize(2);
        world.editStatus(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> va.withStatus(va.status().withAttached(true)))
                .settle();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1")))
                .containsExactly(AttachDetachObjects.reported("disk"));
    }

    @Test
    void deletesOnlyAfterTheHandshakeAndWaitsUntilItIsGone() {
        AttachDetachWorld world = attached();
        world.inUse("n1", AttachDetachObjects.reported("disk"))
                .load(AttachDetachObjects.pod("b", "n2", "data"))
                .deletePod("a")
                .advance(Duration.ofHours(1));
        assertThat(attachment(world).metadata().isDeleting()).isFalse();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
        world.inUse("n1").settle();
        assertThat(attachment(world).metadata().isDeleting()).isTrue();
        world.advance(Duration.ofHours(1));
        assertThat(world.attachment("disk", "n2")).isEmpty();
        world.edit(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> va.withMetadata(va.metadata().withoutFinalizer(ATTACHERS_FINALIZER)))
                .settle();
        assertThat(world.attachment("disk", "n1")).isEmpty();
        assertThat(world.attachment("disk", "n2")).isPresent();
        assertThat(world.violations).isEmpty();
    }

    /** Its answer was lost, and it reaches the store when the volume is wanted again: the attacher would detach it under a mount (S2). */
    @Test
    void aDeletionThatComesLateTakesNothingThatIsWantedAgain() {
        AttachDetachWorld world = attached();
        List<Effect> late = new ArrayList<>();
        world.lost = Effect.Delete.class::isInstance;
        world.beforeEffect = effect -> Stream.of(effect).filter(world.lost).forEach(late::add);
        world.deletePod("a").settle();
        assertThat(late).hasSize(1);
        world.load(AttachDetachObjects.pod("b", "n1", "data")).settle();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1")))
                .containsExactly(AttachDetachObjects.reported("disk"));
        assertThat(StoreRequests.carryOut(world.store, late.get(0)).failure()).contains(StoreResult.Failure.CONFLICT);
        assertThat(attachment(world).metadata().isDeleting()).isFalse();
        world.lost = effect -> false;
        world.deletePod("b").advance(Duration.ofMinutes(10));
        assertThat(attachment(world).metadata().isDeleting()).isTrue();
    }

    @Test
    void anErrorOfDetachingIsTold() {
        AttachDetachWorld world = attached();
        world.deletePod("a").settle();
        VolumeError error = new VolumeError(Optional.of(Instant.EPOCH), "busy", Optional.empty());
        world.editStatus(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> va.withStatus(va.status().withDetachError(Optional.of(error))))
                .advance(Duration.ofHours(1));
        assertThat(world.told(AttachDetachWorld.nameOf("disk", "n1").name(), AttachEvents.FAILED_DETACH))
                .containsExactly("DetachVolume.Detach failed for volume \"disk\" on node \"n1\": busy");
    }

    /** A user has deleted it, and the attacher detaches without asking: the node has to know at once. */
    @Test
    void oneThatAPersonDeletesIsNoLongerListed() {
        AttachDetachWorld world = attached();
        world.store
                .delete(Kinds.VOLUME_ATTACHMENT, AttachDetachWorld.nameOf("disk", "n1"), DeleteOptions.DEFAULT)
                .orThrow();
        world.settle();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
        assertThat(attachment(world).metadata().isDeleting()).isTrue();
    }

    /** The attacher attaches it again before the attachment names the Node that it is now attached to (L5). */
    @Test
    void anAttacherThatIsQuickerThanTheMoveToANewNodeIsBelieved() {
        AttachDetachWorld world = attached();
        int before = world.attemptedWrites();
        world.beforeEffect = effect -> {
            if (!attachment(world).status().attached()) {
                world.editStatus(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> AttachmentObjects.attached(va, Map.of("lun", "8")));
            }
        };
        world.deleteNode("n1").load(AttachDetachObjects.node("n1")).advance(Duration.ofMinutes(10));
        assertThat(AttachmentAnnotations.of(attachment(world)).orElseThrow().nodeUid())
                .isEqualTo(world.node("n1").metadata().uid());
        assertThat(attachment(world).status().attachmentMetadata()).containsEntry("lun", "8");
        assertThat(AttachDetachWorld.attachedTo(world.node("n1")))
                .containsExactly(AttachDetachObjects.reported("disk"));
        assertThat(world.attemptedWrites() - before).isLessThan(8);
        assertThat(world.violations).isEmpty();
    }

    /** What was said of the Node that is there now says nothing of the next one. */
    @Test
    void aNodeThatIsMadeYetAgainIsWaitedForAnew() {
        AttachDetachWorld world = attached();
        List<String> lists = new ArrayList<>();
        world.beforeEffect = effect -> {
            if (effect.operation().equals(AttachmentOperations.MOVE) && lists.isEmpty()) {
                lists.add("attached to the second");
                world.editStatus(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> AttachmentObjects.attached(va, Map.of()));
                world.deleteNode("n1").load(AttachDetachObjects.node("n1"));
            }
        };
        world.deleteNode("n1").load(AttachDetachObjects.node("n1")).advance(Duration.ofMinutes(10));
        assertThat(lists).hasSize(1);
        assertThat(attachment(world).status().attached()).isFalse();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
    }

    @Test
    void adoptsWhatKubernetesOwnControllerHasLeft() {
        AttachDetachWorld world = new AttachDetachWorld(AttachDetachOptions.DEFAULT);
        VolumeAttachment stranger = new VolumeAttachment(
                ObjectMeta.named(AttachDetachWorld.nameOf("disk", "n1").name()).withFinalizer(ATTACHERS_FINALIZER),
                new VolumeAttachmentSpec(
                        AttachDetachObjects.DRIVER,
                        "n1",
                        VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of("disk"))),
                VolumeAttachmentStatus.EMPTY.withAttached(true));
        world.load(
                        AttachDetachObjects.node("n1"),
                        AttachDetachObjects.node("n2"),
                        stranger,
                        AttachDetachObjects.claim("data", "disk"),
                        AttachDetachObjects.pod("b", "n2", "data"))
                .settle();
        assertThat(world.attachments()).hasSize(1);
        world.load(AttachDetachObjects.volume("disk", "data", AccessMode.READ_WRITE_ONCE))
                .settle();
        assertThat(attachment(world).metadata().isDeleting()).isTrue();
        assertThat(world.attachment("disk", "n2")).isEmpty();
        assertThat(world.told("b", AttachEvents.FAILED)).isNotEmpty();
        world.edit(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> va.withMetadata(va.metadata().withoutFinalizer(ATTACHERS_FINALIZER)))
                .settle();
        assertThat(world.attachment("disk", "n2")).isPresent();
    }
}
