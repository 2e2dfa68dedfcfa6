// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the node says of itself, and the handshake that hangs on it. */
class NodeReportTest {
    private static final String VOLUME = "example.com/fake//data/pv1";

    private static Node node(NodeWorld world) {
        return world.store.get(Kinds.NODE, ObjectKey.cluster("n1")).orElseThrow();
    }

    @Test
    void reportsReadyOnceAndLeavesItToTheHeartbeatThen() {
        NodeWorld world = NodeWorld.withNode();
        world.run();
        Node reported = node(world);
        assertThat(Conditions.statusOf(reported.status().conditions(), "Ready")).contains(ConditionStatus.TRUE);

        world.store.put(
                Kinds.NODE,
                reported.withStatus(reported.status()
                        .withConditions(Conditions.with(
                                reported.status().conditions(),
                                "Ready",
                                ConditionStatus.UNKNOWN,
                                "",
                                "",
                                Instant.EPOCH))));
        world.run();
        assertThat(Conditions.statusOf(node(world).status().conditions(), "Ready"))
                .contains(ConditionStatus.UNKNOWN);

        world.restart();
        world.run();
        assertThat(Conditions.statusOf(node(world).status().conditions(), "Ready"))
                .contains(ConditionStatus.TRUE);
    }

    @Test
    void aNodeThatIsReadyIsNotWritten() {
        NodeWorld world = NodeWorld.withNode();
        Condition ready = new Condition(
                "Ready", ConditionStatus.TRUE, "", "", Optional.empty(), Optional.empty(), Optional.empty());
        world.store.put(Kinds.NODE, node(world).withStatus(node(world).status().withConditions(List.of(ready))));

        Revision before = world.store.revision();

        world.run();

        assertThat(world.store.revision()).isEqualTo(before);
    }

    @Test
    void anotherNodeOfTheSameNameIsNotReported() {
        NodeWorld world = NodeWorld.withNode();
        world.store.put(
                Kinds.NODE, node(world).withMetadata(node(world).metadata().withUid("another")));

        Revision before = world.store.revision();

        world.run();

        assertThat(world.store.revision()).isEqualTo(before);
    }

    @Test
    void anAttachableVolumeIsInUseBeforeItIsPublishedAndUntilItIsGone() {
        NodeWorld world = new NodeWorld(new FakePlugin.Attached());
        world.store.put(Kinds.NODE, SmallCluster.node());
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        world.run();
        assertThat(node(world).status().volumesInUse()).containsExactly(VOLUME);
        assertThat(world.calls).isEmpty();

        world.attach("/data/pv1");
        world.run();
        assertThat(world.calls).containsExactly("publish pv1");

        world.faults = call -> {
            assertThat(node(world).status().volumesInUse()).containsExactly(VOLUME);
            return Optional.empty();
        };
        world.store.remove(Kinds.POD, ObjectKey.of("ns", "web"));
        world.run();
        assertThat(world.mounts).isEmpty();
        assertThat(node(world).status().volumesInUse()).isEmpty();
    }

    private static void podWithVolume(NodeWorld world, int i) {
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv" + i, "data" + i));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data" + i, "pv" + i));
        world.store.put(Kinds.POD, SmallCluster.pod("web" + i, SmallCluster.claimed("v", "data" + i)));
    }

    /** No write waits for others, and none is sent while one is on its way: each has all that there is when it is sent (§7.5). */
    @Test
    void whatIsNeededWhileAReportIsOnItsWayGoesWithTheNextOne() {
        NodeWorld world = new NodeWorld(new FakePlugin.Attached());
        world.store.put(Kinds.NODE, SmallCluster.node());
        List<Integer> reported = new ArrayList<>();
        world.storeFaults = effect -> {
            if (effect instanceof Effect.UpdateStatus<?> write && write.change().edited() instanceof Node wanted) {
                reported.add(wanted.status().volumesInUse().size());
                int pods = world.store.all(Kinds.POD).size();
                for (int i = pods; i < Math.min(pods + 10, 30); i++) {
                    podWithVolume(world, i);
                }
            }
            return Optional.empty();
        };
        podWithVolume(world, 0);
        world.run(0);
        assertThat(reported).containsExactly(1, 11, 21, 30);
    }
}
