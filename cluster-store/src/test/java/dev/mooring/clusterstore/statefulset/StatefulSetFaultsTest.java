// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.DocumentListener;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What fails, and what is told late. */
class StatefulSetFaultsTest {
    private static final ObjectKey WEB = ObjectKey.of("ns", "web");
    private static final ObjectKey POD = ObjectKey.of("ns", "web-0");

    private final Queue<Runnable> deliveries = new ArrayDeque<>();
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(StoredKinds.withStandard(), () -> SetDocuments.NOW, IdSource.random(new Random(1)))
                    .withDelivery(deliveries::add));
    private final List<DocumentListener> listeners = new ArrayList<>();
    private boolean listsFail;
    private long nanos;

    @BeforeEach
    void begin() {
        store.createDocument(Kinds.NAMESPACE, SetDocuments.json("{'metadata':{'name':'ns'}}"))
                .orThrow();
    }

    @AfterEach
    void end() {
        store.close();
    }

    private StatefulSets controller(DocumentStore watched, EventSink events) {
        return new StatefulSets(watched, events, () -> new Time(SetDocuments.NOW, nanos), () -> {});
    }

    /** The store, of which lists fail when they are to, and watches can be ended. */
    private DocumentStore faulty() {
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                    if (listsFail && method.getName().equals("listDocuments")) {
                        return new StoreResult.Failed<Object>(Failure.UNAVAILABLE, "a fault", Optional.empty());
                    } else if (method.getName().equals("watchDocuments")) {
                        listeners.add((DocumentListener) arguments[3]);
                    }
                    return method.invoke(store, arguments);
                });
    }

    private static Document made(String name) {
        return SetDocuments.set()
                .with(name, "metadata", "name")
                .without("metadata", "uid")
                .without("metadata", "resourceVersion");
    }

    private void deliver() {
        for (Runnable next = deliveries.poll(); next != null; next = deliveries.poll()) {
            next.run();
        }
    }

    private void work(StatefulSets sets) {
        deliver();
        for (int i = 0; sets.work(); i++) {
            assertThat(i).as("comes to rest").isLessThan(100);
            deliver();
        }
    }

    private Document pod(ObjectKey key) {
        return store.getDocument(Kinds.POD, key).orThrow();
    }

    @Test
    void aDefectInTheWorkOnOneSetKeepsNoOtherWaiting() {
        List<String> defects = new ArrayList<>();
        EventSink events = announcement -> {
            if (announcement.object().name().equals("bad")) {
                defects.add(announcement.reason());
                throw new IllegalStateException("a defect");
            }
        };
        try (StatefulSets sets = controller(store, events)) {
            Document refused = made("bad").with(List.of(), "spec", "template", "spec", "containers");
            store.createDocument(StoredKinds.STATEFUL_SET, refused).orThrow();
            store.createDocument(StoredKinds.STATEFUL_SET, made("web")).orThrow();
            work(sets);
            assertThat(pod(POD)).isNotNull();
            assertThat(defects).containsExactly("SuccessfulCreate", "FailedCreate");
            Duration wait = sets.nextDue().orElseThrow();
            assertThat(wait).as("it is tried again, but not at once").isPositive();
            nanos += wait.toNanos();
            work(sets);
            assertThat(defects).hasSize(3);
            assertThat(sets.nextDue()).contains(wait.multipliedBy(2));
        }
    }

    @Test
    void whileItCannotFollowItWaitsForThatAlone() {
        try (StatefulSets sets = controller(faulty(), EventSink.NONE)) {
            Document wrong = made("web").with(List.of(), "spec", "template", "spec", "containers");
            store.createDocument(StoredKinds.STATEFUL_SET, wrong).orThrow();
            work(sets);
            nanos += sets.nextDue().orElseThrow().toNanos();
            listsFail = true;
            listeners.forEach(listener -> listener.onEnd(Failure.GONE, "a fault"));
            work(sets);
            Duration wait = sets.nextDue().orElseThrow();
            assertThat(wait).isPositive();
            nanos += wait.toNanos();
            work(sets);
            assertThat(sets.nextDue()).contains(wait.multipliedBy(2));
        }
    }

    /** What {@code kubectl delete --cascade=orphan} has let go is not taken back by what was known of the set before. */
    @Test
    void aPodIsNotAdoptedByASetThatIsBeingDeletedOrIsAnotherOne() {
        try (StatefulSets sets = controller(store, EventSink.NONE)) {
            store.createDocument(
                            StoredKinds.STATEFUL_SET,
                            made("web").with(List.of("example.com/held"), "metadata", "finalizers"))
                    .orThrow();
            work(sets);
            letGo();
            deliver();
            store.deleteObject(StoredKinds.STATEFUL_SET, WEB, DeleteOptions.DEFAULT)
                    .orThrow();
            sets.work();
            assertThat(OwnerReferences.of(pod(POD)))
                    .as("of a set that is being deleted")
                    .isEmpty();
            deliver();
            Document going = store.getDocument(StoredKinds.STATEFUL_SET, WEB).orThrow();
            store.replaceDocument(StoredKinds.STATEFUL_SET, "", going.without("metadata", "finalizers"))
                    .orThrow();
            Document next =
                    store.createDocument(StoredKinds.STATEFUL_SET, made("web")).orThrow();
            work(sets);
            assertThat(OwnerReferences.controller(pod(POD))).contains(Fields.uid(next));
            letGo();
            deliver();
            store.deleteObject(StoredKinds.STATEFUL_SET, WEB, DeleteOptions.DEFAULT)
                    .orThrow();
            store.createDocument(StoredKinds.STATEFUL_SET, made("web")).orThrow();
            sets.work();
            assertThat(OwnerReferences.of(pod(POD)))
                    .as("of a set of an earlier life")
                    .isEmpty();
        }
    }

    private void letGo() {
        store.replaceDocument(Kinds.POD, "", pod(POD).without("metadata", "ownerReferences"))
                .orThrow();
    }

    @Test
    void whatWasRemovedDoesNotComeBackByOlderNews() {
        try (WatchedKind pods = new WatchedKind(store, Kinds.POD, object -> true, () -> {})) {
            pods.follow();
            Document bare = SetDocuments.json("""
                    {'metadata':{'name':'web-0','namespace':'ns'},'spec':{'containers':[{'name':'c','image':'one'}]}}""");
            Document first = store.createDocument(Kinds.POD, bare).orThrow();
            deliver();
            pods.takeNews();
            assertThat(pods.get(POD)).isPresent();
            store.replaceDocument(Kinds.POD, "status", first.with("Running", "status", "phase"))
                    .orThrow();
            pods.remove(first);
            deliver();
            pods.takeNews();
            assertThat(pods.get(POD)).as("of the life that has ended").isEmpty();
            store.deleteObject(Kinds.POD, POD, DeleteOptions.DEFAULT).orThrow();
            Document second = store.createDocument(Kinds.POD, bare).orThrow();
            deliver();
            pods.takeNews();
            assertThat(pods.get(POD)).contains(second);
        }
    }
}
