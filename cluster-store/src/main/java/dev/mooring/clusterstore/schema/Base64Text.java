// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import java.util.Base64;
import java.util.List;

/** Bytes in base64 as the API server reads and writes them: line breaks count for nothing, padding is wanted. Pure. */
final class Base64Text {
    private static final int QUANTUM = 4;

    private Base64Text() {}

    /** The place of what Go's decoder refuses; -1 if it takes the text. */
    static int firstBad(String text) {
        int in = 0; // characters of the quantum that is read
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\r') {
                continue;
            } else if (c == '=') {
                return padding(text, i, in);
            } else if (!isDigit(c)) {
                return i;
            }
            in = (in + 1) % QUANTUM;
        }
        return in == 0 ? -1 : text.length() - in;
    }

    /** Of a text that ends with padding, which begins at a place. */
    private static int padding(String text, int begin, int in) {
        if (in < 2) {
            return begin;
        }
        int wanted = QUANTUM - in;
        int i = begin;
        int found = 0;
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '=' && found < wanted) {
                found++;
            } else if (c != '\n' && c != '\r') {
                return i;
            }
        }
        return found == wanted ? -1 : text.length();
    }

    private static boolean isDigit(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    }

    /** The same bytes in one line; the same object if it is one already. */
    static String canonical(String text) {
        return text.indexOf('\n') < 0 && text.indexOf('\r') < 0
                ? text
                : text.replace("\r", "").replace("\n", "");
    }

    /** Whether a list can stand for bytes, as with Go it can. */
    static boolean areBytes(List<?> values) {
        return values.stream().allMatch(value -> value instanceof Long number && number >= 0 && number <= 0xff);
    }

    /** The bytes of such a list. */
    static String of(List<?> numbers) {
        byte[] bytes = new byte[numbers.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = ((Long) numbers.get(i)).byteValue();
        }
        return Base64.getEncoder().encodeToString(bytes);
    }
}
