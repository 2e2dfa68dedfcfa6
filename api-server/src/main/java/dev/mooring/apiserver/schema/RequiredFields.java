// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.schema;

import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shows the fields that OpenAPI calls required also where an object leaves them out. kube-apiserver writes each of them with its empty
 * value. Clients made from OpenAPI refuse a whole list if one object lacks one. All functions are pure.
 */
public final class RequiredFields {
    private static final Schema SCHEMA = Schema.standard();

    private RequiredFields() {}

    /** The object with all required fields; the same object if it has them. An object of a kind without a schema stays as it is. */
    public static Document shown(Kind<?> kind, Document object) {
        return SCHEMA.type(kind)
                .map(type -> {
                    Map<String, Object> fields = object.asMap();
                    Map<String, Object> filled = structure(type, fields);
                    return isSame(filled, fields) ? object : Document.of(filled);
                })
                .orElse(object);
    }

    private static Map<String, Object> structure(Structure type, Map<String, Object> members) {
        Map<String, Object> filled = members;
        for (Map.Entry<String, Object> member : members.entrySet()) {
            FieldType field = type.fields().get(member.getKey());
            Object value = field == null ? member.getValue() : value(field, member.getValue());
            if (!isSame(value, member.getValue())) {
                filled = isSame(filled, members) ? new LinkedHashMap<>(members) : filled;
                filled.put(member.getKey(), value);
            }
        }
        for (String name : type.required()) {
            Optional<Object> empty = members.containsKey(name)
                    ? Optional.empty()
                    : Optional.ofNullable(type.fields().get(name)).flatMap(RequiredFields::empty);
            if (empty.isPresent()) {
                filled = isSame(filled, members) ? new LinkedHashMap<>(members) : filled;
                filled.put(name, empty.get());
            }
        }
        return filled;
    }

    @SuppressWarnings("unchecked") // maps in a document have text keys
    private static Object value(FieldType type, Object value) {
        if (type instanceof Structure structure && value instanceof Map<?, ?> members) {
            return structure(structure, (Map<String, Object>) members);
        } else if (type instanceof Sequence sequence
                && sequence.element() instanceof Structure element
                && value instanceof List<?> list) {
            return sequence(element, (List<Object>) list);
        } else if (type instanceof Mapping mapping
                && mapping.values() instanceof Structure element
                && value instanceof Map<?, ?> members) {
            return mapping(element, (Map<String, Object>) members);
        }
        return value;
    }

    private static List<Object> sequence(Structure element, List<Object> list) {
        List<Object> filled = list;
        for (int i = 0; i < list.size(); i++) {
            Object value = value(element, list.get(i));
            if (!isSame(value, list.get(i))) {
                filled = isSame(filled, list) ? new ArrayList<>(list) : filled;
                filled.set(i, value);
            }
        }
        return filled;
    }

    private static Map<String, Object> mapping(Structure element, Map<String, Object> members) {
        Map<String, Object> filled = members;
        for (Map.Entry<String, Object> member : members.entrySet()) {
            Object value = value(element, member.getValue());
            if (!isSame(value, member.getValue())) {
                filled = isSame(filled, members) ? new LinkedHashMap<>(members) : filled;
                filled.put(member.getKey(), value);
            }
        }
        return filled;
    }

    /** Nothing for a time, of which no value means nothing. */
    private static Optional<Object> empty(FieldType type) {
        if (type instanceof Structure structure) {
            return Optional.of(structure(structure, Map.of()));
        } else if (type instanceof Sequence) {
            return Optional.of(List.of());
        } else if (type instanceof Mapping) {
            return Optional.of(Map.of());
        }
        return switch (((Plain) type).form()) {
            case STRING, BYTE -> Optional.of("");
            case BOOLEAN -> Optional.of(false);
            case INT32, INT64, INT_OR_STRING -> Optional.of(0L);
            case QUANTITY -> Optional.of("0");
            case TIME, MICRO_TIME, ANY, JSON -> Optional.empty();
        };
    }

    @SuppressWarnings("ReferenceEquality") // what is unchanged is the same object
    private static boolean isSame(Object one, Object other) {
        return one == other;
    }
}
