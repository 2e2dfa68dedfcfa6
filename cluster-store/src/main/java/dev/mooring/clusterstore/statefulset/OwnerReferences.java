// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Who owns an object, as its document says. Pure functions. */
final class OwnerReferences {
    private static final String[] PATH = {"metadata", "ownerReferences"};

    private OwnerReferences() {}

    static List<Document> of(Document object) {
        return Fields.objects(object, PATH);
    }

    /** The uid of the controller; empty if there is none. */
    static Optional<String> controller(Document object) {
        return of(object).stream()
                .filter(OwnerReferences::isController)
                .map(reference -> Fields.text(reference, "uid"))
                .findFirst();
    }

    static boolean isController(Document reference) {
        return Fields.isTrue(reference, "controller");
    }

    static boolean hasUid(Document reference, Document owner) {
        return Fields.text(reference, "uid").equals(Fields.uid(owner));
    }

    /** Whether a reference names this owner, of whatever life. */
    static boolean isNamed(Document reference, Kind<?> kind, String owner) {
        return Fields.text(reference, "apiVersion").equals(kind.apiVersion())
                && Fields.text(reference, "kind").equals(kind.name())
                && Fields.text(reference, "name").equals(owner);
    }

    static boolean has(Document object, Document owner) {
        return of(object).stream().anyMatch(reference -> hasUid(reference, owner));
    }

    /** The object with one more owner, who is its controller and does not go before it. */
    static Document withController(Document object, Kind<?> kind, Document owner) {
        List<Object> references = new ArrayList<>(Fields.list(object, PATH));
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("apiVersion", kind.apiVersion());
        reference.put("kind", kind.name());
        reference.put("name", Fields.name(owner));
        reference.put("uid", Fields.uid(owner));
        reference.put("controller", true);
        reference.put("blockOwnerDeletion", true);
        references.add(reference);
        return object.with(references, PATH);
    }

    /** The object without some of its owners. */
    static Document without(Document object, Predicate<Document> dropped) {
        List<Object> kept = new ArrayList<>();
        for (Document reference : of(object)) {
            if (!dropped.test(reference)) {
                kept.add(reference.asMap());
            }
        }
        return kept.isEmpty() ? object.without(PATH) : object.with(kept, PATH);
    }
}
