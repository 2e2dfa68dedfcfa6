// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.customresources.CustomResourceDefinition.DefinedNames;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.MetadataObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * The register of kinds that users define in one store. Kinds are compared by identity: the same names give the same kind for as long as the
 * register lives. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CustomKinds {
    private final Map<List<Object>, Kind<?>> known = new ConcurrentHashMap<>();
    private Map<String, Parsed> parsed = Map.of();
    private volatile CustomResources current = CustomResources.NONE;

    /** Makes a register in which nothing is defined. A definition of a kind of volume snapshots gives the kind that controllers know. */
    public CustomKinds() {
        for (Kind<?> kind : Kinds.OF_SNAPSHOTS) {
            known.put(List.of(kind.group(), kind.name(), kind.plural(), kind.namespaced()), kind);
            known.put(
                    List.of(
                            kind.group(),
                            kind.name(),
                            kind.plural(),
                            kind.namespaced(),
                            kind.version(),
                            kind.hasStatus()),
                    kind);
        }
    }

    private record Parsed(
            String version, CustomResourceDefinition definition, Kind<?> stored, List<CustomResource> served) {}

    /** What is defined now. */
    public CustomResources current() {
        return current;
    }

    /** The kind under which objects of a definition are stored, whatever version is stored. */
    public Kind<?> stored(CustomResourceDefinition definition) {
        DefinedNames names = definition.names();
        String version = definition.storage().map(DefinedVersion::name).orElse("v1");
        return known.computeIfAbsent(
                List.of(definition.group(), names.kind(), names.plural(), definition.namespaced()),
                key -> kind(definition, version, true));
    }

    private Kind<?> served(CustomResourceDefinition definition, DefinedVersion version) {
        DefinedNames names = definition.names();
        return known.computeIfAbsent(
                List.of(
                        definition.group(),
                        names.kind(),
                        names.plural(),
                        definition.namespaced(),
                        version.name(),
                        version.hasStatus()),
                key -> kind(definition, version.name(), version.hasStatus()));
    }

    /** The definition of a kind, if that definition is being deleted; empty otherwise. */
    public Optional<CustomResourceDefinition> ending(Kind<?> stored) {
        return parsed.values().stream()
                .filter(each -> each.definition().deleting() && each.stored() == stored)
                .map(Parsed::definition)
                .findFirst();
    }

    private static Kind<MetadataObject> kind(CustomResourceDefinition definition, String version, boolean hasStatus) {
        return new Kind<>(
                definition.group(),
                version,
                definition.names().kind(),
                definition.names().plural(),
                definition.namespaced(),
                hasStatus,
                MetadataObject.class);
    }

    /** Learns what is defined from now on; one caller at a time. */
    public void refresh(Iterable<Document> definitions) {
        Map<String, Parsed> next = new HashMap<>();
        List<CustomResource> served = new ArrayList<>();
        for (Document each : definitions) {
            if (DefinitionStatus.isEstablished(each)) {
                Parsed read = parsed(each);
                next.put(Fields.uid(each), read);
                served.addAll(read.served());
            }
        }
        parsed = next;
        current = new CustomResources(served);
    }

    private Parsed parsed(Document document) {
        String version = Fields.resourceVersion(document);
        Parsed before = parsed.get(Fields.uid(document));
        if (before != null && before.version().equals(version)) {
            return before;
        }
        CustomResourceDefinition read = accepted(document);
        Kind<?> stored = stored(read);
        List<CustomResource> served = read.versions().stream()
                .filter(DefinedVersion::served)
                .map(each -> new CustomResource(served(read, each), stored, read, each))
                .toList();
        return new Parsed(version, read, stored, served);
    }

    /** A definition with the names that it has been given. */
    public static CustomResourceDefinition accepted(Document document) {
        CustomResourceDefinition wanted = CustomResourceDefinition.of(document);
        DefinedNames names = DefinitionStatus.accepted(document);
        return new CustomResourceDefinition(
                wanted.name(),
                wanted.uid(),
                wanted.group(),
                names.plural().isEmpty() ? wanted.names() : names,
                wanted.namespaced(),
                wanted.versions(),
                wanted.deleting());
    }
}
