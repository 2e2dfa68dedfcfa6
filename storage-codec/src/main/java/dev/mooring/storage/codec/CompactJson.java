// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * Writes a document's values in one line, character for character as {@link com.fasterxml.jackson.core.JsonGenerator} does. Names and values are copied as a
 * whole where nothing in them is escaped, so that an object of very many fields costs little more than one long text.
 */
final class CompactJson {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();
    private static final int FEW = 256;

    private final StringBuilder out = new StringBuilder(FEW);

    private CompactJson() {}

    static String of(Map<String, Object> object) {
        CompactJson writer = new CompactJson();
        writer.object(object);
        return writer.out.toString();
    }

    private void object(Map<?, ?> map) {
        if (map.isEmpty()) {
            out.append("{}");
            return;
        }
        out.append('{');
        int first = out.length();
        map.forEach((key, value) -> {
            if (out.length() > first) {
                out.append(',');
            }
            text((String) key);
            out.append(':');
            value(value);
        });
        out.append('}');
    }

    private void list(List<?> list) {
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            value(list.get(i));
        }
        out.append(']');
    }

    private void value(Object value) {
        if (value instanceof String text) {
            text(text);
        } else if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof List<?> list) {
            list(list);
        } else if (value instanceof Boolean truth) {
            out.append(truth.booleanValue());
        } else if (value instanceof Long number) {
            out.append(number.longValue());
        } else if (value instanceof BigDecimal number) {
            out.append(KubernetesJson.text(number));
        } else {
            out.append("null");
        }
    }

    private void text(String text) {
        out.append('"');
        int copied = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                out.append(text, copied, i);
                escaped(c);
                copied = i + 1;
            }
        }
        if (copied == 0) {
            out.append(text); // faster than a part
        } else {
            out.append(text, copied, text.length());
        }
        out.append('"');
    }

    private void escaped(char c) {
        switch (c) {
            case '"', '\\' -> out.append('\\').append(c);
            case '\b' -> out.append("\\b");
            case '\t' -> out.append("\\t");
            case '\n' -> out.append("\\n");
            case '\f' -> out.append("\\f");
            case '\r' -> out.append("\\r");
            default -> out.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 0xF]);
        }
    }
}
