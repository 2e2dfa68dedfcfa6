// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A JSON object whose values are all texts, on one line: the content of a ledger file. It has no escapes. A character that would need one
 * (a quote, a backslash, a control character) is written as {@code _}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FlatJson {
    private static final Pattern FIELD = Pattern.compile("\"([a-zA-Z]+)\":\"([^\"\\\\]*)\"");
    private static final Pattern WHOLE =
            Pattern.compile("\\{\"[a-zA-Z]+\":\"[^\"\\\\]*\"(,\"[a-zA-Z]+\":\"[^\"\\\\]*\")*\\}\n?");
    private static final Pattern UNSAFE = Pattern.compile("[\"\\\\\\p{Cntrl}]");

    private FlatJson() {}

    /**
     * Writes an object.
     *
     * @param fields texts by name; names are letters only; written in the map's order
     * @return the object and a line end
     */
    public static String write(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> "\"" + field.getKey() + "\":\"" + safe(field.getValue()) + "\"")
                .collect(Collectors.joining(",", "{", "}\n"));
    }

    /** The text as {@link #read} returns it after {@link #write}. */
    public static String safe(String text) {
        return UNSAFE.matcher(text).replaceAll("_");
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @return the texts by name, in their order; empty if the text is anything else, such as one that was cut off
     */
    public static Optional<Map<String, String>> read(String text) {
        if (!WHOLE.matcher(text).matches()) {
            return Optional.empty();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher matcher = FIELD.matcher(text);
        while (matcher.find()) {
            fields.put(matcher.group(1), matcher.group(2));
        }
        return Optional.of(fields);
    }
}
