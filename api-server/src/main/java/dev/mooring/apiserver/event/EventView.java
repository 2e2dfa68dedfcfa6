// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.event;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Events as {@code events.k8s.io/v1} shows them. What is stored is the core {@code v1} Event: the two are one object, of which some
 * fields have two names. What has the name of the other side is dropped on the way, as it would be another field there.
 */
public final class EventView {
    /** The kind as this group has it; the store does not know it. */
    public static final Kind<Event> KIND =
            new Kind<>("events.k8s.io", "v1", "Event", "events", true, false, Event.class);

    private static final Map<String, String> TO_SHOWN = Map.of(
            "involvedObject", "regarding",
            "message", "note",
            "source", "deprecatedSource",
            "firstTimestamp", "deprecatedFirstTimestamp",
            "lastTimestamp", "deprecatedLastTimestamp",
            "count", "deprecatedCount",
            "reportingComponent", "reportingController");
    private static final Map<String, String> TO_STORED =
            TO_SHOWN.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    /** The field of one term of a selector, and what separates it from the term before. */
    private static final Pattern FIELD = Pattern.compile("(?<=^|(?<!\\\\),)(\\s*)([A-Za-z]+)");

    private EventView() {}

    /** What is stored, as the group shows it. */
    public static Document shown(Document stored) {
        return renamed(stored, TO_SHOWN, KIND);
    }

    /** What a client of the group sends, as it is stored. */
    public static Document stored(Document shown) {
        return renamed(shown, TO_STORED, Kinds.EVENT);
    }

    private static Document renamed(Document from, Map<String, String> names, Kind<?> kind) {
        Map<String, Object> fields = new LinkedHashMap<>();
        from.asMap().forEach((name, value) -> {
            if (names.containsKey(name) || !names.containsValue(name)) {
                fields.put(names.getOrDefault(name, name), value);
            }
        });
        fields.replace("apiVersion", kind.apiVersion());
        return Document.of(fields);
    }

    /** A field selector of the group as one of the store; empty if it names a field that the group does not have. */
    public static Optional<String> selector(String shown) {
        Matcher fields = FIELD.matcher(shown);
        StringBuilder stored = new StringBuilder();
        while (fields.find()) {
            String field = fields.group(2);
            if (TO_SHOWN.containsKey(field)) {
                return Optional.empty();
            }
            fields.appendReplacement(stored, fields.group(1) + TO_STORED.getOrDefault(field, field));
        }
        return Optional.of(fields.appendTail(stored).toString());
    }
}
