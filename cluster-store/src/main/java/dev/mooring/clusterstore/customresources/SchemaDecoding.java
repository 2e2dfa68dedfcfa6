// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.JsonNull;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads an object by its schema as the API server does: fields that the schema does not name are taken out, fields that are left out get their
 * defaults, and a null where none is allowed is as if it was left out. Used once.
 */
final class SchemaDecoding {
    static final Structure METADATA =
            Schema.standard().type("meta", "v1", "ObjectMeta").orElseThrow();

    private static final List<String> OF_OBJECTS = List.of("apiVersion", "kind", "metadata");

    private final List<String> unknown = new ArrayList<>();

    /** The paths that were taken out. */
    List<String> unknown() {
        return unknown;
    }

    /** What is left of an object, its metadata as they are. */
    Map<String, Object> object(JsonSchema schema, Map<?, ?> members) {
        return object(schema, members, "", true);
    }

    private Object value(JsonSchema schema, Object value, String path) {
        if (value instanceof Map<?, ?> members) {
            return object(schema, members, path, schema.isEmbedded());
        } else if (value instanceof List<?> list && schema.items().isPresent()) {
            JsonSchema items = schema.items().get();
            List<Object> read = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                Object element = isForbiddenNull(list.get(i), items)
                        ? items.defaultValue().orElse(JsonNull.NULL)
                        : list.get(i);
                read.add(value(items, element, path + "[" + i + "]"));
            }
            return read;
        }
        return value;
    }

    private Map<String, Object> object(JsonSchema schema, Map<?, ?> members, String path, boolean typed) {
        Map<String, Object> read = new LinkedHashMap<>();
        members.forEach((key, each) -> {
            String name = (String) key;
            String below = SchemaValidation.child(path, name);
            JsonSchema property = schema.properties().get(name);
            if (typed && OF_OBJECTS.contains(name)) {
                read.put(name, name.equals("metadata") ? metadata(each, below, path) : each);
            } else if (property != null) {
                put(property, name, each, below, read);
            } else if (schema.additionalProperties().isPresent()) {
                put(schema.additionalProperties().get(), name, each, below, read);
            } else if (schema.keepsUnknown() || schema.allowsAdditional()) {
                read.put(name, each);
            } else {
                unknown.add(below);
            }
        });
        schema.properties().forEach((name, property) -> {
            if (!read.containsKey(name)) {
                property.defaultValue().ifPresent(value -> read.put(name, value(property, value, "")));
            }
        });
        return read;
    }

    /**
     * Metadata are of a type that the server knows: what else stands there is not kept. Unknown fields of the object itself are reported
     * elsewhere.
     */
    private Object metadata(Object metadata, String path, String parent) {
        if (!(metadata instanceof Map<?, ?> members)) {
            return metadata;
        }
        Map<String, Object> read = new LinkedHashMap<>();
        members.forEach((key, each) -> {
            if (METADATA.fields().containsKey(key)) {
                read.put((String) key, each);
            } else if (!parent.isEmpty()) {
                unknown.add(path + "." + key);
            }
        });
        return read;
    }

    private void put(JsonSchema schema, String name, Object value, String path, Map<String, Object> into) {
        if (!isForbiddenNull(value, schema)) {
            into.put(name, value(schema, value, path));
        } else {
            schema.defaultValue().ifPresent(other -> into.put(name, value(schema, other, path)));
        }
    }

    private static boolean isForbiddenNull(Object value, JsonSchema schema) {
        return value == JsonNull.NULL && !schema.isNullable();
    }
}
