// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A JSON object of texts, as annotations of a Node hold it. Names and texts stay escaped, so that what others wrote is written again as it was. */
final class JsonPairs {
    private static final String TEXT = "\"((?:[^\"\\\\]|\\\\.)*)\"";
    private static final Pattern PAIR = Pattern.compile(TEXT + "\\s*:\\s*" + TEXT);

    private JsonPairs() {}

    /** The pairs, sorted; those of an annotation that is no such object are as many as can be read. */
    static Map<String, String> read(Optional<String> json) {
        Map<String, String> pairs = new TreeMap<>();
        Matcher pair = PAIR.matcher(json.orElse(""));
        while (pair.find()) {
            pairs.put(pair.group(1), pair.group(2));
        }
        return pairs;
    }

    /** A text as it stands in such an object. */
    static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** The object. */
    static String text(Map<String, String> pairs) {
        return pairs.entrySet().stream()
                .map(pair -> "\"" + pair.getKey() + "\":\"" + pair.getValue() + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }
}
