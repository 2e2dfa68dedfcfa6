// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The content of a ledger file: a JSON object of texts. What a text may not contain is written as {@code _}. */
public final class Fields {
    private static final Pattern FIELD = Pattern.compile("\"([a-zA-Z]+)\":\"([^\"\\\\]*)\"");
    private static final Pattern WHOLE =
            Pattern.compile("\\{\"[a-zA-Z]+\":\"[^\"\\\\]*\"(,\"[a-zA-Z]+\":\"[^\"\\\\]*\")*\\}\n?");
    private static final Pattern UNSAFE = Pattern.compile("[\"\\\\\\p{Cntrl}]");

    private Fields() {}

    /**
     * Writes an object.
     *
     * @param fields texts by name, in the order in which they are written
     */
    public static String write(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> "\"" + field.getKey() + "\":\"" + safe(field.getValue()) + "\"")
                .collect(Collectors.joining(",", "{", "}\n"));
    }

    /** A text as it will be read again. */
    public static String safe(String text) {
        return UNSAFE.matcher(text).replaceAll("_");
    }

    /** Reads what {@link #write} wrote; empty for anything else. */
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
