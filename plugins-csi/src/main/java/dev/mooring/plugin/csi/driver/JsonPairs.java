// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A JSON object of texts, as annotations of a Node and files of a kubelet hold it. Names and texts stay escaped, so that what others wrote is
 * written again as it was.
 */
public final class JsonPairs {
    private static final String TEXT = "\"((?:[^\"\\\\]|\\\\.)*)\"";
    private static final int HEXADECIMAL = 16;
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|[^u])");
    private static final Pattern PAIR = Pattern.compile(TEXT + "\\s*:\\s*" + TEXT);

    private JsonPairs() {}

    /** The pairs, sorted; those of an annotation that is no such object are as many as can be read. */
    public static Map<String, String> read(Optional<String> json) {
        Map<String, String> pairs = new TreeMap<>();
        Matcher pair = PAIR.matcher(json.orElse(""));
        while (pair.find()) {
            pairs.put(pair.group(1), pair.group(2));
        }
        return pairs;
    }

    /** A text as it stands in such an object. */
    public static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** What an escaped text says. */
    public static String unescaped(String text) {
        return ESCAPE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(said(found.group(1))));
    }

    private static String said(String escape) {
        int simple = "nrtbf".indexOf(escape.charAt(0));
        return escape.length() > 1
                ? Character.toString((char) Integer.parseInt(escape.substring(1), HEXADECIMAL))
                : simple >= 0 ? "\n\r\t\b\f".substring(simple, simple + 1) : escape;
    }

    /** The object. */
    public static String text(Map<String, String> pairs) {
        return pairs.entrySet().stream()
                .map(pair -> "\"" + pair.getKey() + "\":\"" + pair.getValue() + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }
}
