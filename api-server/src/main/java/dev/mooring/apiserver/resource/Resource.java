// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.resource;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
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

    private static final List<String> STATUS_VERBS = List.of("get", "patch", "update");
    private static final List<String> CREATE = List.of("create");

    /** What can be done with the objects. */
    public List<String> verbs() {
        return VERBS.stream()
                .filter(verb -> isCleared() || !verb.equals("deletecollection"))
                .toList();
    }

    /** What else of an object has an address. */
    public List<Subresource> subresources() {
        List<Subresource> all = new ArrayList<>();
        if (kind == Kinds.SERVICE_ACCOUNT) {
            all.add(new Subresource("token", "authentication.k8s.io", "v1", "TokenRequest", CREATE));
        } else if (kind == Kinds.POD) {
            all.add(new Subresource("binding", "", "v1", "Binding", CREATE));
            all.add(new Subresource("eviction", "policy", "v1", "Eviction", CREATE));
        } else if (kind == Kinds.NAMESPACE) {
            all.add(Subresource.of("finalize", kind, List.of("update")));
        }
        if (kind.hasStatus()) {
            all.add(Subresource.of("status", kind, STATUS_VERBS));
        }
        return all;
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
