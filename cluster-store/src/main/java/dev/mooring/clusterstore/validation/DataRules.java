// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Secrets and config maps: sound keys and contents, not too much of them; what is immutable stays. */
final class DataRules implements KindRules {
    private static final int MOST_BYTES = 1 << 20;
    private static final int QUANTUM = 4;

    /** What the API server shows in place of a secret. */
    private static final String REDACTED = "<secret contents redacted>";

    private static final String OPAQUE = "Opaque";
    private static final String OF_ACCOUNT = "kubernetes.io/service-account-token";
    private static final String ACCOUNT = "kubernetes.io/service-account.name";

    /** The keys that a secret of a type must have. */
    private static final Map<String, List<String>> KEYS = Map.of(
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"),
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"));

    private static final String BASIC = "kubernetes.io/basic-auth";
    private static final List<String> BASIC_KEYS = List.of("username", "password");

    private final boolean secret;

    private DataRules(boolean secret) {
        this.secret = secret;
    }

    static KindRules secret() {
        return new DataRules(true);
    }

    static KindRules configMap() {
        return new DataRules(false);
    }

    @Override
    public void state(Document object, Problems problems) {
        long size = 0;
        for (String field : List.of("data", "binaryData")) {
            String other = field.equals("data") ? "binaryData" : "data";
            Map<String, Object> others = Fields.object(object, other).asMap();
            for (Map.Entry<String, Object> entry :
                    Fields.object(object, field).asMap().entrySet()) {
                String key = entry.getKey();
                Syntax.configKey(key).ifPresent(detail -> problems.invalid(path(field, key), key, detail));
                if (others.containsKey(key)) {
                    problems.invalid(path(field, key), key, "duplicate of key present in " + other);
                }
                size += size(field, key, entry.getValue().toString(), secret || field.equals("binaryData"), problems);
            }
        }
        if (size > MOST_BYTES) {
            problems.tooLong(secret ? "data" : "[]", "may not be more than " + MOST_BYTES + " bytes");
        }
        if (secret) {
            contents(object, problems);
        }
    }

    private static String path(String field, String key) {
        return field + "[" + key + "]";
    }

    /** How many bytes a value stands for; what cannot be read would first be noticed when it is mounted. */
    private static long size(String field, String key, String value, boolean encoded, Problems problems) {
        if (!encoded) {
            return value.getBytes(StandardCharsets.UTF_8).length;
        }
        String text = value.replace("\r", "").replace("\n", ""); // as Go does; others break lines in it
        try {
            if (text.length() % QUANTUM == 0) {
                return Base64.getDecoder().decode(text).length;
            }
        } catch (IllegalArgumentException e) {
            // Reported below: its own message would quote what it has read.
        }
        problems.invalid(path(field, key), REDACTED, "illegal base64 data");
        return 0;
    }

    private static void contents(Document object, Problems problems) {
        String type = Fields.text(object, "type");
        if (type.equals(OF_ACCOUNT)
                && Fields.annotation(object, ACCOUNT).orElse("").isEmpty()) {
            problems.required("metadata.annotations[" + ACCOUNT + "]", "");
        }
        List<String> keys = KEYS.getOrDefault(type, List.of());
        if (type.equals(BASIC) && BASIC_KEYS.stream().noneMatch(key -> has(object, key))) {
            keys = BASIC_KEYS; // one of them will do
        }
        for (String key : keys) {
            if (!has(object, key)) {
                problems.required("data[" + key + "]", "");
            }
        }
    }

    private static boolean has(Document object, String key) {
        return Fields.object(object, "data").asMap().containsKey(key);
    }

    @Override
    public void change(Document before, Document after, Problems problems) {
        if (secret) {
            problems.immutable("type", Optional.of(type(before)), Optional.of(type(after)));
        }
        if (!Fields.isTrue(before, "immutable")) {
            return;
        }
        if (!Fields.isTrue(after, "immutable")) {
            problems.forbidden("immutable", "field is immutable when `immutable` is set");
        }
        for (String field : List.of("data", "binaryData")) {
            if (!before.at(field).equals(after.at(field))) {
                problems.forbidden(field, "field is immutable when `immutable` is set");
            }
        }
    }

    private static String type(Document secret) {
        String type = Fields.text(secret, "type");
        return type.isEmpty() ? OPAQUE : type;
    }
}
