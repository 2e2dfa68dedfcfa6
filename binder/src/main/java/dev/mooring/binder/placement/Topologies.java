// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.placement;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.StorageClass;
import java.util.List;
import java.util.Map;

/** Where a class allows new volumes (S3): one of its terms must hold, and in it all expressions; an empty term never holds. */
public final class Topologies {
    private Topologies() {}

    /** Whether a node with these labels is in one of the places of a class. */
    public static boolean allow(StorageClass storageClass, Map<String, String> nodeLabels) {
        List<Document> terms = storageClass.allowedTopologies();
        return terms.isEmpty() || terms.stream().anyMatch(term -> holds(term, nodeLabels));
    }

    private static boolean holds(Document term, Map<String, String> nodeLabels) {
        List<?> expressions = listAt(term.asMap(), "matchLabelExpressions");
        return !expressions.isEmpty() && expressions.stream().allMatch(expression -> fulfils(expression, nodeLabels));
    }

    private static boolean fulfils(Object expression, Map<String, String> nodeLabels) {
        if (!(expression instanceof Map<?, ?> fields)) {
            return false;
        }
        Object key = fields.get("key");
        String value = key instanceof String label ? nodeLabels.get(label) : null;
        return value != null && listAt(fields, "values").contains(value);
    }

    private static List<?> listAt(Map<?, ?> fields, String key) {
        return fields.get(key) instanceof List<?> list ? list : List.of();
    }
}
