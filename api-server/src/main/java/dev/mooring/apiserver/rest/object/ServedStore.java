// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import dev.mooring.apiserver.event.EventView;
import dev.mooring.apiserver.event.EventViewRules;
import dev.mooring.apiserver.resource.OlderVersions;
import dev.mooring.clusterstore.DocumentListener;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.fieldmanagement.Authorship;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The store as clients address it: with the kinds that it holds, and with those that are another view of one of them. Thread-safe.
 */
public final class ServedStore {
    private static final EventViewRules RULES = new EventViewRules();
    private static final ClientRules EVENTS = new ClientRules(Kinds.EVENT, EventView.KIND, RULES::change);
    private static final ClientRules PODS = new ClientRules(Kinds.POD, Kinds.POD, PodUpdates::change);

    /** Rules of changes that are for clients alone. */
    private record ClientRules(Kind<?> kind, Kind<?> shownAs, ChangeRules rules) {}

    private interface ChangeRules {
        void change(Document before, Document after, Problems problems);
    }

    private final DocumentStore store;

    public ServedStore(DocumentStore store) {
        this.store = store;
    }

    public ServedStore as(String client) {
        return new ServedStore(store.as(client));
    }

    public ServedStore writtenBy(Authorship authorship) {
        return new ServedStore(store.writtenBy(authorship));
    }

    public ServedStore dryRun() {
        return new ServedStore(store.dryRun());
    }

    private static boolean isView(Kind<?> kind) {
        return kind == EventView.KIND;
    }

    public StoreResult<Document> getDocument(Kind<?> kind, ObjectKey key) {
        return isView(kind)
                ? store.getDocument(Kinds.EVENT, key).map(EventView::shown)
                : store.getDocument(OlderVersions.stored(kind), key).map(shownAs(kind));
    }

    public StoreResult<ObjectList<Document>> listDocuments(Kind<?> kind, ListOptions options) {
        Kind<?> held = OlderVersions.stored(kind);
        if (held != kind) {
            return store.listDocuments(held, options).map(list -> shown(list, shownAs(kind)));
        } else if (!isView(kind)) {
            return store.listDocuments(kind, options);
        }
        return selected(
                options, stored -> store.listDocuments(Kinds.EVENT, stored).map(list -> shown(list, EventView::shown)));
    }

    private static ObjectList<Document> shown(ObjectList<Document> list, UnaryOperator<Document> view) {
        return new ObjectList<>(list.items().stream().map(view).toList(), list.revision(), list.continueToken());
    }

    private static UnaryOperator<Document> shownAs(Kind<?> kind) {
        return object -> OlderVersions.stored(kind) == kind ? object : OlderVersions.in(kind, object);
    }

    private static <R> StoreResult<R> selected(ListOptions options, Function<ListOptions, StoreResult<R>> go) {
        Optional<String> fields = EventView.selector(options.fields());
        return fields.map(text -> go.apply(new ListOptions(
                        options.namespace(), options.labels(), text, options.limit(), options.continueToken())))
                .orElseGet(() -> StoreResult.failed(Failure.INVALID, "field label not supported: " + options.fields()));
    }

    public Watch watchDocuments(Kind<?> kind, ListOptions options, Revision after, DocumentListener listener) {
        Kind<?> held = OlderVersions.stored(kind);
        if (held != kind) {
            return store.watchDocuments(held, options, after, new Showing(listener, shownAs(kind)));
        } else if (!isView(kind)) {
            return store.watchDocuments(kind, options, after, listener);
        }
        StoreResult<Watch> watch = selected(
                options,
                stored -> StoreResult.ok(
                        store.watchDocuments(Kinds.EVENT, stored, after, new Showing(listener, EventView::shown))));
        return watch.match(begun -> begun, failed -> {
            listener.onEnd(failed.reason(), failed.message());
            return () -> {};
        });
    }

    private record Showing(DocumentListener listener, UnaryOperator<Document> view) implements DocumentListener {
        @Override
        public void onEvent(WatchEvent.Type type, Document object, Revision revision) {
            listener.onEvent(type, view.apply(object), revision);
        }

        @Override
        public void onBookmark(Revision revision) {
            listener.onBookmark(revision);
        }

        @Override
        public void onEnd(Failure reason, String message) {
            listener.onEnd(reason, message);
        }
    }

    public StoreResult<Document> createDocument(Kind<?> kind, Document document) {
        if (!isView(kind)) {
            Kind<?> held = OlderVersions.stored(kind);
            return store.createDocument(held, OlderVersions.in(held, document)).map(shownAs(kind));
        }
        Document event = EventView.stored(document);
        Problems problems = new Problems();
        RULES.state(event, problems);
        return refusal(EventView.KIND, event, problems)
                .orElseGet(() -> store.createDocument(Kinds.EVENT, event).map(EventView::shown));
    }

    public StoreResult<Document> replaceDocument(Kind<?> kind, String subresource, Document document) {
        if (isView(kind)) {
            return replaceCompared(EVENTS, subresource, EventView.stored(document))
                    .map(EventView::shown);
        } else if (kind == Kinds.POD && subresource.isEmpty()) {
            return replaceCompared(PODS, subresource, document);
        }
        Kind<?> held = OlderVersions.stored(kind);
        return store.replaceDocument(held, subresource, OlderVersions.in(held, document))
                .map(shownAs(kind));
    }

    private StoreResult<Document> replaceCompared(ClientRules rules, String subresource, Document wanted) {
        boolean lastWins = wanted.text("metadata", "resourceVersion").orElse("").isEmpty();
        return lastWins
                ? Conflicts.outlasted(() -> replaceOnce(rules, subresource, wanted))
                : replaceOnce(rules, subresource, wanted);
    }

    /** Of what was compared, and of nothing else. */
    private StoreResult<Document> replaceOnce(ClientRules rules, String subresource, Document wanted) {
        ObjectKey key = ObjectKey.of(
                wanted.text("metadata", "namespace").orElse(""),
                wanted.text("metadata", "name").orElse(""));
        StoreResult<Document> current = store.getDocument(rules.kind(), key);
        if (current.value().isEmpty()) {
            return current;
        }
        Problems problems = new Problems();
        rules.rules().change(current.orThrow(), wanted, problems);
        String given = wanted.text("metadata", "resourceVersion").orElse("");
        String compared = current.orThrow().text("metadata", "resourceVersion").orElse("");
        return refusal(rules.shownAs(), wanted, problems)
                .orElseGet(() -> store.replaceDocument(
                        rules.kind(),
                        subresource,
                        wanted.with(given.isEmpty() ? compared : given, "metadata", "resourceVersion")));
    }

    private static Optional<StoreResult<Document>> refusal(Kind<?> kind, Document object, Problems problems) {
        return problems.refusal(kind, object.text("metadata", "name").orElse(""))
                .map(message -> StoreResult.failed(Failure.INVALID, message));
    }

    /** What is gone as a whole, for kinds that have no view. */
    public StoreResult<Document> deleteObject(Kind<?> kind, ObjectKey key, DeleteOptions options) {
        return store.deleteObject(OlderVersions.stored(kind), key, options).map(shownAs(kind));
    }

    /** What is gone, as the store has it: with no more than the object's identity, where that is all that is answered. */
    public StoreResult<? extends Deletion<? extends KubernetesObject>> delete(
            Kind<?> kind, ObjectKey key, DeleteOptions options) {
        return isView(kind)
                ? store.delete(Kinds.EVENT, key, options)
                : store.delete(OlderVersions.stored(kind), key, options);
    }
}
