// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import dev.mooring.storage.store.WriteRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Faults, the log of writes, clients, bookmarks, executors, and the end. */
class StoreFaultsTest {
    private static final ObjectKey KEY = ObjectKey.of("x", "m");
    private static final Document MAP = Document.of(Map.of("metadata", Map.of("name", "m", "namespace", "x")));

    private final List<String> log = new ArrayList<>();
    private final Deque<Interception> next = new ArrayDeque<>();
    private final StoreOptions options = Stores.options()
            .withInterceptor(request -> next.isEmpty() ? Interception.PROCEED : next.pop())
            .withWrites(write ->
                    log.add(write.client() + " " + write.verb().word() + " " + write.kind() + " " + write.namespace()
                            + "/" + write.name() + " " + write.subresource() + "=" + write.outcomeWord()
                            + write.revision().map(revision -> "@" + revision).orElse("")));
    private final MemoryClusterStore store = new MemoryClusterStore(options);

    @Test
    void writesAreLoggedWithTheirClient() {
        store.as("user").createDocument(Kinds.CONFIG_MAP, MAP).orThrow();
        store.as("controllers").patchDocument(Kinds.CONFIG_MAP, KEY, "", MAP).orThrow();
        store.as("node/n1").patchDocument(Kinds.CONFIG_MAP, KEY, "status", MAP);
        store.deleteObject(Kinds.CONFIG_MAP, KEY, DeleteOptions.DEFAULT).orThrow();
        assertThat(log)
                .containsExactly(
                        "user create ConfigMap x/m =ok@1",
                        "controllers patch ConfigMap x/m =ok",
                        "node/n1 patch ConfigMap x/m status=not-found",
                        " delete ConfigMap x/m =ok@2");
    }

    @Test
    void aRefusedWriteIsNotCarriedOut() {
        next.add(Interception.refuse(Failure.UNAVAILABLE, "on purpose"));
        assertThat(store.createDocument(Kinds.CONFIG_MAP, MAP).failure()).contains(Failure.UNAVAILABLE);
        assertThat(store.getDocument(Kinds.CONFIG_MAP, KEY).failure()).contains(Failure.NOT_FOUND);
        assertThat(log).containsExactly(" create ConfigMap x/m =unavailable");
    }

    @Test
    void aLostAnswerIsCarriedOut() {
        next.add(Interception.loseAnswer("on purpose"));
        assertThat(store.createDocument(Kinds.CONFIG_MAP, MAP).failure()).contains(Failure.UNKNOWN);
        assertThat(store.getDocument(Kinds.CONFIG_MAP, KEY).failure()).isEmpty();
        next.add(Interception.loseAnswer("on purpose"));
        assertThat(store.createDocument(Kinds.CONFIG_MAP, MAP).failure()).contains(Failure.ALREADY_EXISTS);
        assertThat(log).containsExactly(" create ConfigMap x/m =unknown@1", " create ConfigMap x/m =already-exists");
    }

    @Test
    void anInterceptorMayEndTheWriterAndHoldsNoLock() {
        MemoryClusterStore fragile = new MemoryClusterStore(Stores.options().withInterceptor(new WriteInterceptor() {
            @Override
            public Interception before(WriteRequest request) {
                return Interception.PROCEED;
            }

            @Override
            public void after(WriteRequest request, java.util.Optional<Failure> outcome) {
                throw new IllegalStateException("dies");
            }
        }));
        assertThatThrownBy(() -> fragile.createDocument(Kinds.CONFIG_MAP, MAP)).hasMessage("dies");
        assertThat(fragile.getDocument(Kinds.CONFIG_MAP, KEY).failure()).isEmpty();
    }

    @Test
    void whatAnEmbeddersCodeThrowsDoesNotUndoAWrite() {
        Executor full = work -> {
            throw new RejectedExecutionException("full");
        };
        MemoryClusterStore careless =
                new MemoryClusterStore(Stores.options().withDelivery(full).withWrites(write -> {
                    throw new IllegalStateException("no place for the log");
                }));
        List<Notes> watches = List.of(new Notes(), new Notes());
        watches.forEach(notes -> careless.watch(Kinds.CONFIG_MAP, ListOptions.ALL, Revision.ZERO, notes));
        careless.createDocument(Kinds.CONFIG_MAP, MAP).orThrow();
        assertThat(watches).allSatisfy(notes -> assertThat(notes.notes).hasSize(1));
    }

    @Test
    void aKindThatTheStoreDoesNotHoldIsNotFound() {
        dev.mooring.storage.model.Kind<ConfigMap> other = new dev.mooring.storage.model.Kind<>(
                "example.com", "v1", "Thing", "things", true, false, ConfigMap.class);
        assertThat(store.getDocument(other, KEY).failure()).contains(Failure.NOT_FOUND);
        assertThat(store.createDocument(other, MAP).failure()).contains(Failure.NOT_FOUND);
    }

    @Test
    void bookmarksTellHowFarAWatchHasCome() {
        Notes notes = new Notes();
        store.watch(Kinds.CONFIG_MAP, ListOptions.inNamespace("y"), Revision.ZERO, notes);
        store.createDocument(Kinds.CONFIG_MAP, MAP).orThrow();
        assertThat(notes.notes).isEmpty();
        store.sendBookmarks();
        store.sendBookmarks();
        assertThat(notes.notes).containsExactly("bookmark 1");
    }

    @Test
    void bookmarksComeByThemselvesNowAndThen() {
        MemoryClusterStore often = new MemoryClusterStore(Stores.options().withBookmarkEvery(2));
        Notes notes = new Notes();
        often.watch(Kinds.CONFIG_MAP, ListOptions.inNamespace("y"), Revision.ZERO, notes);
        for (int i = 0; i < 5; i++) {
            often.createDocument(Kinds.CONFIG_MAP, MAP.with("m" + i, "metadata", "name"))
                    .orThrow();
        }
        assertThat(notes.notes).containsExactly("bookmark 2", "bookmark 4");
    }

    @Test
    void aListenerThatIsTooSlowIsCutOff() {
        List<Runnable> later = new ArrayList<>();
        MemoryClusterStore slow =
                new MemoryClusterStore(Stores.options().withDelivery(later::add).withWatchBacklog(2));
        Notes notes = new Notes();
        slow.watch(Kinds.CONFIG_MAP, ListOptions.ALL, Revision.ZERO, notes);
        for (int i = 0; i < 4; i++) {
            slow.createDocument(Kinds.CONFIG_MAP, MAP.with("m" + i, "metadata", "name"))
                    .orThrow();
        }
        assertThat(notes.notes).isEmpty();
        later.forEach(Runnable::run);
        assertThat(notes.notes).containsExactly("ADDED m0", "ADDED m1", "end GONE");
    }

    @Test
    void aListenerMayWriteWithoutDeadlock() {
        Notes notes = new Notes() {
            @Override
            public void onEvent(WatchEvent<ConfigMap> event) {
                super.onEvent(event);
                if (notes.size() < 3) {
                    store.createDocument(Kinds.CONFIG_MAP, MAP.with("n" + notes.size(), "metadata", "name"))
                            .orThrow();
                }
            }
        };
        store.watch(Kinds.CONFIG_MAP, ListOptions.ALL, Revision.ZERO, notes);
        store.createDocument(Kinds.CONFIG_MAP, MAP).orThrow();
        assertThat(notes.notes).containsExactly("ADDED m", "ADDED n1", "ADDED n2");
    }

    @Test
    void aSelectorThatIsNoneEndsTheWatch() {
        Notes notes = new Notes();
        store.watch(Kinds.CONFIG_MAP, ListOptions.ALL.withFields("what"), Revision.ZERO, notes);
        assertThat(notes.notes).containsExactly("end INVALID");
    }

    @Test
    void closingEndsWatchesAndAnswers() {
        Notes notes = new Notes();
        store.watch(Kinds.CONFIG_MAP, ListOptions.ALL, Revision.ZERO, notes);
        store.as("user").close();
        assertThat(notes.notes).isEmpty();
        store.close();
        store.close();
        assertThat(notes.notes).containsExactly("end UNAVAILABLE");
        assertThat(store.getDocument(Kinds.CONFIG_MAP, KEY).failure()).contains(Failure.UNAVAILABLE);
        assertThat(store.createDocument(Kinds.CONFIG_MAP, MAP).failure()).contains(Failure.UNAVAILABLE);
    }

    @Test
    void podsAndEventsAreSelectedByTheirFields() {
        Document pod = Document.of(Map.of(
                "metadata", Map.of("name", "p", "namespace", "x"),
                "spec", Map.of("nodeName", "n1", "containers", List.of(Map.of("name", "c")))));
        store.createDocument(Kinds.POD, pod).orThrow();
        store.createDocument(Kinds.POD, pod.with("q", "metadata", "name").without("spec", "nodeName"))
                .orThrow();
        assertThat(pods("spec.nodeName=n1")).containsExactly("p");
        assertThat(pods("spec.nodeName=")).containsExactly("q");
        assertThat(pods("spec.nodeName!=n1,status.phase=Pending")).containsExactly("q");
        Document event = Document.of(Map.of(
                "metadata", Map.of("name", "e", "namespace", "x"),
                "involvedObject", Map.of("kind", "Pod", "namespace", "x", "name", "p")));
        store.createDocument(Kinds.EVENT, event).orThrow();
        ListOptions of = ListOptions.inNamespace("x").withFields("involvedObject.kind=Pod,involvedObject.name=p");
        assertThat(store.list(Kinds.EVENT, of).orThrow().items()).hasSize(1);
    }

    private List<String> pods(String fields) {
        return store.list(Kinds.POD, ListOptions.ALL.withFields(fields)).orThrow().items().stream()
                .map(pod -> pod.metadata().name())
                .toList();
    }

    /** Writes down what a watch says. */
    private static class Notes implements WatchListener<ConfigMap> {
        final List<String> notes = new ArrayList<>();

        @Override
        public void onEvent(WatchEvent<ConfigMap> event) {
            notes.add(event.type() + " " + event.object().metadata().name());
        }

        @Override
        public void onBookmark(Revision revision) {
            notes.add("bookmark " + revision);
        }

        @Override
        public void onEnd(Failure reason, String message) {
            notes.add("end " + reason);
        }
    }
}
