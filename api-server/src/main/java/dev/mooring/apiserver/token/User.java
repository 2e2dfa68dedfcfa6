// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.token;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who asks.
 *
 * @param name such as {@code system:serviceaccount:default:builder}
 * @param uid of the service account; empty for the holder of the server's own token
 * @param groups what the user belongs to
 * @param extra more about the token, by Kubernetes' names
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    private static final String MASTERS = "system:masters";

    /** The holder of the server's own token. */
    public static final User ADMINISTRATOR = new User("mooring", "", List.of(MASTERS), Map.of());

    /** Copies what it is given. */
    public User {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    static User account(String namespace, String name, String uid, Map<String, List<String>> extra) {
        return new User(
                "system:serviceaccount:" + namespace + ":" + name,
                uid,
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"),
                extra);
    }

    /** Whether the user may do everything. */
    public boolean isAdministrator() {
        return groups.contains(MASTERS);
    }

    /** As a review shows it. */
    public Map<String, Object> shown() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("username", name);
        if (!uid.isEmpty()) {
            fields.put("uid", uid);
        }
        fields.put("groups", groups);
        if (!extra.isEmpty()) {
            fields.put("extra", extra);
        }
        return fields;
    }
}
