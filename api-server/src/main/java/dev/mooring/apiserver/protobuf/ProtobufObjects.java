// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Objects in {@code application/vnd.kubernetes.protobuf}, which typed clients in Go send and like best: kubectl's {@code create}, the side-cars of
 * CSI drivers, kube-scheduler, kube-controller-manager. A field whose number is not known is passed over, as API servers do. Custom resources have
 * no such form, nor have rows for display. All functions are pure.
 */
public final class ProtobufObjects {
    /** The media type. */
    public static final String TYPE = "application/vnd.kubernetes.protobuf";

    /** How many bytes before an event hold its length. */
    public static final int LENGTH_BYTES = 4;

    private static final int MAGIC = 0x6b387300; // "k8s" and a zero

    private static final byte[] START = {'k', '8', 's', 0};
    private static final String LIST = "List";
    private static final MessageWriter WRITER = new MessageWriter(FieldNumbers.standard());

    private ProtobufObjects() {}

    /** Whether objects of a kind have this form. */
    public static boolean isKnown(Kind<?> kind) {
        return messageOf(kind.apiVersion(), kind.name()).isPresent();
    }

    /**
     * Writes an object, a list of objects, or a status.
     *
     * @return empty if it is of a kind that has no such form
     */
    public static Optional<byte[]> write(Document object) {
        String apiVersion = object.text("apiVersion").orElse("");
        String kind = object.text("kind").orElse("");
        return messageOf(apiVersion, kind)
                .map(type -> WRITER.write(type, object.asMap()))
                .or(() -> list(apiVersion, kind, object.asMap()))
                .map(raw -> enveloped(apiVersion, kind, raw));
    }

    private static Optional<byte[]> list(String apiVersion, String kind, Map<String, Object> fields) {
        if (!kind.endsWith(LIST)) {
            return Optional.empty();
        }
        String element = kind.substring(0, kind.length() - LIST.length());
        return messageOf(apiVersion, element).map(type -> {
            WireWriter out = new WireWriter();
            if (fields.get("metadata") instanceof Map<?, ?> metadata) {
                meta("ListMeta").ifPresent(each -> out.bytes(1, WRITER.write(each, metadata)));
            }
            if (fields.get("items") instanceof List<?> items) {
                for (Object item : items) {
                    out.bytes(2, WRITER.write(type, (Map<?, ?>) item));
                }
            }
            return out.toBytes();
        });
    }

    private static byte[] enveloped(String apiVersion, String kind, byte[] raw) {
        WireWriter type = new WireWriter();
        type.text(1, apiVersion);
        type.text(2, kind);
        WireWriter out = new WireWriter();
        out.plain(START);
        out.bytes(1, type.toBytes());
        out.bytes(2, raw);
        out.text(3, "");
        out.text(4, "");
        return out.toBytes();
    }

    /**
     * Writes an event of a watch, behind its length in four bytes.
     *
     * @param type such as {@code ADDED}
     * @return empty if the object is of a kind that has no such form
     */
    public static Optional<byte[]> writeEvent(String type, Document object) {
        return write(object).map(written -> {
            WireWriter raw = new WireWriter();
            raw.bytes(1, written);
            WireWriter event = new WireWriter();
            event.text(1, type);
            event.bytes(2, raw.toBytes());
            byte[] bytes = event.toBytes();
            return ByteBuffer.allocate(LENGTH_BYTES + bytes.length)
                    .putInt(bytes.length)
                    .put(bytes)
                    .array();
        });
    }

    /**
     * Reads one.
     *
     * @return the object with its kind and version; empty if it is of a kind that is not known
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
        Optional<Structure> type = messageOf(apiVersion, kind);
        if (type.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("apiVersion", apiVersion);
        fields.put("kind", kind);
        fields.putAll(new MessageReader(FieldNumbers.standard()).read(type.get(), raw));
        return Optional.of(Document.of(fields));
    }

    /** The type of an object, if its fields have numbers. */
    private static Optional<Structure> messageOf(String apiVersion, String kind) {
        return type(apiVersion, kind)
                .filter(type -> !FieldNumbers.standard().of(type.name()).isEmpty());
    }

    /** The message of a kind. Options of requests may name any group, and have one message for all. */
    private static Optional<Structure> type(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        boolean isMeta =
                kind.endsWith("Options") || group.equals("meta.k8s.io") || (group.isEmpty() && kind.equals("Status"));
        return Schema.standard()
                .type(group, apiVersion.substring(slash + 1), kind)
                .or(() -> isMeta ? meta(kind) : Optional.empty());
    }

    private static Optional<Structure> meta(String kind) {
        return Schema.standard().type("meta", "v1", kind);
    }
}
