// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Words that no message may show, such as the values of a request's secrets. Drivers and tools quote what they were given when they complain.
 * Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SecretWords {
    /** Shorter words stand in every text. */
    private static final int SHORTEST_HIDDEN = 4;

    private final List<String> spellings;

    private SecretWords(List<String> spellings) {
        this.spellings = spellings;
    }

    /**
     * Words to be hidden; those of fewer than four characters are not.
     *
     * @param words as they are
     */
    public static SecretWords of(Collection<String> words) {
        // the longest first: one secret may be the beginning of another
        return new SecretWords(words.stream()
                .flatMap(SecretWords::spellings)
                .filter(spelling -> spelling.length() >= SHORTEST_HIDDEN)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    /** A text without the words: neither as they are, nor quoted, encoded, on one line or cut off at the text's end. */
    public String hide(String text) {
        String hidden = text;
        for (String spelling : spellings) {
            hidden = hidden.replace(spelling, MessageText.STRIPPED);
        }
        return hidden.endsWith(WireText.CUT) ? withoutCutEnd(hidden) : hidden;
    }

    /** Spaces around a value are no secret. */
    private static Stream<String> spellings(String secret) {
        String text = secret.strip();
        return Stream.of(text, oneLine(text), quoted(text), encoded(text), encoded(secret));
    }

    /** As Go, C and Python quote a text. */
    private static String quoted(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
    }

    private static String oneLine(String text) {
        return text.codePoints()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String encoded(String text) {
        return Base64.getEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private String withoutCutEnd(String text) {
        String kept = text.substring(0, text.length() - WireText.CUT.length());
        for (String spelling : spellings) {
            for (int length = Math.min(spelling.length(), kept.length()); length >= SHORTEST_HIDDEN; length--) {
                if (kept.endsWith(spelling.substring(0, length))) {
                    return kept.substring(0, kept.length() - length) + MessageText.STRIPPED + WireText.CUT;
                }
            }
        }
        return text;
    }

    /** Says only how many there are. */
    @Override
    public String toString() {
        return "(" + spellings.size() + " spellings of secrets)";
    }
}
