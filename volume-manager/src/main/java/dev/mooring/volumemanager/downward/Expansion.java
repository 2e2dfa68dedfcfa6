// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.downward;

import java.util.function.UnaryOperator;

/**
 * References to variables in a text, as Kubernetes reads them: {@code $(NAME)} is one, {@code $$} is a dollar, and whatever else follows a
 * dollar is left as it is. What is put in is not read again. Pure.
 */
final class Expansion {
    private Expansion() {}

    /**
     * Puts in values.
     *
     * @param value given the name in each reference, which may be any text without a closing parenthesis; answers what takes its place
     */
    static String expand(String text, UnaryOperator<String> value) {
        StringBuilder expanded = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int dollar = text.indexOf('$', at);
            if (dollar < 0 || dollar == text.length() - 1) {
                break;
            }
            expanded.append(text, at, dollar);
            char next = text.charAt(dollar + 1);
            int end = next == '(' ? text.indexOf(')', dollar + 2) : -1;
            if (end >= 0) {
                expanded.append(value.apply(text.substring(dollar + 2, end)));
                at = end + 1;
            } else {
                expanded.append(next == '$' ? "$" : "$" + next);
                at = dollar + 2;
            }
        }
        return expanded.append(text, at, text.length()).toString();
    }
}
