// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.contract;

import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Every field of every kind with a value of each wrong JSON type. */
public final class TypeSweep {
    /**
     * One object with one wrong value.
     *
     * @param path where it is: {@code spec.volumes[].secret.items}
     * @param value what stands there
     * @param object the object: a name, and what leads to the value
     */
    public record Wrong(Kind<?> kind, String path, Object value, Document object) {
        @Override
        public String toString() {
            return kind + " " + path + " = " + value;
        }
    }

    private static final Object TEXT = "x";
    private static final Object NUMBER = 5L;
    private static final Object FLAG = true;
    private static final Object OBJECT = Map.of("a", "b");
    private static final Object LIST = List.of("a");
    private static final Object FRACTION = new BigDecimal("1.5");
    private static final Object LARGE = 1L << 40;

    private final Kind<?> kind;
    private final List<Wrong> found = new ArrayList<>();

    private TypeSweep(Kind<?> kind) {
        this.kind = kind;
    }

    /** All of one kind; what it is and of which version is told otherwise, and is not swept. */
    public static List<Wrong> of(Kind<?> kind) {
        TypeSweep sweep = new TypeSweep(kind);
        Structure root = Schema.standard().type(kind).orElseThrow();
        root.fields().forEach((name, type) -> {
            if (!List.of("apiVersion", "kind").contains(name)) {
                sweep.field(type, name, value -> Map.of(name, value), List.of(root));
            }
        });
        return sweep.found;
    }

    private void field(FieldType type, String path, UnaryOperator<Object> around, List<Structure> within) {
        for (Object value : wrong(type)) {
            found.add(new Wrong(kind, path, value, object(around.apply(value))));
        }
        if (type instanceof Structure structure && !within.contains(structure)) {
            List<Structure> deeper = new ArrayList<>(within);
            deeper.add(structure);
            structure
                    .fields()
                    .forEach((name, each) ->
                            field(each, path + "." + name, value -> around.apply(Map.of(name, value)), deeper));
        } else if (type instanceof Sequence sequence) {
            field(sequence.element(), path + "[]", value -> around.apply(List.of(value)), within);
        } else if (type instanceof Mapping mapping) {
            field(mapping.values(), path + "{}", value -> around.apply(Map.of("key", value)), within);
        }
    }

    private Document object(Object fields) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", kind.apiVersion());
        object.put("kind", kind.name());
        object.put("metadata", Map.of("name", "swept"));
        ((Map<?, ?>) fields).forEach((name, value) -> {
            boolean more = name.equals("metadata") && value instanceof Map;
            Map<String, Object> metadata = new LinkedHashMap<>(Map.of("name", "swept"));
            if (more) {
                ((Map<?, ?>) value).forEach((key, each) -> metadata.put((String) key, each));
            }
            object.put((String) name, more ? metadata : value);
        });
        return Document.of(object);
    }

    private static List<Object> wrong(FieldType type) {
        if (type instanceof Structure || type instanceof Mapping) {
            return List.of(TEXT, NUMBER, FLAG, LIST, List.of());
        } else if (type instanceof Sequence) {
            return List.of(TEXT, NUMBER, FLAG, OBJECT, Map.of());
        }
        return switch (((Plain) type).form()) {
            case STRING -> List.of(NUMBER, FLAG, OBJECT, LIST, Map.of(), List.of());
            case BOOLEAN -> List.of("true", NUMBER, OBJECT, LIST, Map.of(), List.of());
            case INT32 -> List.of("5", FLAG, FRACTION, LARGE, OBJECT, LIST, Map.of(), List.of());
            case INT64 -> List.of("5", FLAG, FRACTION, OBJECT, LIST, Map.of(), List.of());
            case BYTE -> List.of("!", NUMBER, FLAG, OBJECT, LIST, Map.of());
            case TIME, MICRO_TIME -> List.of("yesterday", NUMBER, FLAG, OBJECT, LIST, Map.of(), List.of());
            case QUANTITY -> List.of("much", "5 Gi", FLAG, OBJECT, LIST, Map.of(), List.of());
            case INT_OR_STRING -> List.of(FLAG, FRACTION, LARGE, OBJECT, LIST, Map.of(), List.of());
            case ANY, JSON -> List.of();
        };
    }
}
