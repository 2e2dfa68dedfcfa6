// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Taint;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that does not let go: forced only with evidence (semantics/attach-and-mount §1.11, S2, L4). */
class NodeLossTest {
    private static final Duration LONG = Duration.ofHours(3);
    private static final Duration SIX_MINUTES = Duration.ofMinutes(6);

    /** The volume is in use on n1, whose pod will not end by itself, and wanted on n2. */
    private static AttachDetachWorld lost(AttachDetachOptions options, boolean fences) {
        AttachDetachWorld world = new AttachDetachWorld(options, new AttachedDiskPlugin(false, fences));
        world.withPodOn("n1", "n2").settle();
        return world.inUse("n1", AttachDetachObjects.reported("disk"))
                .load(AttachDetachObjects.pod("b", "n2", "data"))
                .settle();
    }

    private static AttachDetachWorld ready(AttachDetachWorld world, ConditionStatus status) {
        return world.editStatus(Kinds.NODE, ObjectKey.cluster("n1"), n -> AttachDetachObjects.ready(n, status))
                .settle();
    }

    private static AttachDetachWorld taint(AttachDetachWorld world) {
        Taint taint = new Taint("node.kubernetes.io/out-of-service", "nodeshutdown", "NoExecute", Optional.empty());
        return world.edit(
                        Kinds.NODE,
                        ObjectKey.cluster("n1"),
                        (Node n) -> n.withSpec(n.spec().withTaints(List.of(taint))))
                .settle();
    }

    /** Deleted, but its containers were running when they were last heard of. */
    private static AttachDetachWorld terminating(AttachDetachWorld world) {
        ContainerStatus running = new ContainerStatus(
                "main", new ContainerStatus.State(Optional.empty(), Optional.of(Document.empty()), Optional.empty()));
        ObjectKey key = ObjectKey.of("default", "a");
        world.editStatus(Kinds.POD, key, (Pod p) -> p.withStatus(p.status().withContainerStatuses(List.of(running))));
        world.store
                .delete(Kinds.POD, key, dev.mooring.storage.store.DeleteOptions.DEFAULT)
                .orThrow();
        return world.settle();
    }

    private static void assertMoved(AttachDetachWorld world) {
        assertThat(world.truth("disk")).containsExactly("n2");
        assertThat(world.violations).isEmpty();
        assertThat(AttachDetachWorld.attachedTo(world.node("n2")))
                .containsExactly(AttachDetachObjects.reported("disk"));
    }

    private static void assertStays(AttachDetachWorld world) {
        assertThat(world.truth("disk")).containsExactly("n1");
        assertThat(world.violations).isEmpty();
        assertThat(world.calls).noneMatch(call -> call.startsWith("detach"));
    }

    @ParameterizedTest(name = "pod {0}, Ready {1}, tainted {2}: detached {3}")
    @CsvSource({
        "gone,TRUE,false,false",
        "gone,TRUE,true,false",
        "gone,UNKNOWN,false,false",
        "gone,FALSE,false,false",
        "gone,UNKNOWN,true,true",
        "gone,FALSE,true,true",
        "terminating,TRUE,true,false",
        "terminating,UNKNOWN,false,false",
        "terminating,UNKNOWN,true,true",
        "there,UNKNOWN,true,false",
    })
    void onlyATaintOnADeadNodeIsEvidence(String pod, ConditionStatus readiness, boolean tainted, boolean detached) {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT, false);
        if (detached) {
            world.excuse("n1");
        }
        ready(world, readiness);
        switch (pod) {
            case "gone" -> world.deletePod("a");
            case "terminating" -> terminating(world);
            default -> {
                // it stays as it is
            }
        }
        if (tainted) {
            taint(world);
        }
        world.advance(LONG);
        if (detached) {
            assertMoved(world);
        } else {
            assertStays(world);
        }
    }

    @Test
    void withTheCompatibilityTimeOutItIsForcedAfterSixMinutesAlsoIfALeaderDies() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT.withForceAfter(Optional.of(SIX_MINUTES)), false);
        ready(world, ConditionStatus.UNKNOWN).deletePod("a").advance(SIX_MINUTES.minusSeconds(60));
        world.restart();
        world.advance(Duration.ofSeconds(59));
        assertStays(world);
        world.excuse("n1").advance(Duration.ofSeconds(1));
        assertMoved(world);
    }

    @Test
    void theCompatibilityTimeOutForcesNothingFromAReadyNode() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT.withForceAfter(Optional.of(SIX_MINUTES)), false);
        world.deletePod("a").advance(LONG);
        assertStays(world);
        assertThat(world.hasTimer()).isFalse();
        world.excuse("n1");
        ready(world, ConditionStatus.UNKNOWN).advance(Duration.ZERO);
        assertMoved(world);
    }

    @Test
    void aLostNodeIsFencedIfItIsAllowedAndThatIsEvidence() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT.withFenceLostNodes(true), true);
        terminating(ready(world, ConditionStatus.UNKNOWN)).advance(LONG);
        assertThat(world.calls).containsExactly("attach disk n1", "fence disk n1", "detach disk n1", "attach disk n2");
        assertMoved(world);
    }

    @ParameterizedTest(name = "allowed {0}, possible {1}, pod {2}, Ready {3}")
    @CsvSource({
        "false,true,terminating,UNKNOWN",
        "true,false,terminating,UNKNOWN",
        "true,true,there,UNKNOWN",
        "true,true,terminating,TRUE"
    })
    void otherwiseNoNodeIsFenced(boolean allowed, boolean possible, String pod, ConditionStatus readiness) {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT.withFenceLostNodes(allowed), possible);
        ready(world, readiness);
        if (pod.equals("terminating")) {
            terminating(world);
        }
        world.advance(LONG);
        assertStays(world);
        assertThat(world.calls).noneMatch(call -> call.startsWith("fence"));
    }

    @Test
    void aFenceThatFailsIsTriedAgainAndForcesNothing() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT.withFenceLostNodes(true), true);
        world.backend = call -> call.operation().equals("fence") ? Outcome.uncertain("no answer") : Outcome.done();
        terminating(ready(world, ConditionStatus.UNKNOWN)).advance(Duration.ofMinutes(10));
        assertStays(world);
        assertThat(world.calls.stream().filter(call -> call.startsWith("fence")))
                .hasSizeGreaterThan(3);
        world.backend = call -> Outcome.done();
        world.advance(Duration.ofMinutes(3));
        assertMoved(world);
    }

    @ParameterizedTest(name = "deletion is evidence: {0}")
    @CsvSource({"true", "false"})
    void aDeletedNodeLetsGoIfThatIsThePolicyAndItsPodsAreGone(boolean policy) {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT.withDetachFromDeletedNodes(policy), false);
        world.deleteNode("n1").advance(LONG);
        assertStays(world);
        world.deletePod("a").advance(LONG);
        if (policy) {
            assertMoved(world);
        } else {
            assertStays(world);
        }
    }

    /** The pod that wants the volume is told, and the attachment too, since a user deletes it. */
    @Test
    void anAttachmentThatIsDeletedWhileItsNodeIsGoneSaysWhatItWaitsFor() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT, false);
        world.deleteNode("n1").settle();
        ObjectKey attachment = AttachDetachWorld.nameOf("disk", "n1");
        world.store
                .delete(Kinds.VOLUME_ATTACHMENT, attachment, dev.mooring.storage.store.DeleteOptions.DEFAULT)
                .orThrow();
        world.advance(LONG);
        assertThat(world.news)
                .anyMatch(event -> event.kind().equals(Kinds.VOLUME_ATTACHMENT)
                        && event.object().equals(attachment)
                        && event.message().contains("node \"n1\" was deleted or replaced"));
    }

    /** The cache may be late; only a live read shows that a Node is gone. */
    @Test
    void thatANodeIsNotKnownIsNoEvidence() {
        AttachDetachWorld world = new AttachDetachWorld();
        world.withPodOn("n1").settle();
        world.deleteNode("n1").settle();
        world.beforeEffect = effect -> {
            if (effect.operation().equals(AttachmentOperations.PROVE_UNUSED)
                    && world.findNode("n1").isEmpty()) {
                world.load(AttachDetachObjects.node("n1")
                        .withStatus(AttachDetachObjects.node("n1")
                                .status()
                                .withVolumesInUse(List.of(AttachDetachObjects.reported("disk")))));
            }
        };
        world.deletePod("a").advance(LONG);
        assertStays(world);
    }

    @Test
    void aPersonMayForceIt() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT, false).excuse("n1");
        ready(world, ConditionStatus.UNKNOWN).deletePod("a").advance(LONG);
        assertStays(world);
        world.edit(
                        Kinds.VOLUME_ATTACHMENT,
                        AttachDetachWorld.nameOf("disk", "n1"),
                        va -> AttachmentObjects.annotated(va, AttachmentAnnotations.FORCE, "ann: the rack burned down"))
                .settle();
        assertMoved(world);
    }

    private static boolean forced(AttachDetachWorld world, ObjectKey attachment) {
        return world.store
                .get(Kinds.VOLUME_ATTACHMENT, attachment)
                .orThrow()
                .metadata()
                .annotation(AttachmentAnnotations.FORCE)
                .isPresent();
    }

    /** A word about a machine that did not answer is not kept until its pod ends in good order, under which it would detach (S2). */
    @Test
    void aPersonsWordIsTakenBackWhenTheNodeIsReadyAgainAndItsPodStays() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT, false);
        ObjectKey attachment = AttachDetachWorld.nameOf("disk", "n1");
        ready(world, ConditionStatus.UNKNOWN)
                .edit(
                        Kinds.VOLUME_ATTACHMENT,
                        attachment,
                        va -> AttachmentObjects.annotated(va, AttachmentAnnotations.FORCE, "ann: it does not answer"))
                .settle();
        assertThat(forced(world, attachment)).isTrue();
        ready(world, ConditionStatus.TRUE);
        assertThat(forced(world, attachment)).isFalse();
        world.deletePod("a").advance(LONG);
        assertStays(world);
    }

    /** The volume was taken from n1 by force and is on n2; n1 is back, and lists it still. */
    private static AttachDetachWorld backAfterForce() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT, false).excuse("n1");
        taint(ready(world, ConditionStatus.UNKNOWN)).deletePod("a").advance(LONG);
        assertMoved(world);
        world.edit(
                Kinds.NODE,
                ObjectKey.cluster("n1"),
                (Node n) -> n.withSpec(n.spec().withTaints(List.of())));
        ready(world, ConditionStatus.TRUE);
        return world;
    }

    /** A node that comes back still has the volume mounted: a third one does not get it (S1′). */
    @Test
    void aNodeThatComesBackWithTheVolumeInUseIsInTheWay() {
        AttachDetachWorld world = backAfterForce();
        world.load(AttachDetachObjects.node("n3"), AttachDetachObjects.pod("c", "n3", "data"))
                .deletePod("b")
                .advance(LONG);
        assertThat(world.truth("disk")).isEmpty();
        assertThat(world.told("c", AttachEvents.FAILED)).last().asString().contains("node n1");
        world.inUse("n1").settle();
        assertThat(world.truth("disk")).containsExactly("n3");
    }

    /** What it lists may be for a pod that waits there now, or for the one that had the volume: it has listed it all the time. */
    @ParameterizedTest
    @ValueSource(strings = {"n3", "n4", "n5", "n6", "n7", "n8"})
    void aNodeThatComesBackIsInTheWayAlsoIfAnotherPodWaitsThere(String other) {
        AttachDetachWorld world = backAfterForce();
        world.load(
                        AttachDetachObjects.node(other),
                        AttachDetachObjects.pod("c", other, "data"),
                        AttachDetachObjects.pod("d", "n1", "data"))
                .deletePod("b")
                .advance(LONG);
        assertThat(world.truth("disk")).containsExactly("n1");
        world.deletePod("d").inUse("n1").advance(LONG);
        assertThat(world.truth("disk")).containsExactly(other);
        assertThat(world.violations).isEmpty();
    }

    /** The pod has moved before the lost node's Node object was created again: the old attachment goes when the new node has reported. */
    @Test
    void anUnwantedAttachmentOfAnEarlierNodeGoesByTheHandshakeWithTheNewOne() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT, false);
        world.deleteNode("n1").load(AttachDetachObjects.node("n1")).settle();
        world.inUse("n1", AttachDetachObjects.reported("disk")).deletePod("a").advance(LONG);
        assertStays(world);
        world.inUse("n1").settle();
        assertMoved(world);
    }

    /** The new node lists the volume for a pod that has gone with it, and will never take it off the list. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAttachmentOfAnEarlierNodeIsForcedIfTheNewOneIsOff(boolean policy) {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT.withDetachFromDeletedNodes(policy), false)
                .excuse("n1");
        world.deleteNode("n1").load(AttachDetachObjects.node("n1")).deletePod("a");
        world.inUse("n1", AttachDetachObjects.reported("disk")).advance(LONG);
        assertStays(world);
        taint(ready(world, ConditionStatus.UNKNOWN)).advance(LONG);
        if (policy) {
            assertMoved(world);
        } else {
            assertStays(world);
        }
    }

    @Test
    void theTimeOfTheRequestIsWrittenDown() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT, false);
        world.advance(SIX_MINUTES).deletePod("a").settle();
        assertThat(AttachmentAnnotations.of(world.attachment("disk", "n1").orElseThrow())
                        .orElseThrow()
                        .detachRequestedAt())
                .contains(Instant.parse("2000-01-01T00:06:00Z"));
    }

    private static AttachDetachWorld forced() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT, true).excuse("n1");
        taint(ready(world, ConditionStatus.UNKNOWN)).deletePod("a");
        return world;
    }

    private static Map<String, String> told(AttachDetachWorld world, String node) {
        return world.attachment("disk", node).orElseThrow().status().attachmentMetadata();
    }

    /** Who gets the volume has to take the power to write from who lost it (semantics/plugins §3.8). */
    @Test
    void theNextNodeIsToldWhichNodeLostTheVolumeByForce() {
        AttachDetachWorld world = forced();
        world.advance(LONG);
        assertMoved(world);
        assertThat(told(world, "n2"))
                .containsEntry("fence", world.node("n1").metadata().uid());
    }

    @Test
    void aNodeThatLetGoByItselfIsNotNamed() {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT, true);
        world.deletePod("a").inUse("n1").settle();
        assertMoved(world);
        assertThat(told(world, "n2")).doesNotContainKey("fence");
    }

    @ParameterizedTest(name = "dies {1} write {0}")
    @CsvSource({
        "1,before",
        "2,before",
        "3,before",
        "4,before",
        "5,before",
        "6,before",
        "7,before",
        "8,before",
        "1,after",
        "2,after",
        "3,after",
        "4,after",
        "5,after",
        "6,after",
        "7,after",
        "8,after"
    })
    void theOrderSurvivesACrashAnywhere(int write, String when) {
        AttachDetachWorld world = lost(AttachDetachOptions.DEFAULT, true).excuse("n1");
        int so = world.attemptedWrites();
        boolean before = when.equals("before");
        world.diesBeforeWrite = number -> before && number == so + write;
        world.diesAfterWrite = number -> !before && number == so + write;
        taint(ready(world, ConditionStatus.UNKNOWN)).deletePod("a").advance(LONG);
        assertThat(world.deaths).isEqualTo(1);
        assertMoved(world);
        assertThat(told(world, "n2"))
                .containsEntry("fence", world.node("n1").metadata().uid());
    }

    /** A node that lost a volume by force and came back is let in again before it gets it, and not named any more. */
    @Test
    void whoComesBackIsLetInBeforeItGetsTheVolumeAgain() {
        AttachDetachWorld world = forced();
        world.advance(LONG);
        world.edit(
                Kinds.NODE,
                ObjectKey.cluster("n1"),
                (Node n) -> n.withSpec(n.spec().withTaints(List.of())));
        ready(world, ConditionStatus.TRUE).inUse("n1").settle();
        int[] refusals = {1};
        world.backend = call -> call.operation().equals("unfence") && refusals[0]-- > 0
                ? Outcome.uncertain("no answer")
                : Outcome.done();
        world.load(AttachDetachObjects.pod("c", "n1", "data")).deletePod("b").advance(LONG);
        assertThat(world.truth("disk")).containsExactly("n1");
        assertThat(world.calls).endsWith("detach disk n2", "unfence disk n1", "unfence disk n1", "attach disk n1");
        assertThat(world.told("c", AttachEvents.FAILED)).last().asString().contains("no answer");
        assertThat(told(world, "n1")).doesNotContainKey("fence");
        assertThat(world.store
                        .get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("disk"))
                        .orThrow()
                        .metadata()
                        .annotations())
                .doesNotContainKey(FenceOrders.ANNOTATION);
        assertThat(world.violations).isEmpty();
    }
}
