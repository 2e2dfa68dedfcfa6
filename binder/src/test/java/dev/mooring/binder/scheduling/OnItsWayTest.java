// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.bound;
import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.forOnePod;
import static dev.mooring.binder.scheduling.SchedulingObjects.inline;
import static dev.mooring.binder.scheduling.SchedulingObjects.limit;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.uid;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pod on its way to a node is in the way of others there like one that is there, and never in its own. */
class OnItsWayTest {
    private static final Node N1 = node("n1");

    private record Row(String what, List<KubernetesObject> world, Pod first, Pod second, String reason) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Row row(String what, String reason, Pod first, Pod second, KubernetesObject... world) {
        return new Row(what, List.of(world), first, second, reason);
    }

    static Stream<Row> rows() {
        PersistentVolumeClaim one = forOnePod(bound(claim("c", "1Gi"), "v"));
        PersistentVolumeClaim c = bound(claim("c", "1Gi"), "v");
        PersistentVolumeClaim d = bound(claim("d", "1Gi"), "w");
        Map<String, ?> disk = Map.of("pdName", "d");
        return Stream.of(
                row(
                        "the same disk",
                        VolumeRestrictionsFilter.DISK_CONFLICT,
                        inline("p", "gcePersistentDisk", disk),
                        inline("q", "gcePersistentDisk", disk)),
                row(
                        "a claim for one pod",
                        VolumeRestrictionsFilter.ONE_POD_CONFLICT,
                        pod("p", "c"),
                        pod("q", "c"),
                        one,
                        volume("v", "1Gi")),
                row(
                        "the last slot",
                        VolumeLimitsFilter.EXCEEDED,
                        pod("p", "c"),
                        pod("q", "d"),
                        c,
                        d,
                        volume("v", "1Gi"),
                        volume("w", "1Gi"),
                        limit("n1", 1)),
                row(
                        "the last slot, for a volume that is not bound yet",
                        VolumeLimitsFilter.EXCEEDED,
                        pod("p", "e"),
                        pod("q", "d"),
                        uid(claim("e", "1Gi"), "uid-e"),
                        d,
                        local(),
                        volume("v", "1Gi"),
                        volume("w", "1Gi"),
                        limit("n1", 1)));
    }

    private static List<String> against(Pod pod, Known known) {
        PodFilters filters = new PodFilters(pod, known.view());
        return filters.fit(N1, filters.plan(N1)).reasons();
    }

    private static void assume(Pod pod, Known known) {
        PodFilters filters = new PodFilters(pod, known.view());
        known.indexes.assumptions().put(filters.assumption(N1, filters.plan(N1)));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isInTheWayOfOthersButNotOfItself(Row row) {
        Known known = Known.of(row.world().toArray(KubernetesObject[]::new)).put(N1, row.first(), row.second());
        assertThat(against(row.second(), known)).isEmpty();
        assume(row.first(), known);
        assertThat(against(row.first(), known)).isEmpty();
        assertThat(against(row.second(), known)).containsExactly(row.reason());
    }

    /** The volume is of the driver that the node limits; the class says another one, or none (#141076). */
    @Test
    void asUpstreamAClaimTakesNoSlotOfItsVolumesDriverBeforeItIsBound() {
        PersistentVolumeClaim d = bound(claim("d", "1Gi"), "w");
        Known known = new Known(
                SchedulingOptions.DEFAULT.withReserveAttachSlots(false),
                N1,
                local(),
                uid(claim("e", "1Gi"), "uid-e"),
                d,
                volume("v", "1Gi"),
                volume("w", "1Gi"),
                limit("n1", 1),
                pod("p", "e"),
                pod("q", "d"));
        assume(pod("p", "e"), known);
        assertThat(against(pod("q", "d"), known)).isEmpty();
    }

    @Test
    void disksOfDifferentTypesAreNeverTheSame() {
        Known known =
                Known.of(N1, SchedulingObjects.at(inline("p", "awsElasticBlockStore", Map.of("volumeID", "d")), "n1"));
        assertThat(against(inline("q", "gcePersistentDisk", Map.of("pdName", "d")), known))
                .isEmpty();
        assertThat(against(inline("q", "awsElasticBlockStore", Map.of("volumeID", "d")), known))
                .isNotEmpty();
    }

    @Test
    void anAttachmentThatGoesGivesItsSlotBackAndOthersKeepTheirs() {
        Known known = Known.of(
                N1,
                bound(claim("c", "1Gi"), "v"),
                volume("v", "1Gi"),
                volume("w", "1Gi"),
                volume("x", "1Gi"),
                limit("n1", 2),
                attachment("a", "w"),
                attachment("b", "x"));
        assertThat(against(pod("p", "c"), known)).containsExactly(VolumeLimitsFilter.EXCEEDED);
        known.remove(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster("a"));
        assertThat(against(pod("p", "c"), known)).isEmpty();
        known.put(limit("n1", 1));
        assertThat(against(pod("p", "c"), known)).containsExactly(VolumeLimitsFilter.EXCEEDED);
        known.remove(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster("b"));
        assertThat(against(pod("p", "c"), known)).isEmpty();
    }

    private static VolumeAttachment attachment(String name, String volume) {
        return new VolumeAttachment(
                ObjectMeta.named(name),
                new VolumeAttachmentSpec(
                        SchedulingObjects.DRIVER,
                        "n1",
                        new VolumeAttachmentSource(Optional.of(volume), Optional.empty())),
                VolumeAttachmentStatus.EMPTY);
    }

    @Test
    void aVolumeWithoutADriverTakesNoSlot() {
        PersistentVolume shared = volume("v", "1Gi");
        VolumeSource nfs = new VolumeSource("nfs", Document.of(Map.of("server", "s")));
        Known known = Known.of(
                N1,
                bound(claim("c", "1Gi"), "v"),
                shared.withSpec(shared.spec().withSource(Optional.of(nfs))),
                limit("n1", 0));
        assertThat(against(pod("p", "c"), known)).isEmpty();
    }
}
