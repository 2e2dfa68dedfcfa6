// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All keys of a Secret as a call to a driver carries them. It never prints what it holds, and takes it out of what a driver says: drivers
 * quote their requests when they complain.
 */
public final class SecretTexts {
    private static final int SHORTEST_HIDDEN = 4;
    private static final String MARK = "***stripped***";
    /** How a message ends that is too long. */
    private static final String CUT = "...";

    /** No secrets. */
    public static final SecretTexts NONE = new SecretTexts(Map.of());

    private final Map<String, String> texts;

    private SecretTexts(Map<String, String> texts) {
        this.texts = texts;
    }

    /**
     * Reads a Secret, live.
     *
     * @param secret which; empty for none
     * @return deferred if it is not there or cannot be read now: then the call is not made
     */
    public static Outcome<SecretTexts> read(Secrets secrets, Optional<ObjectKey> secret) {
        if (secret.isEmpty()) {
            return Outcome.done(NONE);
        }
        try {
            return secrets.find(secret.get())
                    .map(values -> Outcome.done(new SecretTexts(texts(values))))
                    .orElseGet(() -> Outcome.deferred("secret " + secret.get() + " not found; create it"));
        } catch (IllegalStateException unreadable) {
            return Outcome.deferred("secret " + secret.get() + " cannot be read now");
        }
    }

    private static Map<String, String> texts(Map<String, SecretValue> values) {
        Map<String, String> texts = new TreeMap<>();
        values.forEach((key, value) -> {
            byte[] bytes = value.reveal();
            texts.put(key, new String(bytes, StandardCharsets.UTF_8));
            Arrays.fill(bytes, (byte) 0);
        });
        return texts;
    }

    /** The same with one more. */
    public SecretTexts with(String key, String text) {
        Map<String, String> all = new TreeMap<>(texts);
        all.put(key, text);
        return new SecretTexts(all);
    }

    /** The secrets, for the one request that needs them. */
    public Map<String, String> reveal() {
        return texts;
    }

    /**
     * A text without the values of the secrets: neither as they are, nor quoted, encoded, on one line or cut off at the text's end, as what a
     * driver says comes here.
     */
    public String hide(String text) {
        // the longest first: one secret may be the beginning of another
        List<String> spellings = texts.values().stream()
                .flatMap(SecretTexts::spellings)
                .filter(spelling -> spelling.length() >= SHORTEST_HIDDEN)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        String hidden = text;
        for (String spelling : spellings) {
            hidden = hidden.replace(spelling, MARK);
        }
        return hidden.endsWith(CUT) ? withoutCutEnd(hidden, spellings) : hidden;
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

    private static String withoutCutEnd(String text, List<String> spellings) {
        String kept = text.substring(0, text.length() - CUT.length());
        for (String spelling : spellings) {
            for (int length = Math.min(spelling.length(), kept.length()); length >= SHORTEST_HIDDEN; length--) {
                if (kept.endsWith(spelling.substring(0, length))) {
                    return kept.substring(0, kept.length() - length) + MARK + CUT;
                }
            }
        }
        return text;
    }

    @Override
    public String toString() {
        return "(" + texts.size() + " secrets)";
    }
}
