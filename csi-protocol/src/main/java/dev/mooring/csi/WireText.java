// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

/** Foreign text, made fit for logs and messages. */
final class WireText {
    /** How a text ends that was cut. */
    static final String CUT = "...";

    private WireText() {}

    /** Control characters become spaces; what is too long is cut. */
    static String oneLine(String text, int limit) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), limit));
        for (int i = 0; i < text.length() && line.length() <= limit; i++) {
            char c = text.charAt(i);
            line.append(Character.isISOControl(c) ? ' ' : c);
        }
        if (line.length() > limit) {
            int end = limit - CUT.length();
            line.setLength(Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end);
            line.append(CUT);
        }
        return line.toString();
    }
}
