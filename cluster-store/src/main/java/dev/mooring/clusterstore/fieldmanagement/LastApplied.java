// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The annotation in which kubectl's apply keeps what it applied, when it does so without the server's help. */
final class LastApplied {
    /** The only manager that may take over what the annotation says, and that keeps it up to date. */
    static final String KUBECTL = "kubectl";

    private static final String[] PATH = {"metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"
    };

    /** All annotations of an object have no more. */
    private static final int LONGEST = 256 << 10;

    private static final KubernetesJson JSON = KubernetesJson.standard();

    private LastApplied() {}

    static boolean isIn(Document object) {
        return !Fields.text(object, PATH).isEmpty();
    }

    /** What was applied; empty if the object does not say it readably. */
    static Optional<Document> of(Document object) {
        try {
            return object.text(PATH).map(text -> JSON.read(text, "the annotation"));
        } catch (CodecException e) {
            return Optional.empty();
        }
    }

    /** The object with what is applied now. */
    static Document with(Document object, Document configuration) {
        Document bare = configuration.without(PATH);
        String text = Document.of(FieldNode.asMap(sorted(bare.asMap()))) + "\n";
        return text.length() > LONGEST ? object.without(PATH) : object.with(text, PATH);
    }

    private static Object sorted(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> sorted = new TreeMap<>();
            map.forEach((key, each) -> sorted.put((String) key, sorted(each)));
            return sorted;
        } else if (value instanceof List<?> list) {
            return list.stream().map(LastApplied::sorted).toList();
        }
        return value;
    }
}
