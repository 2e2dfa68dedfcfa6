// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.schema;

import dev.mooring.apiserver.resource.Resource;
import dev.mooring.clusterstore.customresources.CustomResource;
import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.model.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Describes kinds in OpenAPI: what objects are decoded by. */
final class Schemas {
    private static final Schema SCHEMA = Schema.standard();
    private static final String META = "meta.";
    private static final String DEFINITIONS = "apiextensions.";
    /** Fields of which a strategic merge patch keeps the members that it names, and no others. */
    private static final Set<String> RETAINED = Set.of("core.v1.PodSpec.volumes", "apps.v1.DeploymentSpec.strategy");

    private static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";

    private final String references;
    private final Map<String, Map<String, Object>> all = new TreeMap<>();

    /**
     * Starts an empty collection.
     *
     * @param references what stands before a name in a reference
     */
    Schemas(String references) {
        this.references = references;
    }

    /** Adds a kind and what it is made of. */
    void add(Resource resource) {
        if (resource.custom().isPresent()) {
            add(resource.custom().get());
        } else {
            add(resource.kind());
        }
    }

    private void add(CustomResource resource) {
        Schema.standard().type("meta", "v1", "ObjectMeta").ifPresent(this::structure);
        Map<String, Object> described =
                new LinkedHashMap<>(CustomSchemas.described(resource.version().schema(), references, isV2()));
        described.put("x-kubernetes-group-version-kind", List.of(gvk(resource.kind())));
        all.put(name(resource.kind()), described);
    }

    private boolean isV2() {
        return references.startsWith("#/definitions");
    }

    /** Adds a kind that is always there. */
    void add(Kind<?> kind) {
        Structure type = SCHEMA.type(kind).orElseThrow(() -> new IllegalStateException("the schema has no " + kind));
        structure(type);
        Map<String, Object> described = new LinkedHashMap<>(all.getOrDefault(name(type), Map.of()));
        described.put("x-kubernetes-group-version-kind", List.of(gvk(kind)));
        all.put(name(type), described);
    }

    /** All of them by name. */
    Map<String, Map<String, Object>> all() {
        return all;
    }

    static String name(Kind<?> kind) {
        if (kind.group().contains(".") && Schema.standard().type(kind).isEmpty()) {
            List<String> parts = new ArrayList<>(List.of(kind.group().split("\\.", -1)));
            Collections.reverse(parts);
            return String.join(".", parts) + "." + kind.version() + "." + kind.name();
        }
        String group = kind.group().isEmpty() ? "core" : kind.group().replaceFirst("\\..*", "");
        return name(group + "." + kind.version() + "." + kind.name());
    }

    private static String name(Structure type) {
        return name(type.name());
    }

    private static String name(String type) {
        if (type.startsWith(META)) {
            return "io.k8s.apimachinery.pkg.apis." + type;
        }
        return (type.startsWith(DEFINITIONS) ? "io.k8s.apiextensions-apiserver.pkg.apis." : "io.k8s.api.") + type;
    }

    static Map<String, Object> gvk(Kind<?> kind) {
        Map<String, Object> gvk = new LinkedHashMap<>();
        gvk.put("group", kind.group());
        gvk.put("version", kind.version());
        gvk.put("kind", kind.name());
        return gvk;
    }

    private Map<String, Object> structure(Structure type) {
        String name = name(type);
        if (!all.containsKey(name)) {
            all.put(name, Map.of()); // types may contain themselves
            Map<String, Object> properties = new LinkedHashMap<>();
            type.fields().forEach((field, each) -> properties.put(field, property(type, field, each)));
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "object");
            schema.put("description", Descriptions.of(type));
            schema.put("properties", properties);
            if (!type.required().isEmpty()) {
                schema.put("required", List.copyOf(type.required()));
            }
            all.put(name, schema);
        }
        return Map.of("$ref", references + name);
    }

    private Map<String, Object> property(Structure owner, String name, FieldType type) {
        Map<String, Object> property = new LinkedHashMap<>(schema(type));
        boolean retained = RETAINED.contains(owner.name() + "." + name);
        if (retained) {
            property.put("x-kubernetes-patch-strategy", "retainKeys");
        }
        if (type instanceof Sequence sequence && !sequence.mergeKey().isEmpty()) {
            property.put("x-kubernetes-patch-strategy", retained ? "merge,retainKeys" : "merge");
            if (!sequence.mergeKey().equals("=")) {
                property.put("x-kubernetes-patch-merge-key", sequence.mergeKey());
            }
        }
        String text = Descriptions.of(owner, name);
        if (!text.isEmpty()) { // beside a reference, too, as in Kubernetes' own document
            property.put("description", text);
        }
        return property;
    }

    private Map<String, Object> schema(FieldType type) {
        if (type instanceof Structure structure) {
            return structure(structure);
        } else if (type instanceof Sequence sequence) {
            return Map.of("type", "array", "items", schema(sequence.element()));
        } else if (type instanceof Mapping mapping) {
            return Map.of("type", "object", "additionalProperties", schema(mapping.values()));
        }
        return switch (((Plain) type).form()) {
            case STRING -> Map.of("type", "string");
            case BOOLEAN -> Map.of("type", "boolean");
            case INT32 -> Map.of("type", "integer", "format", "int32");
            case INT64 -> Map.of("type", "integer", "format", "int64");
            case BYTE -> Map.of("type", "string", "format", "byte");
            case TIME, MICRO_TIME -> Map.of("type", "string", "format", "date-time");
            case INT_OR_STRING -> Map.of("type", "string", "format", "int-or-string");
            case ANY -> Map.of("type", "object");
            case JSON -> Map.of();
            case QUANTITY -> {
                all.put(QUANTITY, Map.of("type", "string", "description", Descriptions.of("Quantity")));
                yield Map.of("$ref", references + QUANTITY);
            }
        };
    }
}
