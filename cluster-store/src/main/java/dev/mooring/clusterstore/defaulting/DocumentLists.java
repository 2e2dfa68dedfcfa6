// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.defaulting;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Changes the objects in a list of a document. */
final class DocumentLists {
    private DocumentLists() {}

    /** The document with each object of the list changed; what is no object stays. */
    static Document each(Document document, UnaryOperator<Document> change, String... path) {
        List<Object> before = Fields.list(document, path);
        List<Object> after = before;
        List<Document> objects = document.objects(path);
        for (int i = 0; i < before.size(); i++) {
            if (before.get(i) instanceof Map<?, ?> element) {
                Document changed = change.apply(objects.get(i));
                if (!isSame(changed.asMap(), element)) {
                    after = isSame(after, before) ? new ArrayList<>(before) : after;
                    after.set(i, changed.asMap());
                }
            }
        }
        return isSame(after, before) ? document : document.with(after, path);
    }

    private static boolean isSame(Object one, Object other) {
        return one == other;
    }
}
