// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes block-style YAML as kubectl does. A string is quoted whenever some version of YAML could take it for something else. */
final class YamlWriter {
    /** Strings that need no quotes: begin with a letter or slash, and hold nothing that means something in YAML. */
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z/][A-Za-z0-9_./-]*(:[A-Za-z0-9_./-]+)*( [A-Za-z0-9_./()-]+)*");

    /** Truth values and nulls of YAML 1.1 and 1.2. */
    private static final Pattern AMBIGUOUS =
            Pattern.compile("y|n|yes|no|on|off|true|false|null", Pattern.CASE_INSENSITIVE);

    /** Such strings could be read as numbers in some version, {@code e} being a digit or an exponent. */
    private static final Pattern DIGITS_FIRST = Pattern.compile("[0-9][A-Za-z0-9_-]*[A-Za-z][A-Za-z0-9_-]*");

    private static final Pattern NUMBER_LIKE = Pattern.compile("[0-9][0-9_]*[eE][0-9]*|0[xobXOB].*");

    private YamlWriter() {}

    static String write(Document document) {
        StringBuilder out = new StringBuilder();
        if (document.isEmpty()) {
            return "{}\n";
        }
        writeObject(document.asMap(), 0, out);
        return out.toString();
    }

    private static void writeObject(Map<?, ?> members, int indent, StringBuilder out) {
        boolean first = true;
        for (Map.Entry<?, ?> member : members.entrySet()) {
            if (!first) {
                out.append(" ".repeat(indent));
            }
            first = false;
            out.append(scalar((String) member.getKey())).append(':');
            writeMember(member.getValue(), indent, out);
        }
    }

    private static void writeMember(Object value, int indent, StringBuilder out) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            out.append('\n').append(" ".repeat(indent + 2));
            writeObject(map, indent + 2, out);
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            out.append('\n').append(" ".repeat(indent));
            writeList(list, indent, out);
        } else {
            out.append(' ').append(leaf(value)).append('\n');
        }
    }

    /** The caret stands at the indentation of the first element. */
    private static void writeList(List<?> elements, int indent, StringBuilder out) {
        boolean first = true;
        for (Object element : elements) {
            if (!first) {
                out.append(" ".repeat(indent));
            }
            first = false;
            out.append("- ");
            if (element instanceof Map<?, ?> map && !map.isEmpty()) {
                writeObject(map, indent + 2, out);
            } else if (element instanceof List<?> list && !list.isEmpty()) {
                writeList(list, indent + 2, out);
            } else {
                out.append(leaf(element)).append('\n');
            }
        }
    }

    private static String leaf(Object value) {
        if (value instanceof String text) {
            return scalar(text);
        }
        if (value instanceof Map<?, ?>) {
            return "{}";
        }
        return value instanceof List<?> ? "[]" : value == JsonNull.NULL ? "null" : value.toString();
    }

    private static String scalar(String text) {
        boolean plain =
                PLAIN.matcher(text).matches() && !AMBIGUOUS.matcher(text).matches();
        boolean digits = DIGITS_FIRST.matcher(text).matches()
                && !NUMBER_LIKE.matcher(text).matches();
        return plain || digits ? text : quoted(text);
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < ' ' || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }
}
