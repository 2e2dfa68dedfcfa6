// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.schema;

import dev.mooring.distribution.standalone.resource.Resources;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the fields of an object that its description does not know. Of kinds that are described only in part, only what stands beside
 * spec and status, the metadata, and a pod's volumes are judged. Immutable.
 */
public final class UnknownFields {
    private static final String REFERENCES = "#/";
    private static final String VOLUMES = "volumes";
    private static final Set<String> LARGE = Set.of("spec", "status");

    private final Map<String, Map<String, Object>> schemas;

    /** For the kinds of some resources. */
    public UnknownFields(Resources resources) {
        Schemas all = new Schemas(REFERENCES);
        resources.all().forEach(each -> all.add(each, true));
        this.schemas = all.all();
    }

    /** The paths of the fields in their order, as the API server writes them: {@code spec.foo}, {@code spec.terms[0].bar}. */
    public List<String> of(Kind<?> kind, Document object) {
        Map<String, Object> fields = new LinkedHashMap<>(object.asMap());
        if (OpenApi.PARTLY.contains(kind)) {
            fields.keySet().removeAll(LARGE);
            object.at("spec", VOLUMES).ifPresent(volumes -> fields.put("spec", Map.of(VOLUMES, volumes)));
        }
        List<String> unknown = new ArrayList<>();
        collect(schemas.getOrDefault(Schemas.name(kind), Map.of()), fields, "", unknown);
        return unknown;
    }

    private void collect(Map<?, ?> given, Object value, String path, List<String> unknown) {
        Map<?, ?> schema = given.get("$ref") instanceof String reference
                ? schemas.getOrDefault(reference.substring(REFERENCES.length()), Map.of())
                : given;
        if (value instanceof Map<?, ?> members) {
            members.forEach((name, member) -> {
                String below = path.isEmpty() ? String.valueOf(name) : path + "." + name;
                if (schema.get("properties") instanceof Map<?, ?> properties) {
                    if (properties.get(name) instanceof Map<?, ?> property) {
                        collect(property, member, below, unknown);
                    } else {
                        unknown.add(below);
                    }
                } else if (schema.get("additionalProperties") instanceof Map<?, ?> each) {
                    collect(each, member, below, unknown);
                }
            });
        } else if (value instanceof List<?> elements && schema.get("items") instanceof Map<?, ?> items) {
            for (int i = 0; i < elements.size(); i++) {
                collect(items, elements.get(i), path + "[" + i + "]", unknown);
            }
        }
    }
}
