// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads and lists, always as new as the server's database is when they are asked for. Thread-safe.
 *
 * <p>A list without a limit is read so that it costs the database little: a page first, which is all of most kinds; more than that by a watch
 * that begins with what there is, where the server has it (StreamedLists), else in pages. The database cannot select by labels and
 * fields, but for the name: it would be read as a whole for the few objects of one node. Such a list is a watch from the first; where the server
 * has none, and the kind has more than ten pages, its memory is asked once it is as new as the database was ({@code NotOlderThan}).
 * That answer has no pages, so other lists are not asked for so; and the memory of a kind that is quiet does not learn of a newer
 * revision before 1.31, so it is refused after three seconds, and pages follow.
 */
final class Reads {
    static final Comparator<KubernetesObject> ORDER = Comparator.comparing(
                    (KubernetesObject object) -> object.metadata().namespace())
            .thenComparing(object -> object.metadata().name());

    private static final int PAGE = 500;
    private static final long MANY = 10 * PAGE;
    private static final FieldSelection LIST = FieldSelection.of("metadata");

    private final Transport transport;
    private final StreamedLists streamed;

    Reads(Transport transport, StreamedLists streamed) {
        this.transport = transport;
        this.streamed = streamed;
    }

    <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        return document(kind, key).map(kind::read);
    }

    /** The whole document, with what no model knows. */
    StoreResult<Document> document(Kind<?> kind, ObjectKey key) {
        return transport.send(Request.get(Paths.object(kind, key)), reply -> StoreResult.ok(Outcomes.read(reply)));
    }

    /**
     * Lists. Where no limit is wanted, what is asked of the server has one all the same, so that no answer is larger than what may be read at once.
     */
    <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
        boolean whole = options.limit() == 0 && options.continueToken().isEmpty();
        return whole ? whole(kind, options) : part(kind, options);
    }

    private <T extends KubernetesObject> StoreResult<ObjectList<T>> whole(Kind<T> kind, ListOptions all) {
        return isSelected(all)
                ? streamed.list(kind, all)
                        .or(() -> fromMemory(kind, all))
                        .orElseGet(() -> paged(kind, all, Optional::empty))
                : paged(kind, all, () -> streamed.list(kind, all));
    }

    /** Whether objects are to be read that are not wanted. */
    private static boolean isSelected(ListOptions options) {
        return !options.isByName()
                && (options.labels().isPresent() || !options.fields().isEmpty());
    }

    /**
     * Page by page.
     *
     * @param more another way, asked for once, where there is more than a page
     */
    private <T extends KubernetesObject> StoreResult<ObjectList<T>> paged(
            Kind<T> kind, ListOptions all, Supplier<Optional<StoreResult<ObjectList<T>>>> more) {
        List<T> items = new ArrayList<>();
        ListOptions options = all.withLimit(PAGE);
        while (true) {
            boolean first = options.continueToken().isEmpty();
            StoreResult<ObjectList<T>> result = part(kind, options);
            if (!first && result.failure().equals(Optional.of(Failure.GONE))) {
                return part(kind, all); // the history went while it was read: in one piece it does not need any
            }
            Optional<ObjectList<T>> page = result.value();
            if (page.isEmpty()) {
                return result;
            }
            items.addAll(page.get().items());
            if (page.get().continueToken().isEmpty()) {
                items.sort(ORDER);
                return StoreResult.ok(new ObjectList<>(items, page.get().revision(), ""));
            }
            Optional<StoreResult<ObjectList<T>>> other = first ? more.get() : Optional.empty();
            if (other.isPresent()) {
                return other.get();
            }
            options = options.after(page.get().continueToken());
        }
    }

    /** In one piece, if that is worth it; empty if pages are to be asked for. A list of one object tells of the database. */
    private <T extends KubernetesObject> Optional<StoreResult<ObjectList<T>>> fromMemory(
            Kind<T> kind, ListOptions all) {
        String collection = Paths.collection(kind, all.namespace());
        Optional<Document> now = transport
                .send(Request.get(collection + "?limit=1"), reply -> StoreResult.ok(Outcomes.read(reply, LIST)))
                .value();
        boolean many = now.flatMap(list -> list.at("metadata", "remainingItemCount"))
                .filter(rest -> rest instanceof Long number && number >= MANY)
                .isPresent();
        Optional<String> revision = now.flatMap(list -> list.text("metadata", "resourceVersion"));
        if (!many || revision.isEmpty()) {
            return Optional.empty();
        }
        List<String> query = Paths.selection(all);
        query.add("resourceVersion=" + revision.get());
        query.add("resourceVersionMatch=NotOlderThan");
        return Optional.of(answered(kind, all, collection + "?" + String.join("&", query)))
                .filter(StoreResult::isOk);
    }

    private <T extends KubernetesObject> StoreResult<ObjectList<T>> part(Kind<T> kind, ListOptions options) {
        return answered(kind, options, Paths.collection(kind, options.namespace()) + Paths.listQuery(options));
    }

    private <T extends KubernetesObject> StoreResult<ObjectList<T>> answered(
            Kind<T> kind, ListOptions options, String path) {
        FieldSelection selection = LIST.and(options.kept().below("items"));
        return transport.send(Request.get(path), reply -> StoreResult.ok(page(kind, Outcomes.read(reply, selection))));
    }

    private static <T extends KubernetesObject> ObjectList<T> page(Kind<T> kind, Document list) {
        List<T> items = new ArrayList<>();
        if (list.at("items").orElse(List.of()) instanceof List<?> documents) {
            documents.forEach(each -> items.add(kind.read(document(each))));
        }
        // The server's order is that of its keys, in which x-y comes before x.
        items.sort(ORDER);
        return new ObjectList<>(
                items,
                Revision.parse(list.text("metadata", "resourceVersion").orElse("")),
                list.text("metadata", "continue").orElse(""));
    }

    @SuppressWarnings("unchecked") // maps in a document have text keys
    private static Document document(Object item) {
        if (item instanceof Map<?, ?> map) {
            return Document.of((Map<String, ?>) map);
        }
        throw new IllegalArgumentException("an item of a list is an object, not " + item);
    }
}
