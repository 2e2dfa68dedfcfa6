// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.fieldmanagement.FieldManagement;
import dev.mooring.clusterstore.schema.Decoded;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The kinds that users have defined, at one time, and what is known of the fields of these and of all other kinds. Immutable; thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CustomResources {
    /** No kind is defined. */
    public static final CustomResources NONE = new CustomResources(List.of());

    private final List<CustomResource> served;
    private final Map<Kind<?>, CustomResource> byKind = new HashMap<>();
    private final Set<Kind<?>> stored = new LinkedHashSet<>();

    CustomResources(List<CustomResource> served) {
        this.served = List.copyOf(served);
        served.forEach(each -> {
            byKind.put(each.kind(), each);
            stored.add(each.stored());
        });
    }

    /** All that are served, version by version, in the order of the definitions. */
    public List<CustomResource> served() {
        return served;
    }

    /** One by its kind; empty if the kind is no such one. */
    public Optional<CustomResource> of(Kind<?> kind) {
        return Optional.ofNullable(byKind.get(kind));
    }

    /** The kinds as they are stored, one for each definition. */
    public List<Kind<?>> stored() {
        return List.copyOf(stored);
    }

    /** Whether objects of a kind can be stored, by this kind or by one of its versions. */
    public boolean holds(Kind<?> kind) {
        return stored.contains(kind) || byKind.containsKey(kind);
    }

    /** Under what kind objects of a kind are stored: the kind itself, unless it is a version of a defined one. */
    public Kind<?> storedAs(Kind<?> kind) {
        return of(kind).<Kind<?>>map(CustomResource::stored).orElse(kind);
    }

    /** A stored object as a kind shows it. */
    public Document shown(Kind<?> kind, Document object) {
        return of(kind).map(each -> each.decode(object.with(kind.apiVersion(), "apiVersion"))
                        .object())
                .orElse(object);
    }

    /** Reads an object of any kind, as {@link Schema#decode} does. */
    public Decoded decode(Kind<?> kind, Document object) {
        return of(kind).map(each -> each.decode(object))
                .orElseGet(() -> Schema.standard().decode(kind, object));
    }

    /** Who manages which field of objects of any kind; empty if the kind's fields are not known. */
    public Optional<FieldManagement> management(Kind<?> kind, String subresource) {
        return of(kind).map(each -> FieldManagement.of(each.type(), kind, subresource))
                .or(() -> FieldManagement.of(kind, subresource));
    }
}
