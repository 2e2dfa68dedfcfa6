// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The names and secrets of CHAP, checked before anything runs (semantics/plugins §3.1). */
final class Chap {
    static final String SESSION = "node.session.auth.";
    static final String DISCOVERY = "discovery.sendtargets.auth.";

    /** What there is below either. */
    static final List<String> FIELDS = List.of("username", "password", "username_in", "password_in");

    private static final int LONGEST = 256;

    private Chap() {}

    /**
     * What the record of a session has to hold.
     *
     * @return by the names of the record's fields; empty if the volume asks for no CHAP
     */
    static Outcome<Map<String, SecretValue>> ofSession(
            OperationContext context, VolumeSource source, IscsiSource fields) {
        return fields.chapAuthSession() ? of(context, source, SESSION) : Outcome.done(Map.of());
    }

    /** What the record of a discovery has to hold. */
    static Outcome<Map<String, SecretValue>> ofDiscovery(
            OperationContext context, VolumeSource source, IscsiSource fields) {
        return fields.chapAuthDiscovery() ? of(context, source, DISCOVERY) : Outcome.done(Map.of());
    }

    private static Outcome<Map<String, SecretValue>> of(OperationContext context, VolumeSource source, String prefix) {
        // without a namespace it is the one of the volume's user, which the host knows
        ObjectKey secret = ObjectKey.of(
                source.attributes().text("secretRef", "namespace").orElse(""),
                source.attributes().text("secretRef", "name").orElse(""));
        Map<String, SecretValue> values = new LinkedHashMap<>();
        try {
            for (String key : FIELDS) {
                context.secrets()
                        .find(secret, prefix + key)
                        .filter(value -> value.reveal().length > 0)
                        .ifPresent(value -> values.put(prefix + key, value));
            }
        } catch (IllegalStateException unreadable) {
            return Outcome.deferred("secret " + secret + " cannot be read now");
        }
        return whyBad(values, prefix)
                .<Outcome<Map<String, SecretValue>>>map(
                        why -> Outcome.refused(Refusal.INVALID, "secret " + secret + " " + why))
                .orElseGet(() -> Outcome.done(values));
    }

    private static Optional<String> whyBad(Map<String, SecretValue> values, String prefix) {
        if (!values.containsKey(prefix + "username") || !values.containsKey(prefix + "password")) {
            return Optional.of("needs " + prefix + "username and " + prefix + "password");
        }
        if (values.containsKey(prefix + "username_in") != values.containsKey(prefix + "password_in")) {
            return Optional.of("needs both " + prefix + "username_in and " + prefix + "password_in, or neither");
        }
        Optional<SecretValue> forward = Optional.ofNullable(values.get(prefix + "password"));
        if (forward.equals(Optional.ofNullable(values.get(prefix + "password_in")))) {
            return Optional.of("has one password for both directions, which proves nothing");
        }
        return values.entrySet().stream()
                .filter(entry -> !fitsALine(entry.getValue()))
                .findFirst()
                .map(entry -> "has a value of " + entry.getKey() + " that a record cannot hold: a line of at most "
                        + LONGEST + " bytes, without blanks at its ends");
    }

    private static boolean fitsALine(SecretValue value) {
        byte[] bytes = value.reveal();
        String text = new String(bytes, StandardCharsets.UTF_8);
        return bytes.length <= LONGEST && text.chars().noneMatch(Character::isISOControl) && text.equals(text.strip());
    }
}
