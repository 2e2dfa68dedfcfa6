// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.defaulting;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Changes the objects in a list of a document. */
final class DocumentLists {
    private DocumentLists() {}

    /** The document with each object of the list changed; what is no object stays. */
    static Document each(Document document, UnaryOperator<Document> change, String... path) {
        List<Object> before = Fields.list(document, path);
        List<Object> after = before.stream()
                .map(element -> element instanceof Map
                        ? (Object) change.apply(Fields.asDocument(element)).asMap()
                        : element)
                .toList();
        return after.equals(before) ? document : document.with(after, path);
    }
}
