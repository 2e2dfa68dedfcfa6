// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.node.Heartbeat.Beat;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSystemInfo;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Node that is alive shows it, and an agent that has lost its Node notices. */
class HeartbeatTest {
    private static final Duration LEASE = Duration.ofSeconds(40);

    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), () -> now, IdSource.random(new Random(1))));
    private NodeRef node = new NodeRef("n1", "");

    @BeforeEach
    void register() {
        store.createDocument(Kinds.NAMESPACE, Document.of(Map.of("metadata", Map.of("name", Heartbeat.LEASES))));
        NodeSystemInfo info = new NodeSystemInfo("mooring-0.1.0", "b", "k", "o", "linux", "amd64", "m", "s");
        node = new NodeRegistration(
                        store, "n1", new NodeDescription(info, Map.of("cpu", Quantity.parse("2")), List.of()))
                .register();
    }

    private Heartbeat heartbeat(String holder) {
        return new Heartbeat(store, () -> new Time(now, now.toEpochMilli() * 1_000_000), node, holder, LEASE);
    }

    private Lease lease() {
        return store.get(Kinds.LEASE, ObjectKey.of(Heartbeat.LEASES, "n1")).orThrow();
    }

    private Node shown() {
        return store.get(Kinds.NODE, ObjectKey.cluster("n1")).orThrow();
    }

    @Test
    void theNodeSaysWhoItsAgentIsAndRegisteringAgainChangesNothing() {
        Node before = shown();
        assertThat(before.status().nodeInfo().map(NodeSystemInfo::kubeletVersion))
                .contains("mooring-0.1.0");
        assertThat(before.metadata().labels()).containsEntry("kubernetes.io/hostname", "n1");
        register();
        assertThat(shown()).isEqualTo(before);
    }

    @Test
    void theLeaseIsTheNodesAndRenewed() {
        Heartbeat heartbeat = heartbeat("a");
        assertThat(heartbeat.beat().beat()).isEqualTo(Beat.KEPT);
        assertThat(lease().metadata().ownerReferences())
                .allMatch(owner -> owner.uid().equals(node.uid()))
                .hasSize(1);
        now = now.plusSeconds(10);
        assertThat(heartbeat.beat().beat()).isEqualTo(Beat.KEPT);
        assertThat(lease().spec().renewTime()).contains(now);
        assertThat(lease().spec().leaseDurationSeconds()).contains(40L);
    }

    @Test
    void readyIsReportedEveryFiveMinutesAndNotBetween() {
        Heartbeat heartbeat = heartbeat("a");
        heartbeat.beat();
        Instant first = now;
        now = now.plusSeconds(200);
        heartbeat.beat();
        assertThat(shown().status().conditions())
                .allMatch(ready -> ready.lastHeartbeatTime().equals(Optional.of(first)))
                .anyMatch(ready -> ready.status() == ConditionStatus.TRUE);
        now = now.plusSeconds(101);
        heartbeat.beat();
        assertThat(shown().status().conditions())
                .allMatch(ready -> ready.lastHeartbeatTime().equals(Optional.of(now)))
                .allMatch(ready -> ready.lastTransitionTime().equals(Optional.of(first)));
    }

    @Test
    void aWriteThatNamesNoOtherHolderIsNoLoss() {
        Heartbeat heartbeat = heartbeat("a");
        heartbeat.beat();
        Lease there = lease();
        store.update(
                        Kinds.LEASE,
                        new Change<>(there, there.withMetadata(there.metadata().withLabels(Map.of("x", "y")))))
                .orThrow();
        assertThat(heartbeat.beat().beat()).isEqualTo(Beat.MISSED);
        assertThat(heartbeat.beat().beat()).isEqualTo(Beat.KEPT);
    }

    @Test
    void anAgentThatTakesTheLeaseHasTheNode() {
        Heartbeat mine = heartbeat("a");
        mine.beat();
        assertThat(heartbeat("n1").beat().beat()).isEqualTo(Beat.KEPT);

        Heartbeat.Result result = mine.beat();
        assertThat(result.beat()).isEqualTo(Beat.LOST);
        assertThat(result.why()).contains("taken by n1");
        assertThat(lease().spec().holderIdentity()).isEqualTo("n1");
    }

    @Test
    void aLeaseThatWentAndWasMadeByAnotherIsNotTakenFromIt() {
        Heartbeat mine = heartbeat("a");
        mine.beat();
        store.delete(Kinds.LEASE, ObjectKey.of(Heartbeat.LEASES, "n1"), DeleteOptions.DEFAULT);
        assertThat(mine.beat().beat()).isEqualTo(Beat.MISSED);
        heartbeat("n1").beat();

        assertThat(mine.beat().beat()).isEqualTo(Beat.LOST);
        assertThat(lease().spec().holderIdentity()).isEqualTo("n1");
    }

    @Test
    void aLeaseThatWentIsMadeAgain() {
        Heartbeat mine = heartbeat("a");
        mine.beat();
        store.delete(Kinds.LEASE, ObjectKey.of(Heartbeat.LEASES, "n1"), DeleteOptions.DEFAULT);
        mine.beat();

        assertThat(mine.beat().beat()).isEqualTo(Beat.KEPT);
        assertThat(lease().spec().holderIdentity()).isEqualTo("a");
    }

    @Test
    void anAgentOutlivesNeitherItsNodeNorAnotherOneOfTheName() {
        Heartbeat heartbeat = heartbeat("a");
        heartbeat.beat();
        store.delete(Kinds.NODE, ObjectKey.cluster("n1"), DeleteOptions.DEFAULT);
        now = now.plusSeconds(301);
        assertThat(heartbeat.beat()).isEqualTo(new Heartbeat.Result(Beat.LOST, "node n1 was deleted"));

        NodeRef old = node;
        register();
        assertThat(node.uid()).isNotEqualTo(old.uid());
        assertThat(List.of(heartbeat.beat().beat())).containsExactly(Beat.LOST);
    }
}
