// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.virtual.Durations;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value of a scenario file and where it stands. Every method that finds something else than it wants throws {@link
 * MalformedScenario}.
 *
 * @param place where it stands
 * @param value one of the values that a {@link Document} may hold
 */
record ScenarioValue(ScenarioPlace place, Object value) {
    MalformedScenario wrong(String problem) {
        return new MalformedScenario(place, problem);
    }

    /** The value as a map from text, in its order. */
    Map<String, Object> map() {
        if (!(value instanceof Map<?, ?> map)) {
            throw wrong("must be a map, not " + typeName());
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, element) -> copy.put((String) key, element));
        return copy;
    }

    /** The value as a document. */
    Document document() {
        return Document.of(map());
    }

    List<ScenarioValue> list() {
        if (!(value instanceof List<?> list)) {
            throw wrong("must be a list, not " + typeName());
        }
        List<ScenarioValue> nodes = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            nodes.add(new ScenarioValue(place.at(i), list.get(i)));
        }
        return nodes;
    }

    String text() {
        if (!(value instanceof String text)) {
            throw wrong("must be text, not " + typeName());
        }
        if (text.isEmpty()) {
            throw wrong("must not be empty");
        }
        return text;
    }

    boolean bool() {
        if (!(value instanceof Boolean bool)) {
            throw wrong("must be true or false, not " + typeName());
        }
        return bool;
    }

    long integer(long least) {
        if (!(value instanceof Number number)) {
            throw wrong("must be a whole number, not " + typeName());
        }
        if (!(number instanceof Long whole)) {
            throw wrong("must be a whole number of at most 64 bits, not " + shortened(number.toString()));
        }
        if (whole < least) {
            throw wrong("must be at least " + least + ", not " + whole);
        }
        return whole;
    }

    Duration duration() {
        String text = text();
        return Durations.parse(text)
                .orElseThrow(() -> wrong("must be a duration such as 15s or 6m, not '" + shortened(text) + "'"));
    }

    /** One of a few texts. */
    String oneOf(Collection<String> known) {
        String text = text();
        if (!known.contains(text)) {
            throw wrong("'" + shortened(text) + "' is not one of " + String.join(", ", known));
        }
        return text;
    }

    /** The map has no keys but these. */
    ScenarioValue onlyKeys(String... known) {
        for (String key : map().keySet()) {
            if (!List.of(known).contains(key)) {
                throw new MalformedScenario(
                        place.at(shortened(key)), "unknown key; known here: " + String.join(", ", known));
            }
        }
        return this;
    }

    boolean has(String key) {
        return map().containsKey(key);
    }

    /** The value of a key of this map; absent if the key is. */
    Optional<ScenarioValue> find(String key) {
        return Optional.ofNullable(map().get(key)).map(element -> new ScenarioValue(place.at(key), element));
    }

    /** The value of a key that must be there. */
    ScenarioValue get(String key) {
        return find(key).orElseThrow(() -> new MalformedScenario(place.at(key), "is missing"));
    }

    /** The text of a key that may be absent; then empty. */
    String optionalText(String key) {
        return find(key).map(ScenarioValue::text).orElse("");
    }

    /** A text of the user, short enough for a message of one line. */
    static String shortened(String text) {
        return shortened(text, 80);
    }

    /** A text as one line of at most so many characters. */
    static String shortened(String text, int limit) {
        String line = text.replaceAll("\\p{Cntrl}+", " ");
        return line.length() <= limit ? line : line.substring(0, limit - 1) + "…";
    }

    private String typeName() {
        if (value == JsonNull.NULL) {
            return "nothing";
        } else if (value instanceof Map) {
            return "a map";
        } else if (value instanceof List) {
            return "a list";
        } else if (value instanceof Boolean) {
            return "true or false";
        } else if (value instanceof Number) {
            return "the number " + shortened(new BigDecimal(value.toString()).toString());
        }
        return "text";
    }
}
