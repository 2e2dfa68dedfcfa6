// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The life cycle of a node")
class NodeLifecycleTest {
    private static final ObjectKey NODE = ObjectKey.cluster("n");
    private static final ObjectKey LEASE = ObjectKey.of("kube-node-lease", "n");
    private static final Duration GRACE = Duration.ofSeconds(50);
    private final DutyWorld world = new DutyWorld(BackgroundDuties.nodeLifecycle(DutyOptions.DEFAULT));

    private void node() {
        world.create(Kinds.NODE, Document.of(Map.of("metadata", DutyWorld.meta("", "n"))));
    }

    private void lease() {
        world.create(
                Kinds.LEASE,
                Document.of(Map.of(
                        "metadata",
                        DutyWorld.meta("kube-node-lease", "n"),
                        "spec",
                        Map.of("holderIdentity", "n", "renewTime", microTime()))));
    }

    private String microTime() {
        return world.wall().toString().replace("Z", ".000000Z");
    }

    private void renew() {
        world.store
                .patchDocument(Kinds.LEASE, LEASE, "", Document.empty().with(microTime(), "spec", "renewTime"))
                .orThrow();
    }

    private void report(String status, boolean heartbeat) {
        Document condition = Document.empty()
                .with("Ready", "type")
                .with(status, "status")
                .with("AgentReady", "reason")
                .with(world.wall().toString(), "lastTransitionTime");
        if (heartbeat) {
            condition = condition.with(world.wall().toString(), "lastHeartbeatTime");
        }
        Document pressure = Document.empty().with("MemoryPressure", "type").with("False", "status");
        Document other = Document.empty().with("KernelDeadlock", "type").with("False", "status");
        world.store
                .patchDocument(
                        Kinds.NODE,
                        NODE,
                        "status",
                        Document.empty()
                                .with(
                                        List.of(condition.asMap(), pressure.asMap(), other.asMap()),
                                        "status",
                                        "conditions"))
                .orThrow();
    }

    private List<String> conditions() {
        List<String> found = new ArrayList<>();
        world.store
                .get(Kinds.NODE, NODE)
                .orThrow()
                .status()
                .conditions()
                .forEach(each -> found.add(each.type() + " " + each.status() + " " + each.reason()));
        return found;
    }

    private List<String> taints() {
        List<String> found = new ArrayList<>();
        world.store
                .get(Kinds.NODE, NODE)
                .orThrow()
                .spec()
                .taints()
                .forEach(each -> found.add(each.key() + ":" + each.effect()));
        return found;
    }

    @Test
    @DisplayName("leaves a node alone that gives no sign of life by itself")
    void noHeartbeat() {
        node();
        report("True", false);
        world.advance(Duration.ofDays(1));
        assertThat(world.writes).isEmpty();
        assertThat(world.counters.timers()).isZero();
    }

    @Test
    @DisplayName("marks and taints a node whose heartbeat stops for 50 s, and not before")
    void heartbeatStops() {
        node();
        for (int i = 0; i < 10; i++) {
            report("True", true);
            world.advance(Duration.ofSeconds(45));
        }
        assertThat(world.writes).isEmpty();
        world.advance(Duration.ofSeconds(4));
        assertThat(world.writes).isEmpty();
        world.advance(Duration.ofSeconds(1));
        assertThat(conditions())
                .containsExactly(
                        "Ready UNKNOWN NodeStatusUnknown",
                        "MemoryPressure UNKNOWN NodeStatusUnknown",
                        "KernelDeadlock FALSE ");
        assertThat(taints())
                .containsExactly(
                        "node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute");
        assertThat(world.writes).hasSize(2);
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("takes the taints back when the node reports again")
    void heartbeatReturns() {
        node();
        report("True", true);
        world.advance(GRACE);
        assertThat(taints()).hasSize(2);
        report("True", true);
        world.settle();
        assertThat(taints()).isEmpty();
        assertThat(world.hasTimer()).isTrue();
    }

    @Test
    @DisplayName("taints a node that says itself that it is not ready")
    void notReady() {
        node();
        report("False", true);
        world.settle();
        assertThat(taints())
                .containsExactly("node.kubernetes.io/not-ready:NoSchedule", "node.kubernetes.io/not-ready:NoExecute");
        world.advance(GRACE);
        assertThat(taints())
                .containsExactly(
                        "node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute");
    }

    @Test
    @DisplayName("takes a renewed lease for a sign of life, and a node back whose lease is renewed after a silence")
    void lease50() {
        node();
        report("True", false);
        lease();
        for (int i = 0; i < 10; i++) {
            world.advance(Duration.ofSeconds(45));
            renew();
        }
        assertThat(world.writes).isEmpty();
        world.advance(GRACE);
        assertThat(conditions()).contains("Ready UNKNOWN NodeStatusUnknown");
        renew();
        world.settle();
        assertThat(conditions()).contains("Ready TRUE NodeLeaseRenewed");
        assertThat(taints()).isEmpty();
    }

    @Test
    @DisplayName("does not take a dead node back because it sees an old lease for the first time")
    void oldLease() {
        node();
        report("True", false);
        lease();
        world.advance(GRACE);
        assertThat(conditions()).contains("Ready UNKNOWN NodeStatusUnknown");
        Document node = world.find(Kinds.NODE, NODE).orElseThrow();
        Document lease = world.find(Kinds.LEASE, LEASE).orElseThrow();
        DutyWorld next = new DutyWorld(BackgroundDuties.nodeLifecycle(DutyOptions.DEFAULT));
        next.store.loadDocument(Kinds.NODE, node).orThrow();
        next.store.loadDocument(Kinds.LEASE, lease).orThrow();
        next.advance(Duration.ofHours(1));
        assertThat(next.writes).isEmpty();
        assertThat(next.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("says of a node that only ever had a lease that it never reported")
    void neverReported() {
        node();
        lease();
        world.advance(GRACE);
        assertThat(conditions()).containsExactly("Ready UNKNOWN NodeStatusNeverUpdated");
        world.advance(Duration.ofMinutes(5));
        assertThat(world.writes).hasSize(2);
        assertThat(world.hasTimer()).isFalse();
        renew();
        world.settle();
        assertThat(conditions()).containsExactly("Ready TRUE NodeLeaseRenewed");
    }

    @Test
    @DisplayName("keeps the taints of others")
    void otherTaints() {
        node();
        world.store
                .patchDocument(
                        Kinds.NODE,
                        NODE,
                        "",
                        Document.empty()
                                .with(
                                        List.of(Map.of(
                                                "key", "node.kubernetes.io/out-of-service", "effect", "NoExecute")),
                                        "spec",
                                        "taints"))
                .orThrow();
        report("True", true);
        world.advance(GRACE);
        assertThat(taints()).hasSize(3);
        report("True", true);
        world.settle();
        assertThat(taints()).containsExactly("node.kubernetes.io/out-of-service:NoExecute");
    }

    @Test
    @DisplayName("starts its clock again for a new node of the same name")
    void namesake() {
        node();
        report("True", true);
        world.advance(Duration.ofSeconds(40));
        world.delete(Kinds.NODE, NODE);
        node();
        report("True", true);
        world.advance(Duration.ofSeconds(40));
        assertThat(world.writes).isEmpty();
    }
}
