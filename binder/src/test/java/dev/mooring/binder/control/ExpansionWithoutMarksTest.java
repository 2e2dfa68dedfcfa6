// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Expansion where the API server leaves allocatedResources and their statuses out of what it stores: Kubernetes before 1.32. */
class ExpansionWithoutMarksTest extends ExpansionWorld {
    private static Effect asStored(Effect effect) {
        return effect instanceof Effect.UpdateStatus<?> write
                        && write.change().base() instanceof PersistentVolumeClaim before
                        && write.change().edited() instanceof PersistentVolumeClaim asked
                ? new Effect.UpdateStatus<>(
                        write.operation(),
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(before, asked.withStatus(withoutMarks(asked.status()))))
                : effect;
    }

    private static PersistentVolumeClaimStatus withoutMarks(PersistentVolumeClaimStatus status) {
        return status.withAllocatedResources(Map.of()).withAllocatedResourceStatuses(Map.of());
    }

    private static Cluster forgetful(Cluster cluster) {
        cluster.mutation = ExpansionWithoutMarksTest::asStored;
        cluster.afterEachStep = () -> assertThat(cluster.writes).hasSizeLessThan(20);
        return cluster;
    }

    @Test
    void growsAndThenDoesNothing() {
        Cluster cluster =
                ExpandedDiskPlugin.request(forgetful(cluster()), "3Gi").settle();
        assertThat(asked(cluster)).containsExactly("3Gi");
        assertThat(capacity(cluster)).isEqualTo("3Gi");
        assertThat(cluster.volume("pv").spec().storage()).isEqualTo(Quantity.parse("3Gi"));
        assertThat(ExpandedDiskPlugin.conditions(cluster)).isEmpty();
        assertThat(cluster.reasons()).containsExactly("Resizing", "VolumeResizeSuccessful");
        assertThat(cluster.writes).hasSize(4);
        cluster.restart();
        cluster.advance(LONG);
        assertThat(cluster.writes).hasSize(4);
        ExpandedDiskPlugin.request(cluster, "5Gi").settle();
        assertThat(asked(cluster)).containsExactly("3Gi", "5Gi");
        assertThat(capacity(cluster)).isEqualTo("5Gi");
    }

    @Test
    void leavesTheFileSystemToTheNode() {
        nodeStep = true;
        Cluster cluster =
                ExpandedDiskPlugin.request(forgetful(cluster()), "3Gi").settle();
        assertIsTheNodesTurn(cluster);
        assertThat(asked(cluster)).containsExactly("3Gi");
    }

    /** As iSCSI: an administrator has made the storage larger. */
    @Test
    void whatOnlyNodesHaveToActUponIsShownToThem() {
        Cluster cluster = forgetful(ExpandedDiskPlugin.cluster(1, new ExpandedDiskPlugin(false)));
        cluster.editVolume("pv", v -> v.withSpec(v.spec().withStorage(Quantity.parse("3Gi"))));
        ExpandedDiskPlugin.request(cluster, "3Gi").settle();
        assertIsTheNodesTurn(cluster);
        assertThat(cluster.calls).isEmpty();
    }

    private static void assertIsTheNodesTurn(Cluster cluster) {
        assertThat(ExpandedDiskPlugin.conditions(cluster)).containsExactly("FileSystemResizePending");
        assertThat(cluster.volume("pv").spec().storage()).isEqualTo(Quantity.parse("3Gi"));
        assertThat(capacity(cluster)).isEqualTo("1Gi");
        assertThat(cluster.reasons()).containsExactly("Resizing", "FileSystemResizeRequired");
        int writes = cluster.writes.size();
        cluster.restart();
        cluster.advance(LONG);
        assertThat(cluster.writes).hasSize(writes);
    }

    @Test
    void aRefusalIsShownAndTriedAgainAfterFiveMinutes() {
        Cluster cluster = forgetful(cluster());
        cluster.backend = call -> Outcome.refused(Refusal.EXHAUSTED, "full");
        ExpandedDiskPlugin.request(cluster, "9Gi").advance(Duration.ofMinutes(4));
        assertThat(asked(cluster)).containsExactly("9Gi");
        assertThat(ExpandedDiskPlugin.conditions(cluster)).containsExactly("Resizing", "ControllerResizeError");
        assertThat(cluster.told("VolumeResizeFailed")).isEqualTo(1);
        cluster.backend = this::grow;
        cluster.advance(Duration.ofMinutes(2));
        assertThat(asked(cluster)).containsExactly("9Gi", "9Gi");
        assertThat(capacity(cluster)).isEqualTo("9Gi");
        assertThat(ExpandedDiskPlugin.conditions(cluster)).isEmpty();
    }

    @Test
    void aDeathAtAnyWriteOrCallLeadsToTheSameEnd() {
        for (int moment = 1; moment <= 4; moment++) {
            int at = moment;
            size = Quantity.parse("1Gi");
            Cluster cluster = forgetful(cluster());
            cluster.diesAfter = write -> write == at;
            cluster.diesAfterCall = call -> call == at;
            ExpandedDiskPlugin.request(cluster, "3Gi").settle();
            assertThat(cluster.deaths).as("deaths at %s", at).isPositive();
            assertThat(capacity(cluster)).as("after a death at %s", at).isEqualTo("3Gi");
            assertThat(ExpandedDiskPlugin.conditions(cluster)).isEmpty();
        }
    }
}
