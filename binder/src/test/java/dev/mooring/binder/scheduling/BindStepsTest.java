// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.annotated;
import static dev.mooring.binder.scheduling.SchedulingObjects.bound;
import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.delayed;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.on;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.uid;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.Claiming;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a bind does next when the world has changed under it, one row each (semantics/binder §3.6, PreBind). */
class BindStepsTest {
    private static final ObjectKey POD = ObjectKey.of("default", "p");
    private static final ObjectKey CLAIM = ObjectKey.of("default", "c");
    private static final PersistentVolumeClaim C = uid(claim("c", "1Gi"), "uid-c");
    private static final PersistentVolumeClaim GOLD = ofClass(C, "gold");
    private static final PersistentVolume V = on(volume("v", "1Gi"), "n1");
    private static final PersistentVolume TAKEN = Claiming.claimed(V, C);
    private static final PersistentVolume MADE = Claiming.claimed(V, GOLD);

    private record Row(String what, Consumer<Known> change, String next) {
        @Override
        public String toString() {
            return what + ": " + next;
        }
    }

    private static Row row(String what, String next, Consumer<Known> change) {
        return new Row(what, change, next);
    }

    private static Pod changed(boolean deleting, String uid) {
        Pod pod = pod("p", "c");
        return pod.withMetadata(pod.metadata()
                .withUid(uid)
                .withDeletionTimestamp(deleting ? Optional.of(Instant.EPOCH) : Optional.empty()));
    }

    private static PersistentVolumeClaim deleting(PersistentVolumeClaim claim) {
        return claim.withMetadata(claim.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH)));
    }

    private static PersistentVolumeClaim selecting(String node) {
        return annotated(GOLD, Annotations.SELECTED_NODE, node);
    }

    private static Known world() {
        return Known.of(node("n1"), node("n2"), local(), delayed("gold", "far.example.com"), pod("p", "c"));
    }

    private static BindProgress beginning(Known known) {
        PodFilters filters = new PodFilters(pod("p", "c"), known.view());
        return BindProgress.beginning(filters.assumption(node("n1"), filters.plan(node("n1"))), 0);
    }

    private static String next(Known known, BindProgress progress) {
        Situation situation = new Situation(known.caches(), new Time(Instant.EPOCH, 1), Map.of(), List.of());
        BindStep step = BindSteps.next(progress, situation, known.view());
        String writes = step.effects().stream().map(Effect::operation).collect(Collectors.joining(" "));
        return switch (step.kind()) {
            case BOUND -> "bound";
            case FAILED -> step.message();
            case GOES_ON -> writes.isEmpty() ? "waits" : writes;
        };
    }

    // ---- whatever the claims get ----

    static Stream<Row> anyBind() {
        String noPod = "pod default/p does not exist any more";
        String noClaim = "persistentvolumeclaim \"c\" not found";
        return Stream.of(
                row("the pod has gone", noPod, known -> known.remove(Kinds.POD, POD)),
                row("another pod has its name", noPod, known -> known.put(changed(false, "other"))),
                row("the pod is going", noPod, known -> known.put(changed(true, "uid-p"))),
                row(
                        "the node has gone",
                        "node \"n1\" not found",
                        known -> known.remove(Kinds.NODE, ObjectKey.cluster("n1"))),
                row("the claim has gone", noClaim, known -> known.remove(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM)));
    }

    @ParameterizedTest
    @MethodSource("anyBind")
    void whateverIsToBeBoundTheObjectsMustBeThere(Row row) {
        assertThat(after(row, world().put(C, V))).as("a volume that exists").isEqualTo(row.next());
        assertThat(after(row, world().put(GOLD))).as("one to be made").isEqualTo(row.next());
        assertThat(after(row, world().put(bound(C, "v"), TAKEN)))
                .as("one that the claim has")
                .isEqualTo(row.next());
    }

    private static String after(Row row, Known known) {
        BindProgress beginning = beginning(known);
        row.change().accept(known);
        return next(known, beginning);
    }

    // ---- a volume that exists ----

    static Stream<Row> existing() {
        String noClaim = "persistentvolumeclaim \"c\" not found";
        return Stream.of(
                row("nothing has changed", "claim-volume", known -> {}),
                row("another claim has its name", noClaim, known -> known.put(uid(C, "other"))),
                row(
                        "the claim is going",
                        "persistentvolumeclaim \"c\" is being deleted",
                        known -> known.put(deleting(C))),
                row(
                        "the claim has another volume",
                        "persistentvolumeclaim \"c\" got volume \"w\"",
                        known -> known.put(bound(C, "w"))),
                row(
                        "the volume has gone",
                        "persistentvolume \"v\" not found",
                        known -> known.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("v"))),
                row(
                        "the volume is reached from elsewhere now",
                        "pv \"v\" node affinity doesn't match node \"n1\"",
                        known -> known.put(on(volume("v", "1Gi"), "n2"))),
                row(
                        "the volume has another claim",
                        "volume \"v\" is not free any more",
                        known -> known.put(Claiming.claimed(V, uid(claim("d", "1Gi"), "uid-d")))),
                row("the volume names the claim", "waits", known -> known.put(TAKEN)),
                row("the claim names it too", "waits", known -> known.put(TAKEN, naming(C))),
                row("the binder has bound them", "bound", known -> known.put(TAKEN, bound(C, "v"))));
    }

    private static PersistentVolumeClaim naming(PersistentVolumeClaim claim) {
        return claim.withSpec(claim.spec().withVolumeName("v"));
    }

    @ParameterizedTest
    @MethodSource("existing")
    void aVolumeThatExistsNamesItsClaimFirst(Row row) {
        assertThat(after(row, world().put(C, V))).isEqualTo(row.next());
    }

    // ---- a volume to be made ----

    static Stream<Row> provisioned() {
        String givenUp = "provisioning failed for PVC \"c\"";
        return Stream.of(
                row("nothing has changed", "select-node", known -> {}),
                row("the claim names no node", "select-node", known -> known.put(selecting(""))),
                row("the claim names the node", "waits", known -> known.put(selecting("n1"))),
                row("the claim names another node", givenUp, known -> known.put(selecting("n2"))),
                row("a volume was made", "waits", known -> known.put(MADE, selecting("n1"))),
                row(
                        "the claim has a volume that is not known yet",
                        "waits",
                        known -> known.put(bound(selecting("n1"), "v"))),
                row("the claim has its volume", "bound", known -> known.put(MADE, bound(selecting("n1"), "v"))),
                row(
                        "the claim's volume is out of reach",
                        "pv \"v\" node affinity doesn't match node \"n1\"",
                        known -> known.put(on(MADE, "n2"), bound(selecting("n1"), "v"))));
    }

    @ParameterizedTest
    @MethodSource("provisioned")
    void aClaimToProvisionNamesItsNode(Row row) {
        assertThat(after(row, world().put(GOLD))).isEqualTo(row.next());
    }

    // ---- what was seen once and is not any more ----

    static Stream<Row> undone() {
        return Stream.of(
                row("the volume forgot its claim", "ClaimRef got reset for pv v", known -> known.put(C, V)),
                row("the claim forgot its node", "provisioning failed for PVC \"c\"", known -> known.put(GOLD)));
    }

    @ParameterizedTest
    @MethodSource("undone")
    void whatWasSeenAndIsUndoneIsNotWrittenAgain(Row row) {
        Known known = world();
        row.change().accept(known);
        BindProgress beginning = beginning(known);
        BindProgress seen = new BindProgress(beginning.assumption(), Set.of("v"), Set.of(CLAIM), 0);
        assertThat(next(known, seen)).isEqualTo(row.next());
    }

    // ---- a volume that the claim has ----

    @ParameterizedTest
    @MethodSource("had")
    void aBoundClaimsVolumeHasToStayInReach(Row row) {
        assertThat(after(row, world().put(bound(C, "v"), TAKEN))).isEqualTo(row.next());
    }

    static Stream<Row> had() {
        return Stream.of(
                row("nothing has changed", "bound", known -> {}),
                row(
                        "the claim is going",
                        "persistentvolumeclaim \"c\" is being deleted",
                        known -> known.put(deleting(bound(C, "v")))),
                row(
                        "the volume is reached from elsewhere now",
                        "pv \"v\" node affinity doesn't match node \"n1\"",
                        known -> known.put(on(TAKEN, "n2"))));
    }
}
