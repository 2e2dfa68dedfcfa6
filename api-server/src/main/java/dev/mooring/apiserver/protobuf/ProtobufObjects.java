// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads objects in {@code application/vnd.kubernetes.protobuf}, which typed clients in Go send: kubectl's {@code create}, the side-cars of CSI
 * drivers, kube-scheduler. A field whose number is not known is passed over, as API servers do. Answers are in JSON, which all these clients
 * accept too.
 */
public final class ProtobufObjects {
    /** The media type. */
    public static final String TYPE = "application/vnd.kubernetes.protobuf";

    private static final int MAGIC = 0x6b387300; // "k8s" and a zero

    private ProtobufObjects() {}

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
        Optional<Structure> type = type(apiVersion, kind);
        if (type.isEmpty() || FieldNumbers.standard().of(type.get().name()).isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("apiVersion", apiVersion);
        fields.put("kind", kind);
        fields.putAll(new MessageReader(FieldNumbers.standard()).read(type.get(), raw));
        return Optional.of(Document.of(fields));
    }

    /** Options of requests may name any group. */
    private static Optional<Structure> type(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        Schema schema = Schema.standard();
        return schema.type(group, apiVersion.substring(slash + 1), kind)
                .or(() -> kind.endsWith("Options") ? schema.type("meta", "v1", kind) : Optional.empty());
    }
}
