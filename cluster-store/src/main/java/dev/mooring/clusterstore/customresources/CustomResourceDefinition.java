// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.MetadataObject;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A kind as a user defines it ({@code apiextensions.k8s.io/v1}).
 *
 * @param name of the definition: plural and group
 * @param uid of the definition
 * @param group the API group of the kind
 * @param names as they are wanted
 * @param namespaced whether its objects live in namespaces
 * @param versions in the order in which they are written
 * @param deleting whether the definition, and with it all objects, is being deleted
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CustomResourceDefinition(
        String name,
        String uid,
        String group,
        DefinedNames names,
        boolean namespaced,
        List<DefinedVersion> versions,
        boolean deleting) {
    /** The kind of definitions. */
    public static final Kind<MetadataObject> KIND = new Kind<>(
            "apiextensions.k8s.io",
            "v1",
            "CustomResourceDefinition",
            "customresourcedefinitions",
            false,
            true,
            MetadataObject.class);

    /** Copies the list. */
    public CustomResourceDefinition {
        versions = List.copyOf(versions);
    }

    /** Reads a definition. */
    public static CustomResourceDefinition of(Document document) {
        return new CustomResourceDefinition(
                Fields.name(document),
                Fields.uid(document),
                Fields.text(document, "spec", "group"),
                DefinedNames.of(Fields.object(document, "spec", "names")),
                Fields.text(document, "spec", "scope").equals("Namespaced"),
                Fields.objects(document, "spec", "versions").stream()
                        .map(DefinedVersion::of)
                        .toList(),
                Fields.isDeleting(document));
    }

    /** The version that is stored. */
    public Optional<DefinedVersion> storage() {
        return versions.stream().filter(DefinedVersion::storage).findFirst();
    }

    /**
     * The names of a kind.
     *
     * @param plural in paths
     * @param singular what people may type
     * @param kind in documents
     * @param listKind of lists
     * @param shortNames what people may type
     * @param categories groups that people may ask for
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record DefinedNames(
            String plural,
            String singular,
            String kind,
            String listKind,
            List<String> shortNames,
            List<String> categories) {
        /** Copies the lists. */
        public DefinedNames {
            shortNames = List.copyOf(shortNames);
            categories = List.copyOf(categories);
        }

        static DefinedNames of(Document names) {
            String kind = Fields.text(names, "kind");
            String singular = Fields.text(names, "singular");
            String listKind = Fields.text(names, "listKind");
            return new DefinedNames(
                    Fields.text(names, "plural"),
                    singular.isEmpty() ? kind.toLowerCase(Locale.ROOT) : singular,
                    kind,
                    listKind.isEmpty() && !kind.isEmpty() ? kind + "List" : listKind,
                    Fields.texts(names, "shortNames"),
                    Fields.texts(names, "categories"));
        }
    }
}
