// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import dev.mooring.clusterstore.schema.FieldType.Form;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads one object. The API server goes on reading behind a value of a wrong type, and tells the first; but what a type reads by itself
 * (amounts, times) ends its reading, and is told before all others. We read on in both cases, to tell all of them. Used once.
 */
final class Decoding {
    private final Structure root;
    private final WrongValues problems;
    private final List<String> unknown = new ArrayList<>();
    private final List<WrongValue> wrong = new ArrayList<>(0);
    private int wrongCount;

    /** What ends the API server's reading. */
    private @Nullable WrongValue end;

    Decoding(Structure root) {
        this.root = root;
        this.problems = new WrongValues(!root.simpleName().equals("Secret"));
    }

    Decoded decode(Document object) {
        Map<String, Object> read = structure(root, object.asMap(), FieldPlace.ROOT);
        if (end != null) {
            read = object.asMap();
            unknown.clear();
        }
        Document document = isSame(read, object.asMap()) ? object : Document.of(read);
        return new Decoded(unknown.isEmpty() ? document : document.withoutNulls(), wrongFields(), unknown);
    }

    private WrongFields wrongFields() {
        List<WrongValue> values = new ArrayList<>(wrong.size() + 1);
        if (end != null) {
            values.add(end);
        }
        values.addAll(wrong);
        return values.isEmpty() ? WrongFields.NONE : new WrongFields(values, wrongCount);
    }

    private Map<String, Object> structure(Structure type, Map<String, Object> members, FieldPlace place) {
        FieldPlace.Within within = place.inside(type);
        Map<String, Object> copy = members;
        for (Map.Entry<String, Object> member : members.entrySet()) {
            String name = member.getKey();
            Object value = member.getValue();
            FieldType field = type.field(name);
            if (field == null) {
                unknown.add(within.field(name).path());
            } else if (value == JsonNull.NULL) {
                copy = copied(copy, members);
                copy.remove(name);
            } else {
                Object read = value(field, value, within, name, -1);
                if (read != value) {
                    copy = copied(copy, members);
                    copy.put(name, read);
                }
            }
        }
        return copy;
    }

    private Map<String, Object> mapping(Mapping type, Map<String, Object> members, FieldPlace place) {
        FieldPlace.Within within = place.inside();
        Map<String, Object> copy = members;
        for (Map.Entry<String, Object> member : members.entrySet()) {
            String key = member.getKey();
            Object value = member.getValue();
            Object read = value == JsonNull.NULL ? empty(type.values()) : value(type.values(), value, within, key, -1);
            if (read != value) {
                copy = copied(copy, members);
                copy.put(key, read);
            }
        }
        return copy;
    }

    private List<Object> sequence(Sequence type, List<Object> elements, FieldPlace place) {
        FieldPlace.Within within = place.inside();
        List<Object> copy = elements;
        for (int i = 0; i < elements.size(); i++) {
            Object value = elements.get(i);
            Object read = value == JsonNull.NULL ? empty(type.element()) : value(type.element(), value, within, "", i);
            if (read != value) {
                copy = isSame(copy, elements) ? new ArrayList<>(elements) : copy;
                copy.set(i, read);
            }
        }
        return copy;
    }

    private static boolean isSame(Object one, Object other) {
        return one == other;
    }

    private static Map<String, Object> copied(Map<String, Object> copy, Map<String, Object> members) {
        return isSame(copy, members) ? new LinkedHashMap<>(members) : copy;
    }

    /** Reads a value that is not null; the same object if nothing changes. */
    @SuppressWarnings("unchecked") // maps in a document have text keys
    private Object value(FieldType type, Object value, FieldPlace.Within parent, String key, int index) {
        if (type instanceof Plain plain) {
            return plain(plain, value, parent, key, index);
        } else if (type instanceof Structure structure && value instanceof Map<?, ?> members) {
            return structure(structure, (Map<String, Object>) members, parent.child(key, index));
        } else if (type instanceof Mapping mapping && value instanceof Map<?, ?> members) {
            return mapping(mapping, (Map<String, Object>) members, parent.child(key, index));
        } else if (type instanceof Sequence sequence && value instanceof List<?> elements) {
            return sequence(sequence, (List<Object>) elements, parent.child(key, index));
        }
        return mismatch(type, value, parent, key, index);
    }

    private Object plain(Plain type, Object value, FieldPlace.Within parent, String key, int index) {
        return switch (type.form()) {
            case ANY, JSON -> value;
            case STRING -> value instanceof String ? value : mismatch(type, value, parent, key, index);
            case BOOLEAN -> value instanceof Boolean ? value : mismatch(type, value, parent, key, index);
            case INT64 -> value instanceof Long ? value : mismatch(type, value, parent, key, index);
            case INT32 -> isInt32(value) ? value : mismatch(type, value, parent, key, index);
            case INT_OR_STRING -> {
                if (value instanceof String || isInt32(value)) {
                    yield value;
                }
                yield ended(value, () -> problems.mismatch(type, value, parent.child(key, index)));
            }
            case BYTE -> bytes(type, value, parent, key, index);
            case QUANTITY -> quantity(value, parent, key, index);
            case TIME, MICRO_TIME -> time(type, value, parent, key, index);
        };
    }

    private static boolean isInt32(Object value) {
        return value instanceof Long number && number.intValue() == number;
    }

    private Object bytes(Plain type, Object value, FieldPlace.Within parent, String key, int index) {
        if (value instanceof String text) {
            int bad = Base64Text.firstBad(text);
            if (bad < 0) {
                return Base64Text.canonical(text);
            }
            return wrong(value, () -> problems.base64(bad, text, parent.child(key, index)));
        } else if (value instanceof List<?> numbers && Base64Text.areBytes(numbers)) {
            return Base64Text.of(numbers);
        }
        return mismatch(type, value, parent, key, index);
    }

    private Object quantity(Object value, FieldPlace.Within parent, String key, int index) {
        boolean amount = value instanceof String || value instanceof Long || value instanceof BigDecimal;
        if (amount) {
            String text = Quantities.trimmed(value.toString());
            Optional<Quantity> quantity = Quantity.tryParse(text);
            if (quantity.isPresent()) {
                String canonical = quantity.get().toString();
                return canonical.equals(value) ? value : canonical;
            }
        }
        return ended(value, () -> problems.quantity(value, parent.child(key, index)));
    }

    private Object time(Plain type, Object value, FieldPlace.Within parent, String key, int index) {
        if (!(value instanceof String text)) {
            return ended(value, () -> problems.mismatch(type, value, parent.child(key, index)));
        }
        Optional<String> problem = GoTime.problem(text, type.form() == Form.MICRO_TIME);
        if (problem.isPresent()) {
            return ended(value, () -> problems.time(type, problem.get(), text, parent.child(key, index)));
        }
        return value;
    }

    private Object mismatch(FieldType type, Object value, FieldPlace.Within parent, String key, int index) {
        return wrong(value, () -> problems.mismatch(type, value, parent.child(key, index)));
    }

    private Object wrong(Object value, Supplier<WrongValue> problem) {
        wrongCount++;
        if (wrong.size() + 1 < WrongFields.KEPT) { // one place is for the end
            wrong.add(problem.get());
        }
        return value;
    }

    private Object ended(Object value, Supplier<WrongValue> problem) {
        if (end != null) {
            return wrong(value, problem);
        }
        wrongCount++;
        end = problem.get();
        return value;
    }

    /** What a null stands for in a list or a mapping. */
    private static Object empty(FieldType type) {
        if (type instanceof Structure || type instanceof Mapping) {
            return Map.of();
        } else if (type instanceof Sequence) {
            return List.of();
        }
        return switch (((Plain) type).form()) {
            case BOOLEAN -> false;
            case INT32, INT64, INT_OR_STRING -> 0L;
            case QUANTITY -> Quantity.ZERO.toString();
            case ANY, JSON -> JsonNull.NULL;
            case STRING, BYTE, TIME, MICRO_TIME -> "";
        };
    }
}
