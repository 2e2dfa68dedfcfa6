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

/** Reads and lists, always from the server's database and never from its cache. Thread-safe. */
final class Reads {
    private static final Comparator<KubernetesObject> ORDER = Comparator.comparing(
                    (KubernetesObject object) -> object.metadata().namespace())
            .thenComparing(object -> object.metadata().name());

    private static final int PAGE = 500;

    private final Transport transport;

    Reads(Transport transport) {
        this.transport = transport;
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
        List<T> items = new ArrayList<>();
        ListOptions options = all.withLimit(PAGE);
        while (true) {
            StoreResult<ObjectList<T>> result = part(kind, options);
            if (!options.continueToken().isEmpty() && result.failure().equals(Optional.of(Failure.GONE))) {
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
            options = options.after(page.get().continueToken());
        }
    }

    private <T extends KubernetesObject> StoreResult<ObjectList<T>> part(Kind<T> kind, ListOptions options) {
        String path = Paths.collection(kind, options.namespace()) + Paths.listQuery(options);
        FieldSelection selection =
                FieldSelection.of("metadata").and(options.kept().below("items"));
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
