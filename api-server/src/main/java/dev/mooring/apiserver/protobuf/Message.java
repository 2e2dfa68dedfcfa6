// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import java.util.HashMap;
import java.util.Map;

/**
 * What one message of Kubernetes' published {@code generated.proto} is made of.
 *
 * @param fields by number
 */
record Message(Map<Integer, Field> fields) {
    enum Form {
        TEXT,
        BYTES,
        NUMBER,
        FLAG,
        TIME,
        MESSAGE,
        TEXTS,
        MESSAGES,
        TEXT_MAP,
        BYTES_MAP
    }

    /**
     * A field.
     *
     * @param message of what it is made; empty unless the form says so
     */
    record Field(String name, Form form, Message message) {}

    static final Message NONE = new Message(Map.of());

    static final Message OWNER =
            message("1 kind", "3 name", "4 uid", "5 apiVersion", "6 controller FLAG", "7 blockOwnerDeletion FLAG");
    static final Message META = message(
                    "1 name",
                    "2 generateName",
                    "3 namespace",
                    "5 uid",
                    "6 resourceVersion",
                    "7 generation NUMBER",
                    "8 creationTimestamp TIME",
                    "9 deletionTimestamp TIME",
                    "10 deletionGracePeriodSeconds NUMBER",
                    "11 labels TEXT_MAP",
                    "12 annotations TEXT_MAP",
                    "14 finalizers TEXTS")
            .with(13, "ownerReferences", Form.MESSAGES, OWNER);
    private static final Message REFERENCE =
            message("1 kind", "2 namespace", "3 name", "4 uid", "5 apiVersion", "6 resourceVersion", "7 fieldPath");

    private static final Message DELETE_OPTIONS = message(
                    "1 gracePeriodSeconds NUMBER", "3 orphanDependents FLAG", "4 propagationPolicy", "5 dryRun TEXTS")
            .with(2, "preconditions", Form.MESSAGE, message("1 uid", "2 resourceVersion"));

    private static final Map<String, Message> KINDS = Map.of(
            "v1/ConfigMap", object("2 data TEXT_MAP", "3 binaryData BYTES_MAP", "4 immutable FLAG"),
            "v1/Secret", object("2 data BYTES_MAP", "3 type", "4 stringData TEXT_MAP", "5 immutable FLAG"),
            "v1/Namespace",
                    object().with(2, "spec", Form.MESSAGE, message("1 finalizers TEXTS"))
                            .with(3, "status", Form.MESSAGE, message("1 phase")),
            "v1/ServiceAccount",
                    object("4 automountServiceAccountToken FLAG")
                            .with(2, "secrets", Form.MESSAGES, REFERENCE)
                            .with(3, "imagePullSecrets", Form.MESSAGES, message("1 name")),
            "authorization.k8s.io/v1/SelfSubjectAccessReview", object().with(2, "spec", Form.MESSAGE, accessSpec()),
            "authorization.k8s.io/v1/SelfSubjectRulesReview",
                    object().with(2, "spec", Form.MESSAGE, message("1 namespace")),
            "authentication.k8s.io/v1/SelfSubjectReview", object(),
            "authentication.k8s.io/v1/TokenRequest",
                    object().with(
                                    2,
                                    "spec",
                                    Form.MESSAGE,
                                    message("1 audiences TEXTS", "4 expirationSeconds NUMBER")
                                            .with(
                                                    3,
                                                    "boundObjectRef",
                                                    Form.MESSAGE,
                                                    message("1 kind", "2 apiVersion", "3 name", "4 uid"))),
            "v1/DeleteOptions", DELETE_OPTIONS,
            "policy/v1/Eviction", object().with(2, "deleteOptions", Form.MESSAGE, DELETE_OPTIONS));

    /** The message of a kind, named {@code v1/Secret}; {@link #NONE} if it is not read in this form. */
    static Message of(String kind) {
        return KINDS.getOrDefault(kind, NONE);
    }

    private static Message accessSpec() {
        return NONE.with(
                        1,
                        "resourceAttributes",
                        Form.MESSAGE,
                        message(
                                "1 namespace",
                                "2 verb",
                                "3 group",
                                "4 version",
                                "5 resource",
                                "6 subresource",
                                "7 name"))
                .with(2, "nonResourceAttributes", Form.MESSAGE, message("1 path", "2 verb"));
    }

    private static Message object(String... fields) {
        return message(fields).with(1, "metadata", Form.MESSAGE, META);
    }

    /** Fields as {@code NUMBER NAME [FORM]}; texts unless something else is said. */
    private static Message message(String... fields) {
        Map<Integer, Field> all = new HashMap<>();
        for (String each : fields) {
            String[] words = each.split(" ", -1);
            Form form = words.length > 2 ? Form.valueOf(words[2]) : Form.TEXT;
            all.put(Integer.valueOf(words[0]), new Field(words[1], form, NONE));
        }
        return new Message(Map.copyOf(all));
    }

    private Message with(int number, String name, Form form, Message message) {
        Map<Integer, Field> all = new HashMap<>(fields);
        all.put(number, new Field(name, form, message));
        return new Message(Map.copyOf(all));
    }
}
