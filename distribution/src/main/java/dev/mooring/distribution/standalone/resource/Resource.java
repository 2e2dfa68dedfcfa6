// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.resource;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.Locale;

/**
 * A kind as clients address it.
 *
 * @param kind the kind
 * @param shortNames what people may type
 * @param categories groups that people may ask for
 */
public record Resource(Kind<?> kind, List<String> shortNames, List<String> categories) {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    /** What can be done with the status. */
    public static final List<String> STATUS_VERBS = List.of("get", "patch", "update");

    /** What can be done with the objects. */
    public List<String> verbs() {
        return VERBS.stream()
                .filter(verb -> isCleared() || !verb.equals("deletecollection"))
                .toList();
    }

    /** Whether many can be deleted at once: everything would go with the namespaces. */
    public boolean isCleared() {
        return kind != Kinds.NAMESPACE;
    }

    /** The name of one object's kind in lower case. */
    public String singular() {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
