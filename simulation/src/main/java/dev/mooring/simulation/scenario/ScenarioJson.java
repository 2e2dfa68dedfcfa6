// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.document.JsonNull;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes plain values as JSON: maps in their own order, numbers without an exponent unless they are absurd, nothing that depends on a locale. */
final class ScenarioJson {
    private static final String INDENT = "  ";
    private static final int LONGEST_SCALE = 400;

    private final StringBuilder text = new StringBuilder();
    private final boolean pretty;

    private ScenarioJson(boolean pretty) {
        this.pretty = pretty;
    }

    /** On one line. */
    static String oneLine(Object value) {
        ScenarioJson json = new ScenarioJson(false);
        json.write(value, 0);
        return json.text.toString();
    }

    /** With line breaks and indentation, and a line break at the end. */
    static String pretty(Object value) {
        ScenarioJson json = new ScenarioJson(true);
        json.write(value, 0);
        return json.text.append('\n').toString();
    }

    private void write(Object value, int depth) {
        if (value instanceof Map<?, ?> map) {
            writeMap(map, depth);
        } else if (value instanceof List<?> list) {
            writeList(list, depth);
        } else if (value instanceof Number number) {
            text.append(plain(new BigDecimal(number.toString())));
        } else if (value == JsonNull.NULL || value instanceof Boolean) {
            text.append(value);
        } else {
            writeText(value.toString());
        }
    }

    private static String plain(BigDecimal number) {
        return Math.abs((long) number.scale()) > LONGEST_SCALE ? number.toString() : number.toPlainString();
    }

    private void writeMap(Map<?, ?> map, int depth) {
        text.append('{');
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<?, ?> entry = entries.next();
            breakLine(depth + 1);
            writeText(String.valueOf(entry.getKey()));
            text.append(pretty ? ": " : ":");
            write(entry.getValue(), depth + 1);
            if (entries.hasNext()) {
                text.append(',');
            } else {
                breakLine(depth);
            }
        }
        text.append('}');
    }

    private void writeList(List<?> list, int depth) {
        text.append('[');
        Iterator<?> elements = list.iterator();
        while (elements.hasNext()) {
            breakLine(depth + 1);
            write(elements.next(), depth + 1);
            if (elements.hasNext()) {
                text.append(',');
            } else {
                breakLine(depth);
            }
        }
        text.append(']');
    }

    private void breakLine(int depth) {
        if (pretty) {
            text.append('\n').append(INDENT.repeat(depth));
        }
    }

    private void writeText(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < 0x20 || Character.isSurrogate(c)) {
                        text.append("\\u").append(hex(c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    private static String hex(char c) {
        String digits = Integer.toHexString(c);
        return "0".repeat(4 - digits.length()) + digits;
    }
}
