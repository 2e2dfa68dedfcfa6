// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Reads and lists, always from the server's database and never from its cache. Thread-safe. */
final class Reads {
    private static final Comparator<KubernetesObject> ORDER = Comparator.comparing(
                    (KubernetesObject object) -> object.metadata().namespace())
            .thenComparing(object -> object.metadata().name());

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

    <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
        String path = Paths.collection(kind, options.namespace()) + Paths.listQuery(options);
        return transport.send(Request.get(path), reply -> StoreResult.ok(page(kind, Outcomes.read(reply))));
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
