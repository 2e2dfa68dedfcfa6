// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.apiserver.resource.Resource;
import dev.mooring.apiserver.resource.Resources;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * What a path names: a collection, an object or its status.
 *
 * @param resource of what kind
 * @param namespace empty for all, and for cluster-scoped kinds
 * @param name empty for the collection
 * @param subresource {@code status}, {@code scale}, or empty
 */
public record RequestTarget(Resource resource, String namespace, String name, String subresource) {
    /** What a path below {@code /api} or {@code /apis} names; empty if it names nothing here. */
    public static Optional<RequestTarget> of(Resources resources, List<String> path) {
        boolean core = path.get(0).equals("api");
        int start = core ? 2 : 3;
        if (path.size() <= start) {
            return Optional.empty();
        }
        String group = core ? "" : path.get(1);
        String version = path.get(start - 1);
        List<String> rest = path.subList(start, path.size());
        boolean inNamespace = rest.get(0).equals("namespaces")
                && rest.size() > 2
                && !rest.get(2).equals("status");
        String namespace = inNamespace ? rest.get(1) : "";
        List<String> own = inNamespace ? rest.subList(2, rest.size()) : rest;
        if (own.size() > 3) {
            return Optional.empty();
        }
        return resources
                .find(group, version, own.get(0))
                .filter(each -> each.kind().namespaced() || !inNamespace)
                .map(each -> new RequestTarget(
                        each, namespace, own.size() > 1 ? own.get(1) : "", own.size() > 2 ? own.get(2) : ""))
                .filter(RequestTarget::exists);
    }

    private boolean exists() {
        boolean known = subresource.isEmpty() || (subresource.equals("status") && kind().hasStatus()) || isScale();
        return known && (name.isEmpty() || namespace.isEmpty() != kind().namespaced());
    }

    /** Whether the numbers of an object that is scaled are meant. */
    public boolean isScale() {
        return subresource.equals("scale") && resource.scale().isPresent();
    }

    public Kind<?> kind() {
        return resource.kind();
    }

    public ObjectKey key() {
        return ObjectKey.of(namespace, name);
    }

    /** Whether all objects of a collection can be deleted at once: not those of all namespaces, and not the namespaces themselves. */
    public boolean isCleared() {
        return name.isEmpty() && resource.isCleared() && namespace.isEmpty() != kind().namespaced();
    }

    boolean isNamespace() {
        return kind() == Kinds.NAMESPACE;
    }
}
