// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import dev.mooring.apiserver.protobuf.FieldNumbers.Member;
import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads messages by the types of the schema. Go writes a text that is not optional also when it is empty; so an empty text stands for what is not
 * there, but for those few that are optional and mean something when they are empty. Used by one thread.
 */
final class MessageReader {
    private static final int DEEPEST = 40;
    /** {@code storageClassName: ""} is no class at all, {@code apiGroup: ""} the core group. */
    private static final Set<String> MEANT_EMPTY =
            Set.of("core.v1.PersistentVolumeClaimSpec.storageClassName", "core.v1.TypedLocalObjectReference.apiGroup");

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final FieldNumbers numbers;

    MessageReader(FieldNumbers numbers) {
        this.numbers = numbers;
    }

    /**
     * The fields of an object.
     *
     * @throws IllegalArgumentException if the bytes are no message of the type
     */
    Map<String, Object> read(Structure type, ByteBuffer bytes) {
        return structure(type, bytes, 0);
    }

    private Map<String, Object> structure(Structure type, ByteBuffer bytes, int depth) {
        Map<String, Object> fields = new LinkedHashMap<>();
        members(type, type.name(), new WireReader(bytes), depth, fields);
        return fields;
    }

    private void members(Structure type, String message, WireReader in, int depth, Map<String, Object> fields) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("the object is nested too deeply");
        }
        Map<Integer, Member> members = numbers.of(message);
        while (in.next()) {
            Member member = members.get(in.field());
            FieldType field = member == null ? null : type.fields().get(member.name());
            if (member != null && member.isInline()) {
                members(type, member.name(), new WireReader(in.bytes()), depth + 1, fields);
            } else if (member == null || field == null) {
                in.skip();
            } else {
                put(fields, member.name(), field, in, depth, type.name());
            }
        }
    }

    private void put(
            Map<String, Object> fields, String name, FieldType type, WireReader in, int depth, String message) {
        if (type instanceof Sequence sequence) {
            list(fields, name).addAll(elements(sequence.element(), in, depth));
        } else if (type instanceof Mapping mapping) {
            if (name.equals("fieldsV1")) {
                rawJson(in.bytes()).ifPresent(value -> fields.put(name, value));
            } else {
                entry(map(fields, name), mapping.values(), in.bytes(), depth);
            }
        } else {
            value(type, in, depth)
                    .filter(value -> !value.equals("") || MEANT_EMPTY.contains(message + "." + name))
                    .filter(value -> !(value.equals(0L) && name.equals("generation")))
                    .ifPresent(value -> fields.put(name, value));
        }
    }

    /** Numbers may be packed into one field. */
    private List<Object> elements(FieldType type, WireReader in, int depth) {
        if (!(type instanceof Plain plain && isNumber(plain)) || !in.isBytes()) {
            return List.of(value(type, in, depth).orElse(""));
        }
        List<Object> packed = new ArrayList<>();
        WireReader numbersOnly = new WireReader(in.bytes());
        while (numbersOnly.hasMore()) {
            packed.add(numbersOnly.varint());
        }
        return packed;
    }

    private static boolean isNumber(Plain type) {
        return switch (type.form()) {
            case INT32, INT64 -> true;
            default -> false;
        };
    }

    /** Empty for a time of nothing and for free content of nothing. */
    private Optional<Object> value(FieldType type, WireReader in, int depth) {
        if (type instanceof Structure structure) {
            return Optional.of(structure(structure, in.bytes(), depth + 1));
        } else if (type instanceof Sequence sequence) {
            // The values of a map cannot be lists; a message with one field stands between.
            List<Object> items = new ArrayList<>();
            WireReader list = new WireReader(in.bytes());
            while (list.next()) {
                items.addAll(elements(sequence.element(), list, depth + 1));
            }
            return Optional.of(items);
        } else if (!(type instanceof Plain plain)) {
            throw new IllegalArgumentException("a map of maps");
        } else {
            return switch (plain.form()) {
                case STRING -> Optional.of(in.text());
                case BYTE -> Optional.of(base64(in.bytes()));
                case BOOLEAN -> Optional.of(in.number() != 0);
                case INT32 -> Optional.of((long) (int) in.number());
                case INT64 -> Optional.of(in.number());
                case TIME -> time(in.bytes(), DateTimeFormatter.ISO_INSTANT);
                case MICRO_TIME -> time(in.bytes(), MICROS);
                case QUANTITY -> Optional.of(quantity(in.bytes()));
                case INT_OR_STRING -> Optional.of(integerOrText(in.bytes()));
                case ANY, JSON -> rawJson(in.bytes());
            };
        }
    }

    private void entry(Map<String, Object> map, FieldType values, ByteBuffer bytes, int depth) {
        WireReader entry = new WireReader(bytes);
        String key = "";
        Optional<Object> value = Optional.empty();
        while (entry.next()) {
            switch (entry.field()) {
                case 1 -> key = entry.text();
                case 2 -> value = value(values, entry, depth + 1);
                default -> entry.skip();
            }
        }
        Object empty = values instanceof Plain ? "" : Map.of();
        map.put(key, value.orElse(empty));
    }

    private static String quantity(ByteBuffer bytes) {
        String text = "";
        WireReader quantity = new WireReader(bytes);
        while (quantity.next()) {
            if (quantity.field() == 1) {
                text = quantity.text();
            } else {
                quantity.skip();
            }
        }
        return text.isEmpty() ? "0" : text;
    }

    private static Object integerOrText(ByteBuffer bytes) {
        long type = 0;
        long number = 0;
        String text = "";
        WireReader either = new WireReader(bytes);
        while (either.next()) {
            switch (either.field()) {
                case 1 -> type = either.number();
                case 2 -> number = (int) either.number();
                case 3 -> text = either.text();
                default -> either.skip();
            }
        }
        return type == 0 ? (Object) number : text;
    }

    /** A message with one field, which holds JSON. */
    private static Optional<Object> rawJson(ByteBuffer bytes) {
        WireReader raw = new WireReader(bytes);
        Optional<Object> value = Optional.empty();
        while (raw.next()) {
            if (raw.field() == 1) {
                String json = StandardCharsets.UTF_8.decode(raw.bytes()).toString();
                value = json.isEmpty() ? Optional.empty() : Optional.of(json(json));
            } else {
                raw.skip();
            }
        }
        return value;
    }

    private static Object json(String json) {
        try {
            Map<String, Object> wrapped = KubernetesJson.standard()
                    .read("{\"v\":" + json + "}", "a field")
                    .asMap();
            Object value = wrapped.get("v");
            if (value == null || wrapped.size() > 1) {
                throw new IllegalArgumentException("a field holds more than one value in JSON");
            }
            return value;
        } catch (CodecException e) {
            throw new IllegalArgumentException("a field holds no JSON: " + e.getMessage(), e);
        }
    }

    private static Optional<Object> time(ByteBuffer bytes, DateTimeFormatter format) {
        WireReader time = new WireReader(bytes);
        long seconds = 0;
        long nanoseconds = 0;
        boolean given = false;
        while (time.next()) {
            switch (time.field()) {
                case 1 -> seconds = time.number();
                case 2 -> nanoseconds = time.number();
                default -> {
                    time.skip();
                    continue;
                }
            }
            given = true;
        }
        try {
            Instant instant = Instant.ofEpochSecond(seconds, format == MICROS ? nanoseconds : 0);
            return given && seconds != 0 ? Optional.of(format.format(instant)) : Optional.empty();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("a time is out of bounds", e);
        }
    }

    @SuppressWarnings("unchecked") // put there below
    private static List<Object> list(Map<String, Object> fields, String name) {
        return (List<Object>) fields.computeIfAbsent(name, each -> new ArrayList<>());
    }

    @SuppressWarnings("unchecked") // put there below
    private static Map<String, Object> map(Map<String, Object> fields, String name) {
        return (Map<String, Object>) fields.computeIfAbsent(name, each -> new LinkedHashMap<>());
    }

    private static String base64(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return Base64.getEncoder().encodeToString(copy);
    }
}
