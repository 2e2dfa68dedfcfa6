// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.control.Controller;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Random acts of users, a store that fails, and news in any order; what must hold afterwards is said without the duties' own words. */
@DisplayName("All duties together, whatever happens in whatever order,")
class DutiesTogetherTest {
    private static final List<Kind<?>> KINDS = List.of(Kinds.CONFIG_MAP, Kinds.SECRET, Kinds.SERVICE_ACCOUNT);
    private static final List<String> NAMESPACES = List.of("x", "y");

    private final Map<String, Set<String>> ownersByUid = new HashMap<>();
    private final Map<String, String> kindByUid = new HashMap<>();
    private final Set<String> touchedByUsers = new TreeSet<>();

    @RepeatedTest(60)
    @DisplayName("come to rest, leave nothing over and take nothing that has an owner or none")
    void play(RepetitionInfo info) {
        long seed = info.getCurrentRepetition();
        Random random = new Random(seed);
        DutyWorld world = new DutyWorld(
                new Random(seed),
                BackgroundDuties.all(Kinds.standard(), DutyOptions.DEFAULT).toArray(new Controller[0]));
        NAMESPACES.forEach(name ->
                world.create(Kinds.NAMESPACE, Document.of(Map.of("metadata", DutyWorld.meta("", name)))));
        List<Document> made = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            world.fault = random.nextInt(4) == 0
                    ? Interception.refuse(
                            List.of(Failure.CONFLICT, Failure.UNAVAILABLE, Failure.THROTTLED)
                                    .get(random.nextInt(3)),
                            "planted")
                    : random.nextInt(6) == 0 ? Interception.loseAnswer("planted") : Interception.PROCEED;
            world.unreadable = random.nextInt(5) == 0 ? kind -> kind == Kinds.SECRET : kind -> false;
            act(world, random, made, i);
            if (random.nextInt(3) == 0) {
                world.settle();
            }
            if (random.nextInt(5) == 0) {
                world.advance(Duration.ofSeconds(random.nextInt(300)));
            }
        }
        boolean ends = random.nextBoolean();
        if (ends) {
            world.delete(Kinds.NAMESPACE, ObjectKey.cluster("y"));
        }
        world.fault = Interception.PROCEED;
        world.unreadable = kind -> false;
        world.advance(Duration.ofMinutes(10));
        assertThat(world.hasTimer()).isFalse();
        assertThat(world.counters.defects()).isZero();
        check(world, made, ends);
    }

    private void act(DutyWorld world, Random random, List<Document> made, int number) {
        if (made.isEmpty() || random.nextInt(3) > 0) {
            made.add(create(world, random, made, "o" + number));
            return;
        }
        Document victim = made.get(random.nextInt(made.size()));
        Kind<?> kind = kindOf(victim);
        ObjectKey key = keyOf(victim);
        if (world.find(kind, key).isPresent()) {
            Propagation how = random.nextInt(4) == 0 ? Propagation.FOREGROUND : Propagation.BACKGROUND;
            world.delete(kind, key, how);
            touchedByUsers.add(uid(victim));
        }
    }

    private Document create(DutyWorld world, Random random, List<Document> made, String name) {
        String namespace = NAMESPACES.get(random.nextInt(NAMESPACES.size()));
        List<Object> references = new ArrayList<>();
        Set<String> owners = new TreeSet<>();
        for (Document candidate : made) {
            if (random.nextInt(6) == 0 && keyOf(candidate).namespace().equals(namespace)) {
                references.add(DutyWorld.reference(candidate, random.nextBoolean()));
                owners.add(uid(candidate));
            }
        }
        Map<String, Object> meta = DutyWorld.meta(namespace, name);
        meta.put("ownerReferences", references);
        Kind<?> kind = KINDS.get(random.nextInt(KINDS.size()));
        Document created = world.create(kind, Document.of(Map.of("metadata", meta)));
        ownersByUid.put(uid(created), owners);
        kindByUid.put(uid(created), kind.name());
        return created;
    }

    /** An object is there if and only if no user deleted it, its namespace goes on, and it has no owners or one that is there. */
    private void check(DutyWorld world, List<Document> made, boolean yEnds) {
        Set<String> there = new TreeSet<>();
        KINDS.forEach(kind -> world.store.listDocuments(kind).orThrow().items().stream()
                .filter(object -> !keyOf(object).name().equals("default")) // a duty's own
                .forEach(object -> there.add(uid(object))));
        Set<String> expected = new TreeSet<>();
        for (Document object : made) { // owners come before their dependents
            Set<String> owners = ownersByUid.getOrDefault(uid(object), Set.of());
            boolean owned = owners.isEmpty() || owners.stream().anyMatch(expected::contains);
            boolean ended = yEnds && keyOf(object).namespace().equals("y");
            if (owned && !ended && !touchedByUsers.contains(uid(object))) {
                expected.add(uid(object));
            }
        }
        assertThat(there).isEqualTo(expected);
        assertThat(world.names(Kinds.NAMESPACE)).isEqualTo(yEnds ? List.of("x") : List.of("x", "y"));
    }

    private Kind<?> kindOf(Document object) {
        String name = kindByUid.getOrDefault(uid(object), "");
        return KINDS.stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static ObjectKey keyOf(Document object) {
        return ObjectKey.of(
                object.text("metadata", "namespace").orElseThrow(),
                object.text("metadata", "name").orElseThrow());
    }

    private static String uid(Document object) {
        return object.text("metadata", "uid").orElseThrow();
    }
}
