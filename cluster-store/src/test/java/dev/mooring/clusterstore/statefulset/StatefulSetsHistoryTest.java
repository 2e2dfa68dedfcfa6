// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.Interception;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteVerb;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A controller at a store in which users and nodes do what they like, one thing at a time. */
@Tag("long")
class StatefulSetsHistoryTest {
    private static final ObjectKey KEY = ObjectKey.of("ns", "web");
    private static final int STEPS = 120;

    private Instant now = Instant.parse("2024-01-01T00:00:00Z");
    private long nanos;
    private final List<Announcement> told = new ArrayList<>();
    private Random random = new Random(1);
    private boolean isFaulty;
    private final List<String> history = new ArrayList<>();
    private final Set<String> claimUids = new HashSet<>();

    private MemoryClusterStore store(Random chance) {
        MemoryClusterStore[] made = new MemoryClusterStore[1];
        made[0] = new MemoryClusterStore(StoreOptions.of(
                        StoredKinds.withStandard(), () -> now, IdSource.random(new Random(chance.nextLong())))
                .withInterceptor(request -> {
                    if (request.verb() == WriteVerb.CREATE
                            && request.kind() == Kinds.POD
                            && request.client().equals("statefulset-controller")) {
                        checkOrder(made[0], request.key().name());
                    }
                    return isFaulty ? fault() : Interception.PROCEED;
                }));
        made[0].createDocument(Kinds.NAMESPACE, SetDocuments.json("{'metadata':{'name':'ns'}}"))
                .orThrow();
        return made[0];
    }

    private Interception fault() {
        return switch (random.nextInt(6)) {
            case 0 -> Interception.refuse(Failure.UNAVAILABLE, "a fault");
            case 1 -> Interception.loseAnswer("a fault");
            default -> Interception.PROCEED;
        };
    }

    /** Of an ordered set a pod is made only while all before it are well. */
    private void checkOrder(MemoryClusterStore store, String name) {
        SetSpec spec = new SetSpec(set(store));
        for (Document pod : spec.isParallel() ? List.<Document>of() : all(store, Kinds.POD)) {
            assertThat(new MemberState(pod).isUnavailable(0, now)
                            && Fields.name(pod).compareTo(name) < 0)
                    .as("%s is made before %s is ready: %s", name, Fields.name(pod), history)
                    .isFalse();
        }
    }

    private StatefulSets controller(MemoryClusterStore store) {
        return new StatefulSets(store, told::add, () -> new Time(now, nanos), () -> {});
    }

    private void pass(Duration duration) {
        now = now.plus(duration);
        nanos += duration.toNanos();
    }

    private void work(StatefulSets sets, MemoryClusterStore store) {
        for (int i = 0; sets.work(); i++) {
            check(store);
            assertThat(i).as("comes to rest after %s", history).isLessThan(200);
        }
        check(store);
    }

    private static List<Document> all(MemoryClusterStore store, Kind<?> kind) {
        return store.listDocuments(kind).orThrow().items();
    }

    private static Document set(MemoryClusterStore store) {
        return store.getDocument(StoredKinds.STATEFUL_SET, KEY).orThrow();
    }

    /** What holds at every time. */
    private void check(MemoryClusterStore store) {
        SetSpec spec = new SetSpec(set(store));
        List<MemberState> pods =
                all(store, Kinds.POD).stream().map(MemberState::new).toList();
        assertThat(pods)
                .as("ordinals %s", history)
                .extracting(pod -> spec.ordinal(pod.pod()))
                .doesNotHaveDuplicates();
        assertThat(all(store, Kinds.PERSISTENT_VOLUME_CLAIM))
                .extracting(Fields::uid)
                .as("claims are kept %s", history)
                .containsAll(claimUids);
        all(store, Kinds.PERSISTENT_VOLUME_CLAIM).forEach(claim -> claimUids.add(Fields.uid(claim)));
        for (MemberState pod : pods) {
            long ordinal = spec.ordinal(pod.pod()).orElseThrow();
            assertThat(store.getDocument(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("ns", "data-web-" + ordinal))
                            .value())
                    .as("claim before pod")
                    .isPresent();
        }
    }

    /** A node reports. */
    private void report(MemoryClusterStore store, Document pod, String phase) {
        Document status = pod.with(phase, "status", "phase");
        if (phase.equals("Running")) {
            status = status.with(
                    List.of(Map.of("type", "Ready", "status", "True", "lastTransitionTime", Fields.timeText(now))),
                    "status",
                    "conditions");
        }
        store.replaceDocument(Kinds.POD, "status", status.without("metadata", "resourceVersion"));
    }

    private void step(MemoryClusterStore store, Random chance) {
        List<Document> pods = all(store, Kinds.POD);
        Document set = set(store).without("metadata", "resourceVersion");
        switch (chance.nextInt(8)) {
            case 0 -> change(store, "scale", set.with(chance.nextInt(5), "spec", "replicas"));
            case 1 -> change(store, "image", SetDocuments.withImage(set, "image-" + chance.nextInt(3)));
            case 2 ->
                change(
                        store,
                        "partition",
                        set.with(
                                Map.of(
                                        "type",
                                        "RollingUpdate",
                                        "rollingUpdate",
                                        Map.of("partition", chance.nextInt(4))),
                                "spec",
                                "updateStrategy"));
            case 3 ->
                one(pods, chance).ifPresent(pod -> {
                    history.add("delete " + Fields.name(pod));
                    store.deleteObject(Kinds.POD, ObjectKey.of("ns", Fields.name(pod)), DeleteOptions.DEFAULT);
                });
            case 4 ->
                one(pods, chance).ifPresent(pod -> {
                    history.add("fail " + Fields.name(pod));
                    report(store, pod, "Failed");
                });
            case 5 -> isFaulty = !isFaulty;
            default ->
                one(pods, chance).ifPresent(pod -> {
                    history.add("run " + Fields.name(pod));
                    report(store, pod, "Running");
                });
        }
        pass(Duration.ofSeconds(chance.nextInt(10)));
    }

    private void change(MemoryClusterStore store, String what, Document set) {
        history.add(what);
        store.replaceDocument(StoredKinds.STATEFUL_SET, "", set);
    }

    private static Optional<Document> one(List<Document> pods, Random chance) {
        return pods.isEmpty() ? Optional.empty() : Optional.of(pods.get(chance.nextInt(pods.size())));
    }

    /** Nodes do their work until nothing changes any more. */
    private void end(MemoryClusterStore store, StatefulSets sets) {
        isFaulty = false;
        for (int i = 0; i < 60; i++) {
            work(sets, store);
            for (Document pod : all(store, Kinds.POD)) {
                if (new MemberState(pod).isPending()) {
                    report(store, pod, "Running");
                }
            }
            pass(Duration.ofMinutes(1));
        }
    }

    private static Document made(String policy) {
        return SetDocuments.set()
                .with(policy, "spec", "podManagementPolicy")
                .without("metadata", "uid")
                .without("metadata", "resourceVersion");
    }

    @ParameterizedTest
    @ValueSource(strings = {"OrderedReady", "Parallel"})
    void whateverHappensItEndsAsWanted(String policy) {
        for (long seed = 1; seed <= 25; seed++) {
            Random chance = new Random(seed);
            random = new Random(seed + 1);
            history.clear();
            history.add("seed " + seed);
            claimUids.clear();
            try (MemoryClusterStore store = store(chance)) {
                store.createDocument(StoredKinds.STATEFUL_SET, made(policy)).orThrow();
                StatefulSets sets = controller(store);
                for (int i = 0; i < STEPS; i++) {
                    if (chance.nextInt(20) == 0) {
                        sets.close();
                        sets = controller(store);
                    }
                    work(sets, store);
                    step(store, chance);
                }
                end(store, sets);
                isAsWanted(store);
                assertThat(sets.work()).isFalse();
                assertThat(sets.nextDue()).as("rests %s", history).isEmpty();
                sets.close();
            }
        }
    }

    private void isAsWanted(MemoryClusterStore store) {
        Document set = set(store);
        SetSpec spec = new SetSpec(set);
        List<Document> pods = all(store, Kinds.POD);
        assertThat(pods).as("%s", history).hasSize((int) spec.replicas());
        for (Document pod : pods) {
            long ordinal = spec.ordinal(pod).orElseThrow();
            assertThat(spec.wants(ordinal)).as("%s", history).isTrue();
            assertThat(new MemberState(pod).isRunningAndReady())
                    .as("%s", history)
                    .isTrue();
            if (ordinal >= spec.partition()) {
                assertThat(pod.at("spec", "containers"))
                        .as("%s", history)
                        .isEqualTo(set.at("spec", "template", "spec", "containers"));
            }
        }
        assertThat(Fields.integer(set, "status", "readyReplicas").orElse(0L))
                .as("%s", history)
                .isEqualTo(spec.replicas());
        assertThat(Fields.integer(set, "status", "observedGeneration")).contains(spec.generation());
        assertThat(all(store, StoredKinds.CONTROLLER_REVISION)).hasSizeLessThanOrEqualTo(12);
    }

    @Test
    void anOrderedSetStartsOnePodAfterTheOtherAndTellsOfIt() {
        try (MemoryClusterStore store = store(new Random(1));
                StatefulSets sets = controller(store)) {
            store.createDocument(StoredKinds.STATEFUL_SET, made("OrderedReady")).orThrow();
            for (int ready = 0; ready < 3; ready++) {
                work(sets, store);
                List<Document> pods = all(store, Kinds.POD);
                assertThat(pods).hasSize(ready + 1);
                report(store, pods.get(ready), "Running");
            }
            work(sets, store);
            assertThat(told)
                    .extracting(each -> each.reason() + ": " + each.message())
                    .startsWith(
                            "SuccessfulCreate: create Claim data-web-0 Pod web-0 in StatefulSet web success",
                            "SuccessfulCreate: create Pod web-0 in StatefulSet web successful")
                    .hasSize(6);
            assertThat(set(store).at("status", "readyReplicas")).contains(3L);
            store.deleteObject(StoredKinds.STATEFUL_SET, KEY, DeleteOptions.DEFAULT)
                    .orThrow();
            assertThat(sets.work()).isTrue();
            assertThat(sets.nextDue()).isEmpty();
        }
    }

    @Test
    void itLooksAgainWhenAWatchHasEndedThatItDidNotFollow() {
        Queue<Runnable> deliveries = new ArrayDeque<>();
        StoreOptions options = StoreOptions.of(StoredKinds.withStandard(), () -> now, IdSource.random(new Random(1)));
        try (MemoryClusterStore store = new MemoryClusterStore(
                        options.withDelivery(deliveries::add).withWatchBacklog(1));
                StatefulSets sets = controller(store)) {
            store.createDocument(Kinds.NAMESPACE, SetDocuments.json("{'metadata':{'name':'ns'}}"))
                    .orThrow();
            assertThat(sets.work()).isFalse();
            for (String name : List.of("a", "b", "web")) {
                store.createDocument(StoredKinds.STATEFUL_SET, made("Parallel").with(name, "metadata", "name"))
                        .orThrow();
            }
            for (int i = 0; i < 100; i++) {
                for (Runnable next = deliveries.poll(); next != null; next = deliveries.poll()) {
                    next.run();
                }
                sets.work();
                pass(Duration.ofSeconds(1));
            }
            assertThat(all(store, Kinds.POD)).hasSize(9);
        }
    }

    @Test
    void aPodThatTheServerRefusesIsToldAndTriedAgain() {
        try (MemoryClusterStore store = store(new Random(1));
                StatefulSets sets = controller(store)) {
            Document wrong = made("OrderedReady").with(List.of(), "spec", "template", "spec", "containers");
            store.createDocument(StoredKinds.STATEFUL_SET, wrong).orThrow();
            work(sets, store);
            assertThat(told.get(told.size() - 1).message())
                    .isEqualTo("create Pod web-0 in StatefulSet web failed error: Pod \"web-0\" is invalid: "
                            + "spec.containers: Required value");
            Duration wait = sets.nextDue().orElseThrow();
            pass(wait);
            work(sets, store);
            assertThat(sets.nextDue()).contains(wait.multipliedBy(2));
            store.replaceDocument(
                            StoredKinds.STATEFUL_SET,
                            "",
                            set(store)
                                    .with(
                                            SetDocuments.set()
                                                    .at("spec", "template", "spec", "containers")
                                                    .orElseThrow(),
                                            "spec",
                                            "template",
                                            "spec",
                                            "containers"))
                    .orThrow();
            work(sets, store);
            assertThat(all(store, Kinds.POD)).hasSize(1);
        }
    }
}
