// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** Lists of objects, as {@code kubectl get -o yaml} prints them. Pure; thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KubernetesLists {
    private static final String LIST = "List";

    private KubernetesLists() {}

    /**
     * The objects of documents: a document of kind {@code List}, or of a kind such as {@code PodList}, stands for its items.
     *
     * @param documents documents, never null
     * @param source what errors call them, never null
     * @return the objects in order, unmodifiable; items of a {@code PodList} get the kind {@code Pod} if they have none; never null
     * @throws CodecException if an item is no object
     */
    public static List<Document> expand(List<Document> documents, String source) {
        List<Document> objects = new ArrayList<>();
        documents.forEach(document -> expand(document, source, objects));
        return List.copyOf(objects);
    }

    private static void expand(Document document, String source, List<Document> objects) {
        String kind = document.text("kind").orElse("");
        if (!kind.endsWith(LIST) || !(document.at("items").orElse("") instanceof List<?> items)) {
            objects.add(document);
            return;
        }
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof Map<?, ?> item)) {
                throw new CodecException(source, 0, 0, "items[" + i + "] must be an object");
            }
            expand(typed(item, document, kind), source, objects);
        }
    }

    private static Document typed(Map<?, ?> item, Document list, String kind) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (!kind.equals(LIST)) {
            list.text("apiVersion").ifPresent(version -> members.put("apiVersion", version));
            members.put("kind", kind.substring(0, kind.length() - LIST.length()));
        }
        item.forEach((key, value) -> members.put((String) key, value));
        return Document.of(members);
    }
}
