// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A {@link VolumeRecord} as JSON, and the part of it that goes to nodes as a volume's context. Pure. */
final class RecordJson {
    /** The key of the volume context under which a node finds what the plugin needs. */
    static final String CONTEXT_KEY = "mooring.dev/volume";

    /** The key of the volume context under which a person writes the source of a volume that was not made here. */
    static final String SOURCE_KEY = "mooring.dev/source";

    private static final String KUBERNETES = "storage.k8s.io/";
    private static final int SCHEMA = 1;
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private static final VolumeRecord.Request NOT_ASKED_FOR =
            new VolumeRecord.Request("", List.of(), VolumeMode.FILESYSTEM, new TreeMap<>(), new TreeMap<>());

    private RecordJson() {}

    static String write(VolumeRecord record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("schema", (long) SCHEMA);
        fields.put("handle", record.handle().text());
        fields.put("phase", record.phase().name());
        fields.put("request", request(record.request()));
        fields.put("volume", volume(record));
        fields.put("notes", new TreeMap<>(record.notes()));
        fields.put("uses", record.uses().values().stream().map(RecordJson::use).toList());
        fields.put(
                "nodes",
                record.nodes().values().stream().map(RecordJson::attachment).toList());
        return JSON.write(Document.of(fields));
    }

    /** Reads what {@link #write} wrote; empty for anything else. */
    static Optional<VolumeRecord> read(String text) {
        try {
            return record(JSON.read(text, "record"));
        } catch (CodecException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** What a node needs to know of a volume. */
    static Map<String, String> context(VolumeRecord record) {
        return Map.of(CONTEXT_KEY, volumeText(record));
    }

    /** What a volume is, without what was asked for and where it is used. */
    static String volumeText(VolumeRecord record) {
        return JSON.write(Document.of(volume(record)));
    }

    /** The volume of a context that {@link #context} made; empty if it has none, or another. */
    static Optional<VolumeRecord> fromContext(VolumeHandle handle, Map<String, String> context) {
        try {
            return Optional.ofNullable(context.get(CONTEXT_KEY))
                    .map(text -> JSON.read(text, CONTEXT_KEY))
                    .flatMap(volume -> madeElsewhere(handle, volume));
        } catch (CodecException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The volume that {@link #volumeText} described; empty if that is none. */
    static Optional<VolumeRecord> madeElsewhere(VolumeHandle handle, Document volume) {
        try {
            return record(
                    handle,
                    VolumeRecord.Phase.FOREIGN,
                    NOT_ASKED_FOR,
                    volume,
                    Map.of(),
                    new TreeMap<>(),
                    new TreeMap<>());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * The volume that a person describes: its source as in a PersistentVolume, such as {@code {"nfs": {…}}}. What else is in the context
     * are annotations of the volume. Empty if there is not exactly one source.
     */
    static Optional<VolumeRecord> ofStatic(VolumeHandle handle, Map<String, String> context) {
        try {
            Document written = JSON.read(context.getOrDefault(SOURCE_KEY, ""), SOURCE_KEY);
            Map<String, String> annotations = new TreeMap<>(context);
            annotations.keySet().removeIf(key -> key.equals(SOURCE_KEY) || key.contains(KUBERNETES));
            List<String> types = List.copyOf(written.asMap().keySet());
            return types.size() != 1
                    ? Optional.empty()
                    : written.object(types.get(0))
                            .map(source -> new VolumeRecord(
                                    handle,
                                    VolumeRecord.Phase.FOREIGN,
                                    NOT_ASKED_FOR,
                                    handle.text(),
                                    new VolumeSource(types.get(0), source),
                                    Quantity.ZERO,
                                    annotations,
                                    Map.of(),
                                    new TreeMap<>(),
                                    new TreeMap<>()));
        } catch (CodecException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Map<String, Object> request(VolumeRecord.Request request) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", request.name());
        fields.put(
                "accessModes",
                request.accessModes().stream().map(AccessMode::name).toList());
        fields.put("mode", request.mode().name());
        fields.put("parameters", new TreeMap<>(request.parameters()));
        fields.put("attributes", new TreeMap<>(request.attributes()));
        if (!request.content().isEmpty()) {
            fields.put("content", request.content());
        }
        return fields;
    }

    private static Map<String, Object> volume(VolumeRecord record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", record.volumeName());
        fields.put("type", record.source().type());
        fields.put("source", record.source().attributes().asMap());
        fields.put("capacity", record.capacity().toString());
        fields.put("annotations", new TreeMap<>(record.annotations()));
        return fields;
    }

    private static Map<String, Object> use(VolumeUse use) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", use.kind().name());
        fields.put("path", use.path());
        fields.put("fingerprint", use.fingerprint());
        fields.put("onlyOne", use.onlyOne());
        fields.put("mode", use.mode().name());
        fields.put("stateSchema", (long) use.state().schema());
        fields.put("state", use.state().content());
        fields.put("podNamespace", use.pod().namespace());
        fields.put("podName", use.pod().name());
        fields.put("podUid", use.pod().uid());
        return fields;
    }

    private static Map<String, Object> attachment(NodeAttachment attachment) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", attachment.node());
        fields.put("fingerprint", attachment.fingerprint());
        fields.put("context", new TreeMap<>(attachment.context()));
        return fields;
    }

    private static Optional<VolumeRecord> record(Document fields) {
        if (!fields.at("schema").equals(Optional.of((long) SCHEMA))) {
            return Optional.empty();
        }
        SortedMap<String, VolumeUse> uses = new TreeMap<>();
        fields.objects("uses").stream().map(RecordJson::use).forEach(use -> uses.put(use.path(), use));
        SortedMap<String, NodeAttachment> nodes = new TreeMap<>();
        fields.objects("nodes").stream()
                .map(each -> new NodeAttachment(text(each, "node"), text(each, "fingerprint"), texts(each, "context")))
                .forEach(attachment -> nodes.put(attachment.node(), attachment));
        return VolumeHandle.parse(text(fields, "handle"))
                .flatMap(handle -> fields.object("volume")
                        .flatMap(volume -> record(
                                handle,
                                VolumeRecord.Phase.valueOf(text(fields, "phase")),
                                request(fields.object("request").orElse(Document.empty())),
                                volume,
                                texts(fields, "notes"),
                                uses,
                                nodes)));
    }

    private static Optional<VolumeRecord> record(
            VolumeHandle handle,
            VolumeRecord.Phase phase,
            VolumeRecord.Request request,
            Document volume,
            Map<String, String> notes,
            SortedMap<String, VolumeUse> uses,
            SortedMap<String, NodeAttachment> nodes) {
        return volume.object("source")
                .map(source -> new VolumeRecord(
                        handle,
                        phase,
                        request,
                        text(volume, "name"),
                        new VolumeSource(text(volume, "type"), source),
                        Quantity.parse(text(volume, "capacity")),
                        texts(volume, "annotations"),
                        notes,
                        uses,
                        nodes));
    }

    private static VolumeRecord.Request request(Document fields) {
        List<AccessMode> modes = fields.at("accessModes").stream()
                .filter(List.class::isInstance)
                .flatMap(list -> ((List<?>) list).stream())
                .map(each -> AccessMode.valueOf(String.valueOf(each)))
                .toList();
        return new VolumeRecord.Request(
                text(fields, "name"),
                modes,
                VolumeMode.valueOf(text(fields, "mode")),
                texts(fields, "parameters"),
                texts(fields, "attributes"),
                fields.text("content").orElse(""));
    }

    private static VolumeUse use(Document fields) {
        int schema = fields.at("stateSchema")
                .filter(Long.class::isInstance)
                .map(value -> Math.toIntExact((Long) value))
                .orElseThrow(IllegalArgumentException::new);
        return new VolumeUse(
                VolumeUse.Kind.valueOf(text(fields, "kind")),
                text(fields, "path"),
                text(fields, "fingerprint"),
                fields.at("onlyOne").equals(Optional.of(true)),
                fields.text("mode").map(VolumeMode::valueOf).orElse(VolumeMode.FILESYSTEM),
                new PluginState(schema, text(fields, "state")),
                new PodRef(text(fields, "podNamespace"), text(fields, "podName"), text(fields, "podUid")));
    }

    private static String text(Document fields, String name) {
        return fields.text(name).orElseThrow(() -> new IllegalArgumentException(name + " is missing"));
    }

    private static SortedMap<String, String> texts(Document fields, String name) {
        SortedMap<String, String> texts = new TreeMap<>();
        fields.object(name)
                .map(Document::asMap)
                .orElse(Map.of())
                .forEach((key, value) -> texts.put(key, String.valueOf(value)));
        return texts;
    }
}
