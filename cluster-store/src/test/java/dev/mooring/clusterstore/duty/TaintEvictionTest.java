// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Pods on a node that gets a taint NoExecute")
class TaintEvictionTest {
    private static final ObjectKey NODE = ObjectKey.cluster("n");

    private final DutyWorld world = new DutyWorld(BackgroundDuties.taintEviction());

    @BeforeEach
    void node() {
        world.create(Kinds.NODE, Document.of(Map.of("metadata", DutyWorld.meta("", "n"))));
    }

    private static Map<String, Object> taint(String key, String effect) {
        return Map.of("key", key, "value", "v", "effect", effect);
    }

    private static Map<String, Object> tolerated(String key, long seconds) {
        return Map.of("key", key, "operator", "Exists", "effect", "NoExecute", "tolerationSeconds", seconds);
    }

    private void taints(Object... taints) {
        world.store
                .patchDocument(Kinds.NODE, NODE, "", Document.empty().with(List.of(taints), "spec", "taints"))
                .orThrow();
        world.settle();
    }

    /** A pod that a finalizer keeps, so that what became of it can be seen. */
    private void pod(String name, String node, Object... tolerations) {
        Document pod = Document.of(Map.of(
                        "metadata",
                        DutyWorld.meta("x", name),
                        "spec",
                        Map.of("containers", List.of(Map.of("name", "c")))))
                .with(List.of("example.com/look"), "metadata", "finalizers")
                .with(List.of(tolerations), "spec", "tolerations");
        world.create(Kinds.POD, node.isEmpty() ? pod : pod.with(node, "spec", "nodeName"));
        world.settle();
    }

    private boolean isEvicted(String name) {
        Document pod = world.find(Kinds.POD, ObjectKey.of("x", name)).orElseThrow();
        return pod.at("metadata", "deletionTimestamp").isPresent();
    }

    @Test
    @DisplayName("are deleted at once, and show why, unless they tolerate it")
    void goAtOnce() {
        pod("p", "n");
        pod("elsewhere", "");
        pod("other", "n", Map.of("key", "k", "operator", "Equal", "value", "w"));
        pod("tolerant", "n", Map.of("key", "k", "operator", "Equal", "value", "v"));
        taints(taint("k", "NoSchedule"));
        assertThat(isEvicted("p")).isFalse();
        taints(taint("k", "NoExecute"));
        assertThat(isEvicted("p")).isTrue();
        assertThat(isEvicted("other")).isTrue();
        assertThat(isEvicted("elsewhere")).isFalse();
        assertThat(isEvicted("tolerant")).isFalse();
        assertThat(world.find(Kinds.POD, ObjectKey.of("x", "p"))
                        .orElseThrow()
                        .at("status", "conditions")
                        .orElseThrow()
                        .toString())
                .contains("DisruptionTarget", "DeletionByTaintManager");
        assertThat(world.announced).containsExactly("TaintManagerEviction", "TaintManagerEviction");
        int written = world.writes.size();
        world.advance(Duration.ofHours(1));
        assertThat(world.writes).as("nothing is asked for twice").hasSize(written);
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("are deleted when they begin to run there")
    void goWhenTheyCome() {
        taints(taint("k", "NoExecute"));
        pod("p", "n");
        assertThat(isEvicted("p")).isTrue();
    }

    @Test
    @DisplayName("stay for as long as they tolerate it")
    void stayForAWhile() {
        pod("p", "n", tolerated("k", 60), tolerated("other", 10));
        taints(taint("k", "NoExecute"));
        world.advance(Duration.ofSeconds(59));
        assertThat(isEvicted("p")).isFalse();
        world.advance(Duration.ofSeconds(1));
        assertThat(isEvicted("p")).isTrue();
    }

    @Test
    @DisplayName("stay if it goes in time, and are given all of their time again when it comes back")
    void stayIfItGoes() {
        pod("p", "n", tolerated("k", 60));
        taints(taint("k", "NoExecute"));
        world.advance(Duration.ofSeconds(59));
        taints();
        world.advance(Duration.ofHours(1));
        taints(taint("k", "NoExecute"));
        world.advance(Duration.ofSeconds(59));
        assertThat(isEvicted("p")).isFalse();
        world.advance(Duration.ofSeconds(1));
        assertThat(isEvicted("p")).isTrue();
    }

    @Test
    @DisplayName("go by the shortest of several times, counted from the first taint")
    void goByTheShortestTime() {
        pod("p", "n", tolerated("k", 600), tolerated("other", 60));
        taints(taint("k", "NoExecute"));
        world.advance(Duration.ofSeconds(50));
        taints(taint("k", "NoExecute"), taint("other", "NoExecute"));
        assertThat(isEvicted("p")).isFalse();
        world.advance(Duration.ofSeconds(10));
        assertThat(isEvicted("p")).isTrue();
    }

    @Test
    @DisplayName("stay for ever if they tolerate it without or with an endless time, and go at once by a negative one")
    void oddTimes() {
        pod("ever", "n", Map.of("operator", "Exists"));
        pod("endless", "n", tolerated("k", Long.MAX_VALUE));
        pod("negative", "n", tolerated("k", -1));
        taints(taint("k", "NoExecute"));
        assertThat(isEvicted("negative")).isTrue();
        world.advance(Duration.ofDays(1_000));
        assertThat(isEvicted("ever")).isFalse();
        assertThat(isEvicted("endless")).isFalse();
        assertThat(world.counters.defects()).isZero();
    }

    @Test
    @DisplayName("stay for five minutes if it is that of a silent node and they say nothing of it")
    void stayWithASilentNode() {
        pod("p", "n");
        pod("impatient", "n", tolerated("node.kubernetes.io/unreachable", 5));
        taints(taint("node.kubernetes.io/unreachable", "NoExecute"));
        world.advance(Duration.ofSeconds(299));
        assertThat(isEvicted("p")).isFalse();
        assertThat(isEvicted("impatient")).isTrue();
        world.advance(Duration.ofSeconds(1));
        assertThat(isEvicted("p")).isTrue();
    }

    @Test
    @DisplayName("do not cause anything while the node only lives")
    void heartbeatsAreNoNews() {
        pod("p", "n", tolerated("k", 60));
        taints(taint("k", "NoExecute"));
        world.advance(Duration.ofSeconds(30));
        world.store
                .patchDocument(Kinds.NODE, NODE, "", Document.empty().with("y", "metadata", "labels", "x"))
                .orThrow();
        world.settle().advance(Duration.ofSeconds(30));
        assertThat(isEvicted("p")).isTrue();
    }
}
