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
import dev.mooring.storage.model.Taint;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the process has not heard of yet, and writes of its own that have not arrived yet (semantics/attach-and-mount §7.7, S2, S3). */
class StaleTest {
    private static AttachDetachWorld attached(AttachDetachOptions options, boolean fences) {
        AttachDetachWorld world = new AttachDetachWorld(options, new AttachedDiskPlugin(false, fences));
        return world.load(
                        AttachDetachObjects.ready(AttachDetachObjects.node("n1"), ConditionStatus.TRUE),
                        AttachDetachObjects.ready(AttachDetachObjects.node("n2"), ConditionStatus.TRUE),
                        AttachDetachObjects.volume("disk", "data", AccessMode.READ_WRITE_ONCE),
                        AttachDetachObjects.claim("data", "disk"),
                        AttachDetachObjects.pod("a", "n1", "data"))
                .settle();
    }

    private static AttachDetachWorld ready(AttachDetachWorld world, ConditionStatus status) {
        return world.editStatus(Kinds.NODE, ObjectKey.cluster("n1"), n -> AttachDetachObjects.ready(n, status));
    }

    private static AttachDetachWorld taint(AttachDetachWorld world, List<Taint> taints) {
        return world.edit(
                Kinds.NODE,
                ObjectKey.cluster("n1"),
                (Node n) -> n.withSpec(n.spec().withTaints(taints)));
    }

    /** The node has come back and uses the volume; that it was lost is all that the caches show. */
    @ParameterizedTest
    @ValueSource(strings = {"taint", "time-out"})
    void aNodeThatHasComeBackIsNotLost(String evidence) {
        boolean timed = evidence.equals("time-out");
        AttachDetachWorld world = attached(
                AttachDetachOptions.DEFAULT.withForceAfter(
                        timed ? Optional.of(Duration.ofMinutes(6)) : Optional.empty()),
                false);
        world.inUse("n1", AttachDetachObjects.reported("disk"));
        ready(world, ConditionStatus.UNKNOWN).settle();
        world.deletePod("a").settle();
        world.unheard = kind -> kind.equals(Kinds.NODE);
        if (!timed) {
            taint(world, List.of(new Taint("node.kubernetes.io/out-of-service", "", "NoExecute", Optional.empty())));
        }
        ready(world, ConditionStatus.TRUE);
        if (!timed) {
            world.hearOne();
        }
        world.advance(Duration.ofMinutes(10));
        assertThat(world.calls).noneMatch(call -> call.startsWith("detach"));
        world.arrive();
        assertThat(world.violations).isEmpty();
        assertThat(world.truth("disk")).containsExactly("n1");
    }

    /** Pods that are being deleted still write on a node that only seemed lost. */
    @Test
    void aNodeThatHasComeBackIsNotFenced() {
        AttachDetachWorld world = attached(AttachDetachOptions.DEFAULT.withFenceLostNodes(true), true);
        world.inUse("n1", AttachDetachObjects.reported("disk"));
        ready(world, ConditionStatus.UNKNOWN).settle();
        world.unheard = kind -> kind.equals(Kinds.NODE);
        ready(world, ConditionStatus.TRUE);
        world.deletePod("a").load(AttachDetachObjects.pod("b", "n2", "data")).settle();
        assertThat(world.calls).noneMatch(call -> call.startsWith("fence"));
    }

    /** A list that names the volume is on its way to the Node while the volume is detached: the node would begin to use it. */
    @Test
    void noDetachmentOvertakesAListOnItsWay() {
        AttachDetachWorld world = new AttachDetachWorld();
        world.postponed = effect -> effect.operation().equals(AttachmentOperations.REPORT_ATTACHED);
        world.withPodOn("n1").settle();
        assertThat(world.truth("disk")).containsExactly("n1");
        world.deletePod("a").settle();
        assertThat(world.calls).noneMatch(call -> call.startsWith("detach"));
        world.arrive();
        assertThat(world.violations).isEmpty();
        assertThat(world.truth("disk")).isEmpty();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
        assertThat(world.attachments()).isEmpty();
    }

    /** The same when the answer to the write was lost: it may still arrive after the Node was read. */
    @Test
    void noDetachmentOvertakesAListWhoseAnswerWasLost() {
        AttachDetachWorld world = new AttachDetachWorld();
        world.lost = effect -> effect.operation().equals(AttachmentOperations.REPORT_ATTACHED);
        world.withPodOn("n1").settle();
        world.deletePod("a").settle();
        assertThat(world.calls).noneMatch(call -> call.startsWith("detach"));
        world.lost = effect -> false;
        world.advance(Duration.ofMinutes(5));
        assertThat(world.violations).isEmpty();
        assertThat(world.truth("disk")).isEmpty();
        assertThat(world.attachments()).isEmpty();
        assertThat(world.hasTimer()).isFalse();
    }

    /** Any write to the Node since makes the lost one fail. */
    @Test
    void aListWhoseAnswerWasLostIsOverWhenTheNodeHasChanged() {
        AttachDetachWorld world = new AttachDetachWorld();
        world.lost = effect -> effect.operation().equals(AttachmentOperations.REPORT_ATTACHED);
        world.withPodOn("n1").settle();
        world.lost = effect -> false;
        world.deletePod("a").settle();
        ready(world, ConditionStatus.TRUE).settle();
        assertThat(world.truth("disk")).isEmpty();
        assertThat(world.violations).isEmpty();
    }

    /** The pod has gone before its attachment was made, but the request may still be on its way: no other pod gets the slot until then. */
    @Test
    void aCreationWhoseAnswerWasLostKeepsTheSlotUntilItCannotArriveAnyMore() {
        AttachDetachWorld world = new AttachDetachWorld();
        List<Effect> lost = new ArrayList<>();
        world.lost =
                effect -> effect.operation().equals(AttachmentOperations.CREATE) && lost.isEmpty() && lost.add(effect);
        world.withPodOn("n1", "n2").settle();
        world.deletePod("a").load(AttachDetachObjects.pod("b", "n2", "data")).advance(Duration.ofSeconds(20));
        assertThat(world.attachments()).isEmpty();
        assertThat(StoreRequests.carryOut(world.store, lost.get(0)).value()).isPresent();
        world.advance(Duration.ofMinutes(5));
        assertThat(world.violations).isEmpty();
        assertThat(world.truth("disk")).containsExactly("n2");
        assertThat(world.hasTimer()).isFalse();
    }

    /** The same when a later try has made the object, and that has gone again: until then the lost one could only fail. */
    @Test
    void aCreationWhoseAnswerWasLostMayArriveWhenTheObjectOfTheNextTryHasGone() {
        AttachDetachWorld world = new AttachDetachWorld();
        List<Effect> lost = new ArrayList<>();
        world.lost =
                effect -> effect.operation().equals(AttachmentOperations.CREATE) && lost.isEmpty() && lost.add(effect);
        world.withPodOn("n1", "n2").advance(Duration.ofSeconds(5));
        assertThat(world.truth("disk")).containsExactly("n1");
        world.deletePod("a").load(AttachDetachObjects.pod("b", "n2", "data")).advance(Duration.ofSeconds(15));
        assertThat(world.attachments()).isEmpty();
        assertThat(StoreRequests.carryOut(world.store, lost.get(0)).value()).isPresent();
        world.advance(Duration.ofMinutes(5));
        assertThat(world.violations).isEmpty();
        assertThat(world.truth("disk")).containsExactly("n2");
        assertThat(world.hasTimer()).isFalse();
    }

    /** The same if it never arrives. */
    @Test
    void aCreationThatIsLostForEverKeepsTheSlotForAWhile() {
        AttachDetachWorld world = new AttachDetachWorld();
        world.lost = effect -> effect.operation().equals(AttachmentOperations.CREATE);
        world.withPodOn("n1", "n2").settle();
        world.lost = effect -> false;
        world.deletePod("a").load(AttachDetachObjects.pod("b", "n2", "data")).advance(Duration.ofMinutes(5));
        assertThat(world.violations).isEmpty();
        assertThat(world.truth("disk")).containsExactly("n2");
        assertThat(world.hasTimer()).isFalse();
    }

    /** A user replaces the attachment while it is being detached: what was detached was the other one. */
    @Test
    void whatWasDetachedForOneObjectIsNotDetachedForTheNext() {
        AttachDetachWorld world = new AttachDetachWorld();
        world.withPodOn("n1").settle();
        VolumeAttachment first =
                AttachmentObjects.unattached(world.attachment("disk", "n1").orElseThrow());
        boolean[] replaced = {false};
        world.beforeEffect = effect -> {
            if (effect.operation().equals(AttachmentOperations.DETACH) && !replaced[0]) {
                replaced[0] = true;
                world.edit(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> va.withMetadata(va.metadata().withoutFinalizer(AttachmentAnnotations.FINALIZER)));
                world.store
                        .delete(Kinds.VOLUME_ATTACHMENT, AttachDetachWorld.nameOf("disk", "n1"), DeleteOptions.DEFAULT)
                        .orThrow();
                world.load(AttachDetachObjects.pod("b", "n1", "data"));
                world.load(
                        first.withMetadata(first.metadata().withUid("another").withResourceVersion("")));
            } else if (effect.operation().equals(AttachmentOperations.SHOW_ATTACHED)) {
                world.deletePod("b");
            }
        };
        world.deletePod("a").advance(Duration.ofMinutes(10));
        assertThat(world.calls.stream().filter("detach disk n1"::equals)).hasSize(2);
        assertThat(world.attachments()).isEmpty();
    }
}
