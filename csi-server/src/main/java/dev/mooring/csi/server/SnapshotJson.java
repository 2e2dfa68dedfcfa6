// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A {@link SnapshotRecord} as JSON, and the part of it that an id can hold. Pure. */
final class SnapshotJson {
    /** How an id begins that holds what the snapshot is. */
    static final String PACKED_BEGIN = "s2-";

    private static final long SCHEMA = 1;
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private SnapshotJson() {}

    static String write(SnapshotRecord record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("schema", SCHEMA);
        fields.put("id", record.handle().text());
        fields.put("phase", record.phase().name());
        fields.put("name", record.name());
        fields.put("source", record.source());
        fields.put("sourceKey", record.sourceKey());
        fields.put("parameters", new TreeMap<>(record.parameters()));
        fields.put("content", record.contentName());
        fields.put("annotations", new TreeMap<>(record.annotations()));
        fields.put("handle", record.backend());
        fields.put("createdAt", record.createdAt().toString());
        fields.put("bytes", record.bytes());
        fields.put("ready", record.ready());
        return JSON.write(Document.of(fields));
    }

    /** Reads what {@link #write} wrote; empty for anything else. */
    static Optional<SnapshotRecord> read(String text) {
        try {
            Document fields = JSON.read(text, "record");
            if (!fields.at("schema").equals(Optional.of(SCHEMA))) {
                return Optional.empty();
            }
            return SnapshotHandle.parse(text(fields, "id"))
                    .map(id -> new SnapshotRecord(
                            id,
                            SnapshotRecord.Phase.valueOf(text(fields, "phase")),
                            text(fields, "name"),
                            text(fields, "source"),
                            text(fields, "sourceKey"),
                            texts(fields, "parameters"),
                            text(fields, "content"),
                            texts(fields, "annotations"),
                            text(fields, "handle"),
                            Instant.parse(text(fields, "createdAt")),
                            fields.at("bytes").map(Long.class::cast).orElseThrow(IllegalArgumentException::new),
                            fields.at("ready").equals(Optional.of(true))));
        } catch (CodecException | IllegalArgumentException | ClassCastException | DateTimeException e) {
            return Optional.empty();
        }
    }

    /** What an id holds of it. */
    static String packed(SnapshotRecord record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", record.name());
        fields.put("handle", record.backend());
        fields.put("annotations", new TreeMap<>(record.annotations()));
        return JSON.write(Document.of(fields));
    }

    /** The name of the snapshot that an id holds; empty if it holds none. */
    static Optional<String> packedName(String id) {
        return PackedText.unpack(PACKED_BEGIN, id)
                .filter(fields -> fields.text("handle").isPresent())
                .flatMap(fields -> fields.text("name"));
    }

    /** The snapshot that an id holds, without what only its driver's records say; empty if it holds none. */
    static Optional<SnapshotRecord> unpack(SnapshotHandle id) {
        return PackedText.unpack(PACKED_BEGIN, id.text())
                .map(fields -> new SnapshotRecord(
                        id,
                        SnapshotRecord.Phase.TAKEN,
                        fields.text("name").orElse(""),
                        "",
                        "",
                        Map.of(),
                        id.key(),
                        texts(fields, "annotations"),
                        fields.text("handle").orElse(""),
                        Instant.EPOCH,
                        0,
                        true));
    }

    private static String text(Document fields, String name) {
        return fields.text(name).orElseThrow(() -> new IllegalArgumentException(name + " is missing"));
    }

    private static Map<String, String> texts(Document fields, String name) {
        Map<String, String> texts = new TreeMap<>();
        fields.object(name)
                .map(Document::asMap)
                .orElse(Map.of())
                .forEach((key, value) -> texts.put(key, String.valueOf(value)));
        return texts;
    }
}
