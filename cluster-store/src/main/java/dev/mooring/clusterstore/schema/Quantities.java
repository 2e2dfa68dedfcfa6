// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

/** Amounts as the API server reads them. Pure. */
final class Quantities {
    private Quantities() {}

    /**
     * The text without the blanks around it. The server trims the JSON text, in which tabs and line breaks stand only as escapes: these are
     * refused, and blanks go ({@code Quantity.UnmarshalJSON}).
     */
    static String trimmed(String text) {
        int begin = 0;
        int end = text.length();
        while (begin < end && isBlank(text.charAt(begin))) {
            begin++;
        }
        while (end > begin && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(begin, end);
    }

    private static boolean isBlank(char c) {
        return c == '\u0085' || Character.isSpaceChar(c);
    }
}
