// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plays what managers do to one object, as a server would, and shows who manages what. */
final class Managers {
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Kind<?> kind;
    private Document object = Document.empty();

    Managers(Kind<?> kind) {
        this.kind = kind;
    }

    /** JSON with single quotes for double ones. */
    static Document json(String text) {
        return KubernetesJson.standard().read(text.replace('\'', '"'), "a test");
    }

    Document object() {
        return object;
    }

    Document bare() {
        return object.without("metadata", "managedFields");
    }

    private FieldManagement management(String subresource) {
        return FieldManagement.of(kind, subresource).orElseThrow();
    }

    /** Makes the object so, as an update or its creation. */
    void update(String manager, String subresource, Document after) {
        List<Object> managers = management(subresource).afterUpdate(object, after, manager, NOW);
        object = managers.isEmpty()
                ? after.without("metadata", "managedFields")
                : after.with(managers, "metadata", "managedFields");
    }

    Applied apply(String manager, String subresource, boolean force, Document configuration) {
        Applied applied = management(subresource).apply(object, configuration, manager, force, NOW);
        if (applied.conflicts().isEmpty()) {
            object = Schema.standard().decode(kind, applied.object()).object();
        }
        return applied;
    }

    /** The fields of each manager: {@code one Apply} to {@code .data.k}. */
    Map<String, List<String>> shown() {
        Map<String, List<String>> shown = new LinkedHashMap<>();
        decoded()
                .shares()
                .forEach((manager, share) -> shown.put(
                        manager.name() + " " + manager.operation().text()
                                + (manager.subresource().isEmpty() ? "" : " " + manager.subresource()),
                        share.fields().paths()));
        return shown;
    }

    ManagedFields decoded() {
        List<?> entries = (List<?>) object.at("metadata", "managedFields").orElse(List.of());
        return ManagedFields.decode(entries).orElseThrow();
    }
}
