// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.StoreWatch.DocumentSink;
import dev.mooring.clusterstore.customresources.CustomKinds;
import dev.mooring.clusterstore.customresources.CustomResources;
import dev.mooring.clusterstore.fieldmanagement.Authorship;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.schema.Decoded;
import dev.mooring.clusterstore.schema.WrongFields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.DocumentEdit;
import dev.mooring.storage.document.MergePatch;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import dev.mooring.storage.store.WriteRequest;
import dev.mooring.storage.store.WriteVerb;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * A store with the API server's rules over any {@link DocumentEngine}.
 *
 * <p>Writes are carried out one after the other; each is validated, defaulted and admitted as the API server does
 * (semantics/binder §1.11, §1.12), and is visible to every read that begins after it was answered. Watch listeners are called in the
 * order of the revisions, by one thread at a time, never under the store's lock: by the writing thread before its call returns, unless
 * another thread is delivering to the same watch at that moment (it delivers this event too), or the options name an executor. A
 * listener that throws, or lets too many events wait, ends its own watch with GONE. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class ApiStore implements DocumentStore {
    private static final String STATUS = "status";

    private final StoreCore core;
    private final Author author;
    private final boolean owner;
    private final boolean rehearses;

    /**
     * Makes a store; it closes the engine when it is closed.
     *
     * @param engine not used elsewhere; never null
     * @param options never null
     */
    public ApiStore(DocumentEngine engine, StoreOptions options) {
        this(engine, options, new CustomKinds());
    }

    /**
     * The same with a register of kinds that the engine shares.
     *
     * @param customs not used by another store; never null
     */
    protected ApiStore(DocumentEngine engine, StoreOptions options, CustomKinds customs) {
        this(new StoreCore(engine, options, customs), new Author("", Authorship.UNNAMED), true, false);
    }

    private ApiStore(StoreCore core, Author author, boolean owner, boolean rehearses) {
        this.core = core;
        this.author = author;
        this.owner = owner;
        this.rehearses = rehearses;
    }

    @Override
    public final Kinds kinds() {
        return core.kinds();
    }

    @Override
    public final CustomResources customResources() {
        return core.customResources();
    }

    @Override
    public final DocumentStore as(String newClient) {
        return new ApiStore(core, new Author(newClient, author.authorship()), false, rehearses);
    }

    @Override
    public final DocumentStore writtenBy(Authorship authorship) {
        return new ApiStore(core, new Author(author.client(), authorship), false, rehearses);
    }

    @Override
    public final DocumentStore dryRun() {
        return new ApiStore(core, author, false, true);
    }

    @Override
    public final <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        return core.get(kind, key).map(object -> object.as(kind));
    }

    @Override
    public final <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
        return core.list(kind, options)
                .map(list -> new ObjectList<>(
                        list.items().stream().map(object -> object.as(kind)).toList(),
                        list.revision(),
                        list.continueToken()));
    }

    @Override
    public final <T extends KubernetesObject> Watch watch(
            Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
        return core.watch(kind, options, after, selection -> new TypedSink<>(kind, listener));
    }

    @Override
    public final <T extends KubernetesObject> StoreResult<T> create(Kind<T> kind, T object) {
        return written(
                        request(WriteVerb.CREATE, kind, ObjectKey.of(object), ""),
                        writes -> writes.create(kind, kind.write(object), author))
                .map(written -> written.object().as(kind));
    }

    @Override
    public final <T extends KubernetesObject> StoreResult<T> update(Kind<T> kind, Change<T> change) {
        return changed(kind, change, "");
    }

    @Override
    public final <T extends KubernetesObject> StoreResult<T> updateStatus(Kind<T> kind, Change<T> change) {
        return changed(kind, change, STATUS);
    }

    private <T extends KubernetesObject> StoreResult<T> changed(Kind<T> kind, Change<T> change, String subresource) {
        ObjectMeta base = change.base().metadata();
        Document before = part(kind.write(change.base()), subresource);
        Document after = part(kind.write(change.edited()), subresource);
        DocumentEdit edit = DocumentEdit.between(before, after);
        return changed(WriteVerb.UPDATE, kind, change.key(), subresource, current -> {
                    Preconditions.check(kind, current, base.uid(), base.resourceVersion());
                    return edit.applyTo(current);
                })
                .map(written -> written.object().as(kind));
    }

    /** What a change is about: of a status nothing but itself, though a document's write takes metadata along. */
    private static Document part(Document document, String subresource) {
        return subresource.equals(STATUS)
                ? document.at(STATUS)
                        .map(status -> Document.of(Map.of(STATUS, status)))
                        .orElse(Document.empty())
                : document;
    }

    @Override
    public final <T extends KubernetesObject> StoreResult<Deletion<T>> delete(
            Kind<T> kind, ObjectKey key, DeleteOptions options) {
        return deleted(kind, key, options)
                .map(written -> new Deletion<>(
                        written.object().as(kind),
                        written.removed(),
                        written.revision().orElse(written.object().revision())));
    }

    @Override
    public final StoreResult<Document> getDocument(Kind<?> kind, ObjectKey key) {
        return core.get(kind, key).map(object -> core.shown(kind, object));
    }

    @Override
    public final StoreResult<ObjectList<Document>> listDocuments(Kind<?> kind, ListOptions options) {
        return core.list(kind, options)
                .map(list -> new ObjectList<>(
                        list.items().stream()
                                .map(object -> core.shown(kind, object))
                                .toList(),
                        list.revision(),
                        list.continueToken()));
    }

    @Override
    public final Watch watchDocuments(Kind<?> kind, ListOptions options, Revision after, DocumentListener listener) {
        return core.watch(kind, options, after, selection -> new WholeSink(core, kind, listener));
    }

    @Override
    public final StoreResult<Document> createDocument(Kind<?> kind, Document document) {
        Decoded decoded = decode(kind, document);
        return written(
                        request(WriteVerb.CREATE, kind, ServerFields.key(document), ""),
                        writes -> writes.create(kind, accepted(kind, decoded, Document.empty()), author))
                .map(written -> document(kind, written));
    }

    @Override
    public final StoreResult<Document> applyDocument(Kind<?> kind, Document document) {
        ObjectKey key = ServerFields.key(document);
        boolean exists = !key.name().isEmpty()
                && core.get(kind, key)
                        .failure()
                        .filter(Failure.NOT_FOUND::equals)
                        .isEmpty();
        if (!exists) {
            StoreResult<Document> created = createDocument(kind, document);
            boolean raced =
                    created.failure().filter(Failure.ALREADY_EXISTS::equals).isPresent();
            if (!raced) {
                return created;
            }
        }
        return changed(WriteVerb.UPDATE, kind, key, "", merging(kind, document.without(STATUS)))
                .map(written -> document(kind, written));
    }

    @Override
    public final StoreResult<Document> replaceDocument(Kind<?> kind, String subresource, Document document) {
        Decoded decoded = decode(kind, document);
        return changed(WriteVerb.UPDATE, kind, ServerFields.key(document), subresource, current -> {
                    Document wanted = accepted(kind, decoded, current);
                    Preconditions.check(kind, current, wanted);
                    return wanted;
                })
                .map(written -> document(kind, written));
    }

    @Override
    public final StoreResult<Document> patchDocument(
            Kind<?> kind, ObjectKey key, String subresource, Document mergePatch) {
        return changed(WriteVerb.PATCH, kind, key, subresource, merging(kind, mergePatch))
                .map(written -> document(kind, written));
    }

    private UnaryOperator<Document> merging(Kind<?> kind, Document patch) {
        return current -> {
            Preconditions.check(kind, current, Fields.uid(patch), Fields.resourceVersion(patch));
            return accepted(kind, decode(kind, MergePatch.apply(current, patch)), current);
        };
    }

    @Override
    public final StoreResult<Document> loadDocument(Kind<?> kind, Document document) {
        Decoded decoded = decode(kind, document);
        return written(
                        request(WriteVerb.LOAD, kind, ServerFields.key(document), ""),
                        writes -> writes.load(kind, accepted(kind, decoded, Document.empty())))
                .map(written -> document(kind, written));
    }

    @Override
    public final StoreResult<Document> deleteObject(Kind<?> kind, ObjectKey key, DeleteOptions options) {
        return deleted(kind, key, options).map(written -> document(kind, written));
    }

    /** What was sent, if each of its values is of the type of its field; what is stored otherwise since before that was asked stays usable. */
    private Document accepted(Kind<?> kind, Decoded decoded, Document current) {
        if (!decoded.wrong().isEmpty()) {
            WrongFields wrong = decoded.wrong().notIn(decode(kind, current).wrong());
            if (!wrong.isEmpty()) {
                throw new Refused(Failure.INVALID, wrong.refusal(kind));
            }
        }
        return decoded.object();
    }

    private StoreResult<Written> changed(
            WriteVerb verb, Kind<?> kind, ObjectKey key, String subresource, UnaryOperator<Document> edit) {
        return written(
                request(verb, kind, key, subresource), writes -> writes.change(kind, key, subresource, author, edit));
    }

    private StoreResult<Written> deleted(Kind<?> kind, ObjectKey key, DeleteOptions options) {
        return written(request(WriteVerb.DELETE, kind, key, ""), writes -> writes.delete(kind, key, options));
    }

    private StoreResult<Written> written(WriteRequest request, Function<Writes, Written> action) {
        return rehearses ? core.rehearse(request.kind(), action) : core.write(request, action);
    }

    private WriteRequest request(WriteVerb verb, Kind<?> kind, ObjectKey key, String subresource) {
        return new WriteRequest(verb, kind, key, subresource, author.client());
    }

    private Document document(Kind<?> kind, Written written) {
        return core.shown(kind, written.object());
    }

    private Decoded decode(Kind<?> kind, Document document) {
        return core.customResources().decode(kind, document);
    }

    @Override
    public final void sendBookmarks() {
        core.sendBookmarks();
    }

    /** Closes the store; on a view that {@link #as} made it does nothing. */
    @Override
    public final void close() {
        if (owner) {
            core.close();
        }
    }

    private record TypedSink<T extends KubernetesObject>(Kind<T> kind, WatchListener<T> listener)
            implements DocumentSink {
        @Override
        public void onEvent(WatchEvent.Type type, StoredDocument object, Revision revision) {
            listener.onEvent(new WatchEvent<>(type, object.as(kind), revision));
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

    private record WholeSink(StoreCore core, Kind<?> kind, DocumentListener listener) implements DocumentSink {
        @Override
        public void onEvent(WatchEvent.Type type, StoredDocument object, Revision revision) {
            listener.onEvent(type, core.shown(kind, object), revision);
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
}
