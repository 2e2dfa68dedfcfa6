// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.Interception;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The end of a namespace")
class NamespaceTerminationTest {
    private static final ObjectKey X = ObjectKey.cluster("x");
    private final DutyWorld world = new DutyWorld(BackgroundDuties.namespaceTermination(Kinds.standard()));

    NamespaceTerminationTest() {
        namespace("x");
        namespace("y");
    }

    private void namespace(String name) {
        world.create(Kinds.NAMESPACE, Document.of(Map.of("metadata", DutyWorld.meta("", name))));
    }

    private void pod(String name, String node) {
        world.create(
                Kinds.POD,
                Document.of(Map.of(
                        "metadata",
                        DutyWorld.meta("x", name),
                        "spec",
                        Map.of("nodeName", node, "containers", List.of(Map.of("name", "c", "image", "i"))))));
    }

    @Test
    @DisplayName("comes at once where there is nothing in it, after live lists have shown that")
    void empty() {
        world.settle().delete(Kinds.NAMESPACE, X);
        assertThat(world.find(Kinds.NAMESPACE, X).orElseThrow().text("status", "phase"))
                .contains("Terminating");
        world.settle();
        assertThat(world.names(Kinds.NAMESPACE)).containsExactly("y");
        assertThat(world.writes).hasSize(1);
        assertThat(world.counters.reads())
                .isEqualTo(Kinds.standard().all().stream()
                        .filter(kind -> kind.namespaced())
                        .count());
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("takes its content along, and nothing of other namespaces")
    void content() {
        for (int i = 0; i < 250; i++) {
            world.config("x", "c" + i);
        }
        pod("p", "");
        world.config("y", "c");
        world.settle().delete(Kinds.NAMESPACE, X).settle();
        assertThat(world.names(Kinds.NAMESPACE)).containsExactly("y");
        assertThat(world.names(Kinds.CONFIG_MAP)).containsExactly("c");
        assertThat(world.names(Kinds.POD)).isEmpty();
    }

    @Test
    @DisplayName("waits for finalizers and for pods that are still running")
    void waits() {
        world.config("x", "held");
        world.finalizers(Kinds.CONFIG_MAP, ObjectKey.of("x", "held"), "example.com/hold");
        pod("p", "n");
        world.settle().delete(Kinds.NAMESPACE, X).advance(Duration.ofHours(1));
        assertThat(world.names(Kinds.NAMESPACE)).containsExactly("x", "y");
        assertThat(world.find(Kinds.POD, ObjectKey.of("x", "p")).orElseThrow().at("metadata", "deletionTimestamp"))
                .isPresent();
        assertThat(world.writes).hasSize(2);
        assertThat(world.hasTimer()).isFalse();
        world.finalizers(Kinds.CONFIG_MAP, ObjectKey.of("x", "held"));
        world.store
                .deleteObject(Kinds.POD, ObjectKey.of("x", "p"), DeleteOptions.DEFAULT.withGracePeriodSeconds(0))
                .orThrow();
        world.settle();
        assertThat(world.names(Kinds.NAMESPACE)).containsExactly("y");
    }

    @Test
    @DisplayName("finds content that it was not told of")
    void unheard() {
        world.settle().held.add(Kinds.CONFIG_MAP);
        world.config("x", "late");
        world.delete(Kinds.NAMESPACE, X).settle();
        assertThat(world.names(Kinds.CONFIG_MAP)).isEmpty();
        world.held.clear();
        world.settle();
        assertThat(world.names(Kinds.NAMESPACE)).containsExactly("y");
    }

    @Test
    @DisplayName("does not come while a kind cannot be listed")
    void unreadable() {
        world.settle();
        world.unreadable = kind -> kind == Kinds.SECRET;
        world.delete(Kinds.NAMESPACE, X).advance(Duration.ofMinutes(10));
        assertThat(world.names(Kinds.NAMESPACE)).containsExactly("x", "y");
        assertThat(world.counters.reads()).isLessThan(300);
        world.unreadable = kind -> false;
        world.advance(Duration.ofMinutes(5));
        assertThat(world.names(Kinds.NAMESPACE)).containsExactly("y");
    }

    @Test
    @DisplayName("goes on after refused deletions, one of which does not hold up the others")
    void refused() {
        world.config("x", "a");
        world.settle();
        world.fault = Interception.refuse(Failure.FORBIDDEN, "planted");
        world.delete(Kinds.NAMESPACE, X).advance(Duration.ofMinutes(10));
        assertThat(world.counters.writes()).isBetween(5L, 60L);
        world.fault = Interception.PROCEED;
        world.advance(Duration.ofMinutes(5));
        assertThat(world.names(Kinds.NAMESPACE)).containsExactly("y");
    }

    @Test
    @DisplayName("lets nothing new in")
    void closed() {
        world.config("x", "held");
        world.finalizers(Kinds.CONFIG_MAP, ObjectKey.of("x", "held"), "example.com/hold");
        world.settle().delete(Kinds.NAMESPACE, X).settle();
        StoreResult<Document> refused = world.store.createDocument(
                Kinds.CONFIG_MAP, Document.of(Map.of("metadata", DutyWorld.meta("x", "new"))));
        assertThat(refused.failure()).contains(Failure.FORBIDDEN);
        assertThat(refused.<String>match(ok -> "", StoreResult.Failed::message))
                .contains("unable to create new content in namespace x because it is being terminated");
        world.config("elsewhere", "new");
    }

    @Test
    @DisplayName("waits for finalizers of the namespace itself")
    void ownFinalizer() {
        world.finalizers(Kinds.NAMESPACE, X, "example.com/hold");
        world.settle().delete(Kinds.NAMESPACE, X).settle();
        Document held = world.find(Kinds.NAMESPACE, X).orElseThrow();
        assertThat(held.at("spec", "finalizers").filter(list -> !List.of().equals(list)))
                .isEmpty();
        world.finalizers(Kinds.NAMESPACE, X).settle();
        assertThat(world.names(Kinds.NAMESPACE)).containsExactly("y");
    }

    @Test
    @DisplayName("spares what is in a new namespace of the same name")
    void namesake() {
        world.settle().held.add(Kinds.NAMESPACE);
        world.config("x", "old");
        world.delete(Kinds.NAMESPACE, X);
        world.store
                .patchDocument(Kinds.NAMESPACE, X, "", Document.empty().with(List.of(), "spec", "finalizers"))
                .orThrow();
        namespace("x");
        world.config("x", "new");
        world.settle();
        world.held.clear();
        world.settle();
        assertThat(world.names(Kinds.CONFIG_MAP)).containsExactlyInAnyOrder("new", "old");
        assertThat(world.writes).isEmpty();
    }
}
