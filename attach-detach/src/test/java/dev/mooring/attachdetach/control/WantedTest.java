// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which pods want which volumes attached (semantics/attach-and-mount §1.4, §1.5). */
@Tag("long")
class WantedTest {
    /** A row: how the world differs from one in which the pod's volume is attached, and whether it still is. */
    private enum Row {
        NOTHING_DIFFERS(true),
        NOT_SCHEDULED(false, Part.POD, (Pod p) -> p.withSpec(p.spec().withNodeName(""))),
        NODE_NOT_MANAGED(
                false, Part.NODE, (Node n) -> n.withMetadata(n.metadata().withoutAnnotation(PodResolver.MANAGED))),
        SUCCEEDED(false, Part.POD, (Pod p) -> p.withStatus(p.status().withPhase(PodPhase.SUCCEEDED))),
        FAILED(false, Part.POD, (Pod p) -> p.withStatus(p.status().withPhase(PodPhase.FAILED))),
        DELETED_AND_SILENT(false, Part.POD, Row::deleted),
        DELETED_AND_RUNNING(
                true,
                Part.POD,
                (Pod p) -> deleted(p).withStatus(p.status().withContainerStatuses(List.of(container(running()))))),
        DELETED_AND_UNKNOWN(
                true,
                Part.POD,
                (Pod p) -> deleted(p)
                        .withStatus(p.status().withContainerStatuses(List.of(container(ContainerStatus.State.EMPTY))))),
        DELETED_AND_INIT_RUNNING(
                true,
                Part.POD,
                (Pod p) -> deleted(p).withStatus(p.status().withInitContainerStatuses(List.of(container(running()))))),
        DELETED_AND_DEBUGGED(
                true,
                Part.POD,
                (Pod p) -> deleted(p)
                        .withStatus(p.status().withEphemeralContainerStatuses(List.of(container(running()))))),
        DELETED_AND_TERMINATED(
                false,
                Part.POD,
                (Pod p) -> deleted(p).withStatus(p.status().withContainerStatuses(List.of(container(terminated()))))),
        DELETED_AND_WAITING(
                false,
                Part.POD,
                (Pod p) -> deleted(p)
                        .withStatus(p.status()
                                .withContainerStatuses(List.of(container(new ContainerStatus.State(
                                        Optional.of(Document.empty()), Optional.empty(), Optional.empty())))))),
        CLAIM_NOT_BOUND(
                false,
                Part.CLAIM,
                (PersistentVolumeClaim c) -> c.withStatus(c.status().withPhase(ClaimPhase.PENDING))),
        CLAIM_WITHOUT_VOLUME(
                false,
                Part.CLAIM,
                (PersistentVolumeClaim c) -> c.withSpec(c.spec().withVolumeName(""))),
        VOLUME_OF_ANOTHER_CLAIM(
                false,
                Part.VOLUME,
                (PersistentVolume v) ->
                        v.withSpec(v.spec().withClaimRef(v.spec().claimRef().map(ref -> ref.withUid("another"))))),
        VOLUME_WITHOUT_CLAIM(
                false, Part.VOLUME, (PersistentVolume v) -> v.withSpec(v.spec().withClaimRef(Optional.empty()))),
        VOLUME_BEING_MADE(
                false,
                Part.VOLUME,
                (PersistentVolume v) -> v.withMetadata(v.metadata().withAnnotation("mooring.dev/provisioning", "uid"))),
        VOLUME_BEING_RECLAIMED(
                false,
                Part.VOLUME,
                (PersistentVolume v) -> v.withMetadata(v.metadata().withAnnotation("mooring.dev/reclaiming", "uid"))),
        VOLUME_NEVER_ATTACHED(
                false,
                Part.VOLUME,
                (PersistentVolume v) ->
                        v.withSpec(v.spec().withSource(Optional.of(new VolumeSource("nfs", Document.empty()))))),
        DRIVER_NEEDS_NO_ATTACHING(false, Part.DRIVER, (CSIDriver d) -> d),
        INLINE_CSI(
                false,
                Part.POD,
                (Pod p) -> p.withSpec(p.spec()
                        .withVolumes(List.of(new PodVolume("data", Optional.of(AttachDetachObjects.csi("disk"))))))),
        EPHEMERAL_OF_ITS_OWN(
                true,
                Part.EPHEMERAL,
                (PersistentVolumeClaim c) -> c.withMetadata(c.metadata()
                        .withOwnerReferences(List.of(new OwnerReference("v1", "Pod", "a", "uid-of-a", true, false))))),
        EPHEMERAL_OF_ANOTHER(false, Part.EPHEMERAL, (PersistentVolumeClaim c) -> c);

        private final boolean wanted;
        private final Part part;

        @SuppressWarnings("ImmutableEnumChecker") // the lambdas have no state
        private final UnaryOperator<KubernetesObject> edit;

        Row(boolean wanted) {
            this(wanted, Part.POD, (Pod p) -> p);
        }

        @SuppressWarnings("unchecked") // the part names the type
        <T extends KubernetesObject> Row(boolean wanted, Part part, UnaryOperator<T> edit) {
            this.wanted = wanted;
            this.part = part;
            this.edit = object -> edit.apply((T) object);
        }

        private static Pod deleted(Pod pod) {
            return pod.withMetadata(pod.metadata()
                    .withDeletionTimestamp(Optional.of(Instant.parse("2000-01-01T00:00:00Z")))
                    .withDeletionGracePeriodSeconds(Optional.of(30L)));
        }

        private static ContainerStatus container(ContainerStatus.State state) {
            return new ContainerStatus("main", state);
        }

        private static ContainerStatus.State running() {
            return new ContainerStatus.State(Optional.empty(), Optional.of(Document.empty()), Optional.empty());
        }

        private static ContainerStatus.State terminated() {
            return new ContainerStatus.State(Optional.empty(), Optional.empty(), Optional.of(Document.empty()));
        }

        private <T extends KubernetesObject> KubernetesObject apply(Part to, T object) {
            return part == to ? edit.apply(object) : object;
        }
    }

    private enum Part {
        POD,
        NODE,
        CLAIM,
        VOLUME,
        DRIVER,
        EPHEMERAL
    }

    @ParameterizedTest
    @EnumSource(Row.class)
    void row(Row row) {
        AttachDetachWorld world = new AttachDetachWorld();
        boolean ephemeral = row.part == Part.EPHEMERAL;
        String claim = ephemeral ? "a-data" : "data";
        PodVolume template = new PodVolume("data", Optional.of(new VolumeSource("ephemeral", Document.empty())));
        Pod pod = ephemeral ? AttachDetachObjects.pod("a", "n1", template) : AttachDetachObjects.pod("a", "n1", claim);
        world.load(
                row.apply(Part.NODE, AttachDetachObjects.node("n1")),
                row.apply(Part.VOLUME, AttachDetachObjects.volume("disk", claim, AccessMode.READ_WRITE_ONCE)),
                row.apply(Part.EPHEMERAL, row.apply(Part.CLAIM, AttachDetachObjects.claim(claim, "disk"))),
                row.apply(Part.POD, pod));
        if (row.part == Part.DRIVER) {
            world.load(driver(false));
        }
        world.settle();
        assertThat(world.truth("disk")).isEqualTo(row.wanted ? java.util.Set.of("n1") : java.util.Set.of());
        assertThat(world.attachments()).hasSize(row.wanted ? 1 : 0);
        assertThat(world.violations).isEmpty();
    }

    private static CSIDriver driver(boolean attachRequired) {
        return new CSIDriver(
                ObjectMeta.named(AttachDetachObjects.DRIVER),
                CSIDriverSpec.EMPTY.withAttachRequired(Optional.of(attachRequired)));
    }

    private static AttachDetachWorld attached() {
        return new AttachDetachWorld().withPodOn("n1").settle();
    }

    /** Objects arrive in any order; whatever comes last completes the picture. */
    @ParameterizedTest
    @EnumSource(
            value = Part.class,
            names = {"POD", "NODE", "CLAIM", "VOLUME"})
    void whateverComesLastIsNoticed(Part last) {
        AttachDetachWorld world = new AttachDetachWorld();
        for (Part part : Part.values()) {
            if (part != last) {
                load(world, part);
            }
        }
        world.settle();
        assertThat(world.calls).isEmpty();
        load(world, last);
        world.settle();
        assertThat(world.calls).containsExactly("attach disk n1");
    }

    private static void load(AttachDetachWorld world, Part part) {
        switch (part) {
            case POD -> world.load(AttachDetachObjects.pod("a", "n1", "data"));
            case NODE -> world.load(AttachDetachObjects.node("n1"));
            case CLAIM -> world.load(AttachDetachObjects.claim("data", "disk"));
            case VOLUME -> world.load(AttachDetachObjects.volume("disk", "data", AccessMode.READ_WRITE_ONCE));
            default -> {
                // not part of this story
            }
        }
    }

    /** What is missing may be late; it is no evidence that a living pod has let go (S7). */
    @Test
    void aClaimThatIsTornOutTakesNothingFromALivingPod() {
        AttachDetachWorld world = attached();
        world.store
                .delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "data"), DeleteOptions.DEFAULT)
                .orThrow();
        world.advance(Duration.ofHours(1));
        assertThat(AttachDetachWorld.attachedTo(world.node("n1")))
                .containsExactly(AttachDetachObjects.reported("disk"));
        world.deletePod("a").settle();
        assertThat(world.calls).containsExactly("attach disk n1", "detach disk n1");
        assertThat(world.violations).isEmpty();
    }

    /** As upstream, where it is no matter of when the controller was started last: what its pods have they keep (§1.5). */
    @Test
    void aNodeThatIsNoLongerManagedKeepsWhatItsPodsHaveAndGetsNothingNew() {
        AttachDetachWorld world = attached();
        world.edit(
                        Kinds.NODE,
                        ObjectKey.cluster("n1"),
                        n -> n.withMetadata(n.metadata().withoutAnnotation(PodResolver.MANAGED)))
                .settle();
        world.load(
                        AttachDetachObjects.volume("other", "more", AccessMode.READ_WRITE_ONCE),
                        AttachDetachObjects.claim("more", "other"),
                        AttachDetachObjects.pod("b", "n1", "more"))
                .settle();
        world.restart();
        world.advance(Duration.ofHours(1));
        assertThat(world.calls).containsExactly("attach disk n1");
        assertThat(AttachDetachWorld.attachedTo(world.node("n1")))
                .containsExactly(AttachDetachObjects.reported("disk"));
        world.deletePod("a").settle();
        assertThat(world.calls).containsExactly("attach disk n1", "detach disk n1");
        assertThat(world.attachments()).isEmpty();
    }

    /** Its storage may be on its way to be destroyed, and the pod cannot start. */
    @Test
    void nothingIsAttachedForAPodWhoseClaimHasGone() {
        AttachDetachWorld world = attached();
        world.load(AttachDetachObjects.node("n2"), AttachDetachObjects.pod("b", "n2", "data"))
                .settle();
        world.store
                .delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "data"), DeleteOptions.DEFAULT)
                .orThrow();
        world.deletePod("a").advance(Duration.ofHours(1));
        assertThat(world.calls).containsExactly("attach disk n1", "detach disk n1");
        assertThat(world.attachments()).isEmpty();
        world.load(AttachDetachObjects.claim("data", "disk")).settle();
        assertThat(world.calls).containsExactly("attach disk n1", "detach disk n1", "attach disk n2");
    }

    @Test
    void aDriverThatNeedsNoAttachingAnyMoreHasItsVolumesDetached() {
        AttachDetachWorld world = attached();
        world.load(driver(false)).settle();
        assertThat(world.calls).containsExactly("attach disk n1", "detach disk n1");
        world.store
                .delete(Kinds.CSI_DRIVER, ObjectKey.cluster(AttachDetachObjects.DRIVER), DeleteOptions.DEFAULT)
                .orThrow();
        world.settle();
        assertThat(world.calls).containsExactly("attach disk n1", "detach disk n1", "attach disk n1");
    }

    /** #101229: a heartbeat is no work, however many volumes there are. */
    @Test
    void aHeartbeatIsNoWork() {
        AttachDetachWorld world = attached();
        long decisions = world.counters.decisions();
        for (int i = 0; i < 100; i++) {
            String beat = "beat " + i;
            world.editStatus(Kinds.NODE, ObjectKey.cluster("n1"), n -> {
                        Node ready = AttachDetachObjects.ready(n, ConditionStatus.TRUE);
                        return ready.withStatus(ready.status()
                                .withConditions(List.of(
                                        ready.status().conditions().get(0).withMessage(beat))));
                    })
                    .settle();
        }
        assertThat(world.counters.decisions()).isEqualTo(decisions);
    }

    /** The work for one pod that moves does not depend on how many others there are. */
    @Test
    void theWorkPerChangeDoesNotGrowWithTheCluster() {
        assertThat(decisionsToMoveOneOf(40)).isEqualTo(decisionsToMoveOneOf(2));
    }

    private static long decisionsToMoveOneOf(int volumes) {
        AttachDetachWorld world =
                new AttachDetachWorld(AttachDetachOptions.DEFAULT, new AttachedDiskPlugin(false, false));
        world.load(AttachDetachObjects.node("n1"), AttachDetachObjects.node("n2"));
        for (int i = 0; i < volumes; i++) {
            world.load(
                    AttachDetachObjects.volume("disk" + i, "data" + i, AccessMode.READ_WRITE_ONCE),
                    AttachDetachObjects.claim("data" + i, "disk" + i),
                    AttachDetachObjects.pod("p" + i, "n1", "data" + i));
        }
        world.settle();
        long before = world.counters.decisions();
        world.deletePod("p1").load(AttachDetachObjects.pod("q", "n2", "data1")).settle();
        assertThat(world.truth("disk1")).containsExactly("n2");
        return world.counters.decisions() - before;
    }

    /** One write for all that has changed (PR 134175). */
    @Test
    void theNodeIsWrittenInBatches() {
        AttachDetachWorld world = new AttachDetachWorld();
        world.load(AttachDetachObjects.node("n1"));
        for (int i = 0; i < 50; i++) {
            world.load(
                    AttachDetachObjects.volume("disk" + i, "data" + i, AccessMode.READ_WRITE_ONCE),
                    AttachDetachObjects.claim("data" + i, "disk" + i),
                    AttachDetachObjects.pod("p" + i, "n1", "data" + i));
        }
        world.settle();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).hasSize(50);
        assertThat(world.writes.stream().filter(write -> write.kind().equals("Node")))
                .hasSizeLessThan(10);
    }
}
