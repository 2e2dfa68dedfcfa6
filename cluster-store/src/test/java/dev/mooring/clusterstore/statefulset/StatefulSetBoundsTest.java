// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of replicas and ordinals that are as large as their fields. */
class StatefulSetBoundsTest {
    private static final int MANY = 2_000_000_000;
    private static final int AT_ONCE = 500;

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(StoredKinds.withStandard(), () -> SetDocuments.NOW, IdSource.random(new Random(1))));
    private final StatefulSets sets =
            new StatefulSets(store, EventSink.NONE, () -> new Time(SetDocuments.NOW, 0), () -> {});

    @BeforeEach
    void begin() {
        store.createDocument(Kinds.NAMESPACE, SetDocuments.json("{'metadata':{'name':'ns'}}"))
                .orThrow();
    }

    @AfterEach
    void end() {
        sets.close();
        store.close();
    }

    private void make(String policy, long start, long replicas) {
        Document set = SetDocuments.set()
                .with(policy, "spec", "podManagementPolicy")
                .with(replicas, "spec", "replicas")
                .with(start, "spec", "ordinals", "start")
                .without("metadata", "uid")
                .without("metadata", "resourceVersion");
        store.createDocument(StoredKinds.STATEFUL_SET, set).orThrow();
    }

    private void scale(long replicas) {
        store.replaceDocument(StoredKinds.STATEFUL_SET, "", set().with(replicas, "spec", "replicas"))
                .orThrow();
    }

    private Document set() {
        return store.getDocument(StoredKinds.STATEFUL_SET, ObjectKey.of("ns", "web"))
                .orThrow();
    }

    private int count(Kind<?> kind) {
        return store.listDocuments(kind).orThrow().items().size();
    }

    private List<String> pods() {
        return store.listDocuments(Kinds.POD).orThrow().items().stream()
                .map(Fields::name)
                .toList();
    }

    private void workToTheEnd() {
        for (int i = 0; sets.work(); i++) {
            assertThat(i).as("comes to rest").isLessThan(100);
        }
    }

    /** The first turn puts the revision down. */
    @Test
    void aParallelSetMakesSoManyPodsInOneTurnAndTellsHowFarItIs() {
        make("Parallel", 0, MANY);
        assertThat(sets.work()).isTrue();
        for (int turn = 1; turn <= 2; turn++) {
            assertThat(sets.work()).isTrue();
            assertThat(count(Kinds.POD)).isEqualTo(turn * AT_ONCE);
            assertThat(count(Kinds.PERSISTENT_VOLUME_CLAIM)).isEqualTo(turn * AT_ONCE);
        }
        assertThat(set().at("status", "replicas")).contains((long) AT_ONCE);
        scale(3);
        workToTheEnd();
        assertThat(pods()).containsExactly("web-0", "web-1", "web-2");
        assertThat(set().at("status", "replicas")).contains(3L);
    }

    @Test
    void anOrderedSetMakesTheFirstPodAndWaits() {
        make("OrderedReady", 0, MANY);
        workToTheEnd();
        assertThat(pods()).containsExactly("web-0");
        assertThat(set().at("status", "replicas")).contains(1L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Parallel", "OrderedReady"})
    void ordinalsOfTenDigitsAreOrdinals(String policy) {
        make(policy, 2_000_000_000, 1);
        workToTheEnd();
        assertThat(pods()).containsExactly("web-2000000000");
        assertThat(set().at("status", "replicas")).contains(1L);
        assertThat(sets.nextDue()).as("nothing has failed").isEmpty();
        scale(0);
        workToTheEnd();
        assertThat(pods()).isEmpty();
    }

    @Test
    void thereIsNoOrdinalBeyondTheLargestOfTheField() {
        make("Parallel", Integer.MAX_VALUE - 1, 5);
        workToTheEnd();
        assertThat(pods()).containsExactly("web-2147483646", "web-2147483647");
        assertThat(sets.nextDue()).as("nothing has failed").isEmpty();
        assertThat(SetSpec.Member.of("web-2147483648")).isEmpty();
        Map<String, Object> strategy = Map.of("type", "RollingUpdate", "rollingUpdate", Map.of("partition", 1));
        Document ready = Document.of(
                Map.of("phase", "Running", "conditions", List.of(Map.of("type", "Ready", "status", "True"))));
        for (Document pod : store.listDocuments(Kinds.POD).orThrow().items()) {
            store.replaceDocument(Kinds.POD, "status", pod.with(ready.asMap(), "status"))
                    .orThrow();
        }
        store.replaceDocument(
                        StoredKinds.STATEFUL_SET,
                        "",
                        SetDocuments.withImage(set(), "two").with(strategy, "spec", "updateStrategy"))
                .orThrow();
        workToTheEnd();
        assertThat(store.getDocument(Kinds.POD, ObjectKey.of("ns", "web-2147483647"))
                        .orThrow()
                        .at("status", "phase"))
                .as("it is updated, so it is a new one")
                .isNotEqualTo(Optional.of("Running"));
    }
}
