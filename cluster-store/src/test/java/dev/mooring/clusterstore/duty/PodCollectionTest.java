// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Pods that no kubelet will ever end")
class PodCollectionTest {
    private static final ObjectKey NODE = ObjectKey.cluster("n");
    private static final ObjectKey POD = ObjectKey.of("x", "p");
    private static final Duration QUARANTINE = Duration.ofSeconds(40);

    private final DutyWorld world = new DutyWorld(BackgroundDuties.podCollection());

    private void node() {
        world.create(Kinds.NODE, Document.of(Map.of("metadata", DutyWorld.meta("", "n"))));
    }

    private void pod(String name, String node) {
        Document pod = Document.of(Map.of(
                "metadata", DutyWorld.meta("x", name), "spec", Map.of("containers", List.of(Map.of("name", "c")))));
        world.create(Kinds.POD, node.isEmpty() ? pod : pod.with(node, "spec", "nodeName"));
    }

    @Test
    @DisplayName("go when their node was away for 40 seconds, and are shown to have failed")
    void goWithTheirNode() {
        node();
        pod("p", "n");
        pod("elsewhere", "");
        world.settle().delete(Kinds.NODE, NODE).settle();
        world.advance(QUARANTINE.minusMillis(1));
        assertThat(world.names(Kinds.POD)).contains("p");
        assertThat(world.writes).isEmpty();
        world.finalizers(Kinds.POD, POD, "example.com/look").advance(Duration.ofSeconds(1));
        Document held = world.find(Kinds.POD, POD).orElseThrow();
        assertThat(held.text("status", "phase")).contains("Failed");
        assertThat(held.at("status", "conditions").orElseThrow().toString())
                .contains("DisruptionTarget", "DeletionByPodGC");
        assertThat(held.at("metadata", "deletionGracePeriodSeconds")).contains(0L);
        int written = world.writes.size();
        world.advance(Duration.ofMinutes(10));
        assertThat(world.writes).hasSize(written); // what a finalizer holds is not asked for again and again
        world.finalizers(Kinds.POD, POD).settle();
        assertThat(world.names(Kinds.POD)).containsExactly("elsewhere");
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("stay with a node that is created again in time")
    void stayWithANewNode() {
        pod("p", "n");
        world.settle().advance(QUARANTINE.minusSeconds(1));
        node();
        world.settle().advance(Duration.ofMinutes(10));
        assertThat(world.names(Kinds.POD)).containsExactly("p");
        world.delete(Kinds.NODE, NODE).advance(QUARANTINE.minusSeconds(1));
        assertThat(world.names(Kinds.POD)).containsExactly("p"); // it is away since now
    }

    @Test
    @DisplayName("stay as long as it is not known whether their node has gone")
    void stayInDoubt() {
        pod("p", "n");
        world.unreadable = kind -> kind == Kinds.NODE;
        world.settle().advance(Duration.ofMinutes(5));
        assertThat(world.writes).isEmpty();
        world.unreadable = kind -> false;
        world.advance(Duration.ofHours(1));
        assertThat(world.names(Kinds.POD)).isEmpty();
    }

    @Test
    @DisplayName("stay if only the news of their node are late")
    void stayIfTheNewsAreLate() {
        world.held.add(Kinds.NODE);
        node();
        pod("p", "n");
        world.settle().advance(Duration.ofMinutes(5));
        assertThat(world.names(Kinds.POD)).containsExactly("p");
        assertThat(world.writes).isEmpty();
    }

    @Test
    @DisplayName("go at once if they are being deleted on a node that is out of service")
    void goFromANodeOutOfService() {
        node();
        pod("p", "n");
        pod("other", "n");
        world.delete(Kinds.POD, POD).settle();
        assertThat(world.names(Kinds.POD)).contains("p");
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
        world.settle();
        assertThat(world.names(Kinds.POD)).containsExactly("other");
    }
}
