// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import dev.mooring.csi.SecretWords;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All keys of a Secret as a call to a driver carries them. It never prints what it holds, and takes it out of what a driver says: drivers
 * quote their requests when they complain.
 */
public final class SecretTexts {
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

    /** Reads a Secret, live; none if it is not there or cannot be read now: what is undone is undone without it. */
    public static SecretTexts readIfPossible(Secrets secrets, Optional<ObjectKey> secret) {
        return read(secrets, secret).result().orElse(NONE);
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

    /** Texts that are no Secret's. */
    public static SecretTexts of(Map<String, String> texts) {
        return new SecretTexts(new TreeMap<>(texts));
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

    /** A text without the values of the secrets, however a driver spells them. */
    public String hide(String text) {
        return SecretWords.of(texts.values()).hide(text);
    }

    @Override
    public String toString() {
        return "(" + texts.size() + " secrets)";
    }
}
