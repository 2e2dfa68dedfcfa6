// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.resource;

import dev.mooring.clusterstore.customresources.CustomResource;
import dev.mooring.clusterstore.customresources.DefinedVersion.ScalePaths;
import dev.mooring.clusterstore.fieldmanagement.FieldManagement;
import dev.mooring.clusterstore.schema.Decoded;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A kind as clients address it.
 *
 * @param kind the kind
 * @param shortNames what people may type
 * @param categories groups that people may ask for
 * @param custom what a user has defined; empty for kinds that are always there
 */
public record Resource(
        Kind<?> kind, List<String> shortNames, List<String> categories, Optional<CustomResource> custom) {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private static final List<String> STATUS_VERBS = List.of("get", "patch", "update");
    private static final List<String> CREATE = List.of("create");
    private static final Set<String> SCALED =
            Set.of("deployments.apps", "replicasets.apps", "statefulsets.apps", "replicationcontrollers.");

    private static final ScalePaths WORKLOAD = new ScalePaths(".spec.replicas", ".status.replicas", ".spec.selector");

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
        scale().ifPresent(scale -> all.add(new Subresource("scale", "autoscaling", "v1", "Scale", STATUS_VERBS)));
        return all;
    }

    /** Where the sub-resource {@code scale} finds its numbers; empty if the objects have none. */
    public Optional<ScalePaths> scale() {
        return custom.isPresent()
                ? custom.flatMap(each -> each.version().scale())
                : Optional.of(WORKLOAD).filter(scale -> SCALED.contains(kind.plural() + "." + kind.group()));
    }

    /** Reads an object: each field has its type, or is reported. */
    public Decoded decode(Document object) {
        return custom.map(each -> each.decode(object))
                .orElseGet(() -> Schema.standard().decode(kind, object));
    }

    /** Who manages which field of the objects; empty if their fields are not known. */
    public Optional<FieldManagement> management(String subresource) {
        return custom.map(each -> FieldManagement.of(each.type(), kind, subresource))
                .or(() -> FieldManagement.of(kind, subresource));
    }

    /** The name of lists of objects. */
    public String listKind() {
        return custom.map(each -> each.definition().names().listKind()).orElse(kind.name() + "List");
    }

    /** Whether many can be deleted at once: everything would go with the namespaces. */
    public boolean isCleared() {
        return kind != Kinds.NAMESPACE;
    }

    /** The name of one object's kind in lower case. */
    public String singular() {
        return custom.map(each -> each.definition().names().singular())
                .orElseGet(() -> kind.name().toLowerCase(Locale.ROOT));
    }
}
