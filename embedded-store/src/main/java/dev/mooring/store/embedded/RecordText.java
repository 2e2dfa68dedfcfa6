// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Entries of a record log as JSON, so that a person can read the file too. Pure. */
final class RecordText {
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private RecordText() {}

    static String write(RecordEntry entry) {
        return JSON.write(Document.of(entry.match(RecordText::publish)));
    }

    private static Map<String, Object> publish(Publish entry) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", "publish");
        fields.put("phase", entry.phase().name());
        fields.put("bootId", entry.bootId());
        fields.put("plugin", entry.volumeId().plugin().value());
        fields.put("backend", entry.volumeId().backend());
        fields.put("volume", entry.volume());
        fields.put("podNamespace", entry.pod().namespace());
        fields.put("podName", entry.pod().name());
        fields.put("podUid", entry.pod().uid());
        fields.put("podVolume", entry.podVolume());
        fields.put("attachable", entry.attachable());
        fields.put("target", entry.target().toString());
        state(fields, entry.state());
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
        if (!kind.equals("publish")) {
            throw new IllegalArgumentException(source + ": an entry of the unknown kind '" + kind + "'");
        }
        return new Publish(
                new PodRef(
                        text(fields, "podNamespace", source),
                        text(fields, "podName", source),
                        text(fields, "podUid", source)),
                text(fields, "podVolume", source),
                text(fields, "volume", source),
                volumeId(fields, source),
                flag(fields, "attachable", source),
                state(fields, source),
                Path.of(text(fields, "target", source)),
                RecordPhase.valueOf(text(fields, "phase", source)),
                text(fields, "bootId", source));
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
