// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import dev.mooring.apiserver.protobuf.Message.Field;
import dev.mooring.storage.document.Document;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads objects in {@code application/vnd.kubernetes.protobuf}, which kubectl's {@code create configmap|secret|namespace|…} and {@code
 * auth can-i} send since they use typed clients. Only the kinds of these commands; what a message has beside their fields is passed
 * over, as API servers do.
 */
public final class ProtobufObjects {
    /** The media type. */
    public static final String TYPE = "application/vnd.kubernetes.protobuf";

    private static final int MAGIC = 0x6b387300; // "k8s" and a zero
    private static final int DEEPEST = 20;

    private ProtobufObjects() {}

    /**
     * Reads one.
     *
     * @return the object with its kind and version; empty if it is of a kind that is not read in this form
     * @throws IllegalArgumentException if it is no such object
     */
    public static Optional<Document> read(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.remaining() < 4 || in.getInt() != MAGIC) {
            throw new IllegalArgumentException("the body does not begin as " + TYPE + " does");
        }
        String apiVersion = "";
        String kind = "";
        ByteBuffer raw = ByteBuffer.allocate(0);
        WireReader envelope = new WireReader(in.slice());
        while (envelope.next()) {
            switch (envelope.field()) {
                case 1 -> {
                    WireReader type = new WireReader(envelope.bytes());
                    while (type.next()) {
                        String text = type.text();
                        apiVersion = type.field() == 1 ? text : apiVersion;
                        kind = type.field() == 2 ? text : kind;
                    }
                }
                case 2 -> raw = envelope.bytes();
                default -> envelope.skip();
            }
        }
        boolean options = kind.equals("DeleteOptions");
        Message message = Message.of((options ? "v1" : apiVersion) + "/" + kind);
        if (message.fields().isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("apiVersion", apiVersion);
        fields.put("kind", kind);
        fields.putAll(read(message, new WireReader(raw), 0));
        return Optional.of(Document.of(fields));
    }

    private static Map<String, Object> read(Message message, WireReader in, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("the object is nested too deeply");
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        while (in.next()) {
            Field field = message.fields().get(in.field());
            if (field == null) {
                in.skip();
            } else {
                put(fields, field, in, depth);
            }
        }
        return fields;
    }

    /** Empty texts and messages, and the generation 0, stand for what is not there. */
    private static void put(Map<String, Object> fields, Field field, WireReader in, int depth) {
        String name = field.name();
        switch (field.form()) {
            case TEXT -> {
                String text = in.text();
                if (!text.isEmpty()) {
                    fields.put(name, text);
                }
            }
            case BYTES -> fields.put(name, base64(in.bytes()));
            case NUMBER -> {
                long number = in.number();
                if (number != 0 || !name.equals("generation")) {
                    fields.put(name, number);
                }
            }
            case FLAG -> fields.put(name, in.number() != 0);
            case TIME -> time(in.bytes()).ifPresent(time -> fields.put(name, time));
            case TEXTS -> list(fields, name).add(in.text());
            case MESSAGES -> list(fields, name).add(read(field.message(), new WireReader(in.bytes()), depth + 1));
            case TEXT_MAP -> entry(map(fields, name), in.bytes(), false);
            case BYTES_MAP -> entry(map(fields, name), in.bytes(), true);
            case MESSAGE -> {
                Map<String, Object> inner = read(field.message(), new WireReader(in.bytes()), depth + 1);
                if (!inner.isEmpty()) {
                    fields.put(name, inner);
                }
            }
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

    private static void entry(Map<String, Object> map, ByteBuffer bytes, boolean binary) {
        WireReader entry = new WireReader(bytes);
        String key = "";
        String value = "";
        while (entry.next()) {
            switch (entry.field()) {
                case 1 -> key = entry.text();
                case 2 -> value = binary ? base64(entry.bytes()) : entry.text();
                default -> entry.skip();
            }
        }
        map.put(key, value);
    }

    private static String base64(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return Base64.getEncoder().encodeToString(copy);
    }

    private static Optional<String> time(ByteBuffer bytes) {
        WireReader time = new WireReader(bytes);
        long seconds = 0;
        while (time.next()) {
            if (time.field() == 1) {
                seconds = time.number();
            } else {
                time.skip();
            }
        }
        try {
            return seconds == 0
                    ? Optional.empty()
                    : Optional.of(Instant.ofEpochSecond(seconds).toString());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("a time is out of bounds", e);
        }
    }
}
