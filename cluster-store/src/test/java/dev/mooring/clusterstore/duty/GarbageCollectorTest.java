// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.Interception;
import dev.mooring.clusterstore.collection.Collector;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Garbage collection")
class GarbageCollectorTest {
    private static final Kind<?> CONFIG = Kinds.CONFIG_MAP;
    private final DutyWorld world = new DutyWorld(BackgroundDuties.garbageCollection(Kinds.standard()));

    private static ObjectKey key(String name) {
        return ObjectKey.of("x", name);
    }

    private Document secret(String name) {
        return world.create(Kinds.SECRET, Document.of(Map.of("metadata", DutyWorld.meta("x", name))));
    }

    @Test
    @DisplayName("decides nothing about objects without owners, and leaves no timer")
    void idle() {
        world.config("x", "a");
        world.config("x", "b");
        world.settle().delete(CONFIG, key("a")).settle();
        assertThat(world.counters.decisions()).isZero();
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("follows the chain of owners, each with one proof")
    void chain() {
        world.config("x", "c", world.config("x", "b", world.config("x", "a")));
        world.settle().delete(CONFIG, key("a")).settle();
        assertThat(world.names(CONFIG)).isEmpty();
        assertThat(world.writes).hasSize(2);
        assertThat(world.counters.reads()).isEqualTo(2);
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("keeps an object whose owner it has not heard of yet, but the store has")
    void unheardOwner() {
        world.settle().held.add(Kinds.SECRET);
        world.config("x", "b", secret("a"));
        world.settle();
        assertThat(world.names(CONFIG)).containsExactly("b");
        assertThat(world.counters.reads()).isOne();
        assertThat(world.writes).isEmpty();
        world.held.clear();
        world.settle().delete(Kinds.SECRET, key("a")).settle();
        assertThat(world.names(CONFIG)).isEmpty();
    }

    @Test
    @DisplayName("deletes nothing while absence cannot be proved, and goes on later")
    void noProof() {
        world.config("x", "b", world.config("x", "a"));
        world.settle();
        world.unreadable = kind -> true;
        world.delete(CONFIG, key("a")).advance(Duration.ofMinutes(10));
        assertThat(world.names(CONFIG)).containsExactly("b");
        assertThat(world.counters.reads()).isBetween(5L, 60L);
        world.unreadable = kind -> false;
        world.advance(Duration.ofMinutes(3));
        assertThat(world.names(CONFIG)).isEmpty();
        world.advance(Duration.ofMinutes(3));
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("takes an owner of the same name with another uid for none")
    void otherUid() {
        world.config("x", "b", world.config("x", "a"));
        world.settle().delete(CONFIG, key("a"));
        world.config("x", "a");
        world.settle();
        assertThat(world.names(CONFIG)).containsExactly("a");
    }

    @Test
    @DisplayName("keeps what has another owner, without the reference to the one that went")
    void otherOwner() {
        Document other = world.config("x", "o");
        world.config("x", "b", world.config("x", "a"), other);
        world.settle().delete(CONFIG, key("a")).settle();
        assertThat(world.find(CONFIG, key("b")).orElseThrow().at("metadata", "ownerReferences"))
                .contains(List.of(DutyWorld.reference(other, true)));
    }

    @Test
    @DisplayName("never collects an object outside of namespaces whose owner is in one")
    void clusterScopedDependent() {
        Document owner = world.config("x", "a");
        Map<String, Object> meta = DutyWorld.meta("", "n");
        meta.put("ownerReferences", List.of(DutyWorld.reference(owner, false)));
        world.create(Kinds.NODE, Document.of(Map.of("metadata", meta)));
        world.settle().delete(CONFIG, key("a")).settle();
        assertThat(world.names(Kinds.NODE)).containsExactly("n");
        assertThat(world.counters.reads()).isZero();
    }

    @Test
    @DisplayName("collects a node's lease with the node")
    void clusterScopedOwner() {
        Document node = world.create(Kinds.NODE, Document.of(Map.of("metadata", DutyWorld.meta("", "n"))));
        Map<String, Object> meta = DutyWorld.meta("kube-node-lease", "n");
        meta.put("ownerReferences", List.of(DutyWorld.reference(node, false)));
        world.create(Kinds.LEASE, Document.of(Map.of("metadata", meta)));
        world.settle();
        assertThat(world.names(Kinds.LEASE)).containsExactly("n");
        world.delete(Kinds.NODE, ObjectKey.cluster("n")).settle();
        assertThat(world.names(Kinds.LEASE)).isEmpty();
    }

    @Test
    @DisplayName(
            "lets an owner that orphans go only after a live list, which also finds a dependent that was overlooked")
    void orphans() {
        world.settle().held.add(CONFIG);
        world.config("x", "b", secret("a"));
        world.delete(Kinds.SECRET, key("a"), Propagation.ORPHAN).settle();
        assertThat(world.names(Kinds.SECRET)).isEmpty();
        assertThat(world.find(CONFIG, key("b")).orElseThrow().at("metadata", "ownerReferences"))
                .isEmpty();
        world.held.clear();
        world.settle();
        assertThat(world.names(CONFIG)).containsExactly("b");
    }

    @Test
    @DisplayName("deletes dependents first in the foreground, and waits for their finalizers")
    void foreground() {
        world.config("x", "c", world.config("x", "b", world.config("x", "a")));
        world.finalizers(CONFIG, key("c"), "example.com/hold");
        world.settle().delete(CONFIG, key("a"), Propagation.FOREGROUND).settle();
        assertThat(world.names(CONFIG)).containsExactly("a", "b", "c");
        world.finalizers(CONFIG, key("c")).settle();
        assertThat(world.names(CONFIG)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Failure.class,
            names = {"CONFLICT", "UNAVAILABLE", "FORBIDDEN", "UNKNOWN", "THROTTLED"})
    @DisplayName("tries again what the store refuses, at growing distances")
    void refused(Failure failure) {
        world.config("x", "b", world.config("x", "a"));
        world.settle();
        world.fault = Interception.refuse(failure, "planted");
        world.delete(CONFIG, key("a")).advance(Duration.ofMinutes(10));
        assertThat(world.names(CONFIG)).containsExactly("b");
        assertThat(world.counters.writes()).isBetween(5L, 60L);
        world.fault = Interception.PROCEED;
        world.advance(Duration.ofMinutes(5));
        assertThat(world.names(CONFIG)).isEmpty();
    }

    @Test
    @DisplayName("finds what was left from before its start")
    void restart() {
        DutyWorld old = new DutyWorld();
        old.config("x", "b", old.config("x", "a"));
        old.delete(CONFIG, key("a"));
        Document left = old.find(CONFIG, key("b")).orElseThrow();
        world.store.loadDocument(CONFIG, left).orThrow();
        world.settle();
        assertThat(world.names(CONFIG)).isEmpty();
    }

    @Test
    @DisplayName("comes to the same end as collecting everything at once, in any order of news, decisions and effects")
    void sameAsSweep() {
        for (int seed = 0; seed < 60; seed++) {
            DutyWorld driven = new DutyWorld(new Random(seed), BackgroundDuties.garbageCollection(Kinds.standard()));
            DutyWorld swept = new DutyWorld();
            play(new Random(seed), swept, false);
            play(new Random(seed), driven, true);
            driven.settle();
            new Collector(swept.store).sweep();
            assertThat(driven.names(CONFIG)).as("seed " + seed).isEqualTo(swept.names(CONFIG));
        }
    }

    /** Owners are made before their dependents, and nothing is done to what has been deleted. */
    private static void play(Random random, DutyWorld world, boolean interleaved) {
        List<Document> made = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            List<Document> owners = new ArrayList<>();
            for (Document candidate : made) {
                if (random.nextInt(4) == 0) {
                    owners.add(candidate);
                }
            }
            made.add(world.config("x", "o" + (char) ('a' + i), random.nextBoolean(), owners.toArray(new Document[0])));
        }
        if (interleaved) {
            world.settle();
        }
        Propagation how = List.of(Propagation.values()).get(random.nextInt(Propagation.values().length));
        world.delete(CONFIG, key("o" + (char) ('a' + random.nextInt(12))), how);
    }
}
