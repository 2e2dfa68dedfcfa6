// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import dev.mooring.apiserver.protobuf.FieldNumbers.Member;
import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes messages by the types of the schema, the fields in the order of their numbers. What an object does not have is not written: readers take
 * a text, a number or a message that is missing for an empty one. A value that is not of its field's type has no place in a message, and is left
 * out. Pure.
 */
final class MessageWriter {
    private final FieldNumbers numbers;

    MessageWriter(FieldNumbers numbers) {
        this.numbers = numbers;
    }

    /** The binary form of an object. */
    byte[] write(Structure type, Map<?, ?> fields) {
        return structure(type, type.name(), fields);
    }

    private byte[] structure(Structure type, String message, Map<?, ?> fields) {
        WireWriter out = new WireWriter();
        numbers.of(message).forEach((number, member) -> put(out, type, number, member, fields));
        return out.toBytes();
    }

    private void put(WireWriter out, Structure type, int number, Member member, Map<?, ?> fields) {
        if (member.isInline()) {
            byte[] inner = structure(type, member.name(), fields);
            if (inner.length > 0) {
                out.bytes(number, inner);
            }
            return;
        }
        FieldType field = type.fields().get(member.name());
        Object value = fields.get(member.name());
        if (field instanceof Sequence sequence && value instanceof List<?> list) {
            list.forEach(each -> value(out, number, sequence.element(), each));
        } else if (field instanceof Mapping mapping && value instanceof Map<?, ?> map) {
            if (member.name().equals("fieldsV1")) {
                out.bytes(number, json(map));
            } else {
                new TreeMap<>(map).forEach((key, each) -> out.bytes(number, entry((String) key, mapping, each)));
            }
        } else if (field != null && value != null) {
            value(out, number, field, value);
        }
    }

    private byte[] entry(String key, Mapping mapping, Object value) {
        WireWriter entry = new WireWriter();
        entry.text(1, key);
        value(entry, 2, mapping.values(), value);
        return entry.toBytes();
    }

    private void value(WireWriter out, int number, FieldType type, Object value) {
        if (type instanceof Structure structure) {
            if (value instanceof Map<?, ?> fields) {
                out.bytes(number, write(structure, fields));
            }
        } else if (type instanceof Sequence sequence) {
            // The values of a map cannot be lists; a message with one field stands between.
            if (value instanceof List<?> list) {
                WireWriter items = new WireWriter();
                list.forEach(each -> value(items, 1, sequence.element(), each));
                out.bytes(number, items.toBytes());
            }
        } else if (type instanceof Plain plain) {
            plain(out, number, plain, value);
        }
    }

    private static void plain(WireWriter out, int number, Plain type, Object value) {
        switch (type.form()) {
            case STRING -> {
                if (value instanceof String text) {
                    out.text(number, text);
                }
            }
            case BYTE -> bytes(value).ifPresent(bytes -> out.bytes(number, bytes));
            case BOOLEAN -> {
                if (value instanceof Boolean truth) {
                    out.number(number, truth ? 1 : 0);
                }
            }
            case INT32, INT64 -> {
                if (value instanceof Number integer) {
                    out.number(number, integer.longValue());
                }
            }
            case TIME -> time(value, false).ifPresent(bytes -> out.bytes(number, bytes));
            case MICRO_TIME -> time(value, true).ifPresent(bytes -> out.bytes(number, bytes));
            case QUANTITY -> {
                if (value instanceof String || value instanceof Number) {
                    out.bytes(number, only(1, value.toString().getBytes(StandardCharsets.UTF_8)));
                }
            }
            case INT_OR_STRING -> integerOrText(value).ifPresent(bytes -> out.bytes(number, bytes));
            case ANY, JSON -> out.bytes(number, json(value));
        }
    }

    private static byte[] only(int number, byte[] bytes) {
        WireWriter message = new WireWriter();
        message.bytes(number, bytes);
        return message.toBytes();
    }

    private static Optional<byte[]> bytes(Object value) {
        try {
            return value instanceof String text
                    ? Optional.of(Base64.getMimeDecoder().decode(text)) // Go passes over line ends, too
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> integerOrText(Object value) {
        WireWriter either = new WireWriter();
        if (value instanceof Number number) {
            either.number(1, 0);
            either.number(2, number.intValue());
        } else if (value instanceof String text) {
            either.number(1, 1);
            either.text(3, text);
        } else {
            return Optional.empty();
        }
        return Optional.of(either.toBytes());
    }

    private static Optional<byte[]> time(Object value, boolean micros) {
        if (!(value instanceof String text)) {
            return Optional.empty();
        }
        try {
            OffsetDateTime time = OffsetDateTime.parse(text);
            WireWriter message = new WireWriter();
            message.number(1, time.toEpochSecond());
            message.number(2, micros ? time.getNano() : 0);
            return Optional.of(message.toBytes());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A message with one field, which holds JSON. */
    private static byte[] json(Object value) {
        String wrapped = KubernetesJson.standard().write(Document.of(Map.of("v", value)));
        String text = wrapped.substring(wrapped.indexOf(':') + 1, wrapped.lastIndexOf('}'));
        return only(1, text.getBytes(StandardCharsets.UTF_8));
    }
}
