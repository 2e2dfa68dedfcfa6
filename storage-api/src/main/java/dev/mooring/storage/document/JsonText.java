// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Writes compact JSON. */
final class JsonText {
    private JsonText() {}

    static String of(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder text) {
        if (value instanceof Map<?, ?> map) {
            char separator = '{';
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                text.append(separator);
                string(entry.getKey().toString(), text);
                text.append(':');
                write(entry.getValue(), text);
                separator = ',';
            }
            text.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            char separator = '[';
            for (Object element : list) {
                text.append(separator);
                write(element, text);
                separator = ',';
            }
            text.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof String string) {
            string(string, text);
        } else if (value instanceof BigDecimal decimal) {
            text.append(decimal);
        } else {
            text.append(value);
        }
    }

    private static void string(String value, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c == '\n') {
                text.append("\\n");
            } else if (c < ' ') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
