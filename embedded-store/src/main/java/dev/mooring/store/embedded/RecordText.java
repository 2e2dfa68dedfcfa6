// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordEntryStageBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Entries of a record log as JSON, so that a person can read the file too. Pure. */
final class RecordText {
    private static final String PUBLISH = "publish";
    private static final String STAGE = "stage";

    private static final KubernetesJson JSON = KubernetesJson.standard();

    private RecordText() {}

    static String write(RecordEntry entry) {
        return JSON.write(Document.of(entry.match(RecordText::publish, RecordText::stage)));
    }

    private static Map<String, Object> common(String kind, RecordEntry entry) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind);
        fields.put("phase", entry.phase().name());
        fields.put("bootId", entry.bootId());
        fields.put("plugin", entry.volumeId().plugin().value());
        fields.put("backend", entry.volumeId().backend());
        fields.put("volume", entry.volume());
        state(fields, entry.state());
        return fields;
    }

    private static Map<String, Object> publish(Publish entry) {
        Map<String, Object> fields = common(PUBLISH, entry);
        fields.put("podNamespace", entry.pod().namespace());
        fields.put("podName", entry.pod().name());
        fields.put("podUid", entry.pod().uid());
        fields.put("podVolume", entry.podVolume());
        entry.deviceMap().ifPresent(map -> fields.put("deviceMap", map.toString()));
        fields.put("target", entry.target().toString());
        return fields;
    }

    private static Map<String, Object> stage(Stage entry) {
        Map<String, Object> fields = common(STAGE, entry);
        entry.reportedName().ifPresent(name -> fields.put("reportedName", name));
        fields.put("mode", entry.mode().name());
        entry.stagingPath().ifPresent(path -> fields.put("stagingPath", path.toString()));
        fields.put(
                "accessModes",
                entry.accessModes().stream().map(AccessMode::name).toList());
        fields.put("readOnly", entry.readOnly());
        entry.seLinuxLabel().ifPresent(label -> fields.put("seLinuxLabel", label));
        return fields;
    }

    private static void state(Map<String, Object> fields, PluginState state) {
        fields.put("stateSchema", (long) state.schema());
        fields.put("state", state.content());
    }

    /**
     * Reads an entry.
     *
     * @param source where the text is from, for messages
     * @throws IllegalArgumentException if it is no entry; the message names the source
     */
    static RecordEntry read(String text, String source) {
        Document fields = JSON.read(text, source);
        String kind = text(fields, "kind", source);
        return switch (kind) {
            case PUBLISH -> publish(fields, source);
            case STAGE -> stage(fields, source);
            default -> throw new IllegalArgumentException(source + ": an entry of the unknown kind '" + kind + "'");
        };
    }

    private static Publish publish(Document fields, String source) {
        return RecordEntryPublishBuilder.builder()
                .pod(new PodRef(
                        text(fields, "podNamespace", source),
                        text(fields, "podName", source),
                        text(fields, "podUid", source)))
                .podVolume(text(fields, "podVolume", source))
                .volume(text(fields, "volume", source))
                .volumeId(volumeId(fields, source))
                .deviceMap(fields.text("deviceMap").map(Path::of))
                .state(state(fields, source))
                .target(Path.of(text(fields, "target", source)))
                .phase(RecordPhase.valueOf(text(fields, "phase", source)))
                .bootId(text(fields, "bootId", source))
                .build();
    }

    private static Stage stage(Document fields, String source) {
        return RecordEntryStageBuilder.builder()
                .volume(text(fields, "volume", source))
                .volumeId(volumeId(fields, source))
                .reportedName(fields.text("reportedName"))
                .mode(VolumeMode.valueOf(text(fields, "mode", source)))
                .stagingPath(fields.text("stagingPath").map(Path::of))
                .accessModes(accessModes(fields, source))
                .readOnly(flag(fields, "readOnly", source))
                .state(state(fields, source))
                .phase(RecordPhase.valueOf(text(fields, "phase", source)))
                .bootId(text(fields, "bootId", source))
                .seLinuxLabel(fields.text("seLinuxLabel"))
                .build();
    }

    private static List<AccessMode> accessModes(Document fields, String source) {
        Object value = fields.at("accessModes").orElseThrow(() -> missing("accessModes", source));
        List<AccessMode> modes = new ArrayList<>();
        if (value instanceof List<?> names) {
            names.forEach(name -> modes.add(AccessMode.valueOf(String.valueOf(name))));
        }
        return modes;
    }

    private static VolumeId volumeId(Document fields, String source) {
        return new VolumeId(new PluginName(text(fields, "plugin", source)), text(fields, "backend", source));
    }

    private static PluginState state(Document fields, String source) {
        Object schema = fields.at("stateSchema").orElse("");
        if (schema instanceof Number number) {
            return new PluginState(number.intValue(), text(fields, "state", source));
        }
        throw missing("stateSchema", source);
    }

    private static String text(Document fields, String name, String source) {
        return fields.text(name).orElseThrow(() -> missing(name, source));
    }

    private static boolean flag(Document fields, String name, String source) {
        Object value = fields.at(name).orElseThrow(() -> missing(name, source));
        return Boolean.TRUE.equals(value);
    }

    private static IllegalArgumentException missing(String name, String source) {
        return new IllegalArgumentException(source + ": the field '" + name + "' is missing");
    }
}
