// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What other people can read of a plugin's work, and the secrets that must not be in it. Thread-safe. */
final class ReportedTexts implements AutoCloseable {
    /** Anything shorter is found in many texts. */
    private static final int SHORTEST = 4;

    /** Of a letter of base64. */
    private static final int BITS = 6;

    private final List<String> said = new ArrayList<>();
    private final Set<String> revealed = new TreeSet<>();
    private Optional<Overheard> log = Optional.empty();

    /** From now on what is printed and logged counts too. */
    synchronized void listen() {
        log = Optional.of(Overheard.begin());
    }

    synchronized void said(String where, String text) {
        said.add(where + ": " + text);
    }

    /** An exception tells what it comes from, too. */
    void threw(String where, Throwable defect) {
        StringWriter text = new StringWriter();
        defect.printStackTrace(new PrintWriter(text, true));
        said(where, text.toString());
    }

    /** Secrets of which those that are looked up are remembered. */
    Secrets watched(Secrets secrets) {
        return secret -> {
            Optional<Map<String, SecretValue>> found = secrets.find(secret);
            found.ifPresent(values ->
                    values.values().forEach(value -> reveal(new String(value.reveal(), StandardCharsets.UTF_8))));
            return found;
        };
    }

    private synchronized void reveal(String secret) {
        if (secret.length() >= SHORTEST) {
            revealed.add(secret);
        }
    }

    /** Looks for the secrets, as they are and as they are often written down. */
    synchronized void inspect() {
        log.ifPresent(heard -> heard.texts().forEach(text -> said("the log", text)));
        for (String secret : revealed) {
            none(secret);
            for (int before = 0; before < 3; before++) {
                String inside = inBase64(secret.getBytes(StandardCharsets.UTF_8), before);
                none(inside);
                none(inside.replace('+', '-').replace('/', '_'));
            }
        }
    }

    /** The letters in which nothing but the secret is, in base64 of a text in which so many octets stand before it, as a user's name does. */
    private static String inBase64(byte[] secret, int before) {
        byte[] text = new byte[before + secret.length];
        System.arraycopy(secret, 0, text, before, secret.length);
        int first = (before * Byte.SIZE + BITS - 1) / BITS;
        int end = text.length * Byte.SIZE / BITS;
        return Base64.getEncoder().encodeToString(text).substring(first, end);
    }

    private void none(String secret) {
        said.stream().filter(text -> text.contains(secret)).findFirst().ifPresent(text -> {
            throw new BrokenRule(Rule.SECRETS_HIDDEN, text.replace(secret, "(the secret)"));
        });
    }

    @Override
    public synchronized void close() {
        log.ifPresent(Overheard::close);
    }
}
