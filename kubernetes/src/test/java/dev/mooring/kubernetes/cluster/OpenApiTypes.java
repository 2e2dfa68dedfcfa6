// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes.cluster;

import dev.mooring.storage.document.Document;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The types of the kinds that are served, out of the OpenAPI document (version 2) of an API server, in the short form that {@code
 * dev.mooring.clusterstore.schema} reads: a line for each type, with the type of each field.
 */
public final class OpenApiTypes {
    private static final String REFERENCE = "#/definitions/";
    private static final Map<String, String> SIMPLE = Map.of(
            "io.k8s.apimachinery.pkg.api.resource.Quantity", "quantity",
            "io.k8s.apimachinery.pkg.util.intstr.IntOrString", "intOrString",
            "io.k8s.apimachinery.pkg.apis.meta.v1.Time", "time",
            "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", "microTime",
            "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", "any",
            "io.k8s.apimachinery.pkg.runtime.RawExtension", "any");

    private final Document openApi;
    private final Map<String, String> lines = new TreeMap<>();

    private OpenApiTypes(Document openApi) {
        this.openApi = openApi;
    }

    /**
     * The lines of some types and of all that these are made of, in the order of their names.
     *
     * @param roots short names, such as {@code core.v1.Pod}; those that the server does not have are passed over
     */
    public static Collection<String> of(Document openApi, Collection<String> roots) {
        OpenApiTypes types = new OpenApiTypes(openApi);
        roots.forEach(root -> {
            types.add("io.k8s.api." + root);
            types.add("io.k8s.apimachinery.pkg.apis." + root);
        });
        return types.lines.values();
    }

    private static String shortened(String definition) {
        return definition.replaceFirst("^io\\.k8s\\.(api|apimachinery\\.pkg\\.apis)\\.", "");
    }

    private void add(String definition) {
        String name = shortened(definition);
        if (lines.containsKey(name)
                || !(openApi.at("definitions", definition).orElse("") instanceof Map<?, ?> schema)
                || !(schema.get("properties") instanceof Map<?, ?> properties)) {
            return;
        }
        lines.put(name, name); // types may contain themselves
        StringBuilder line = new StringBuilder(name);
        List<?> required = schema.get("required") instanceof List<?> names ? names : List.of();
        new TreeMap<Object, Object>(properties).forEach((field, property) -> {
            String mark = required.contains(field) ? "!" : "";
            line.append(' ').append(field).append(mark).append(':').append(type((Map<?, ?>) property));
        });
        lines.put(name, line.toString());
    }

    private String type(Map<?, ?> schema) {
        if (schema.get("$ref") instanceof String reference) {
            return referred(reference.substring(REFERENCE.length()));
        }
        String type = String.valueOf(schema.get("type"));
        return switch (type) {
            case "array" -> "[" + merged(schema) + "]" + type((Map<?, ?>) schema.get("items"));
            case "object" ->
                schema.get("additionalProperties") instanceof Map<?, ?> values ? "{}" + type(values) : "any";
            case "integer" -> String.valueOf(schema.get("format"));
            case "string" -> "byte".equals(schema.get("format")) ? "byte" : "string";
            case "boolean" -> type;
            default -> throw new IllegalStateException("no form for " + schema);
        };
    }

    /** The field by which a strategic merge patch tells the elements of a list apart, or {@code =} if these are values. */
    private static String merged(Map<?, ?> schema) {
        boolean merges =
                String.valueOf(schema.get("x-kubernetes-patch-strategy")).startsWith("merge");
        return !merges ? "" : schema.get("x-kubernetes-patch-merge-key") instanceof String key ? key : "=";
    }

    private String referred(String definition) {
        String simple = SIMPLE.get(definition);
        if (simple != null) {
            return simple;
        }
        boolean empty = openApi.at("definitions", definition, "properties").isEmpty();
        add(definition);
        return empty ? "any" : shortened(definition);
    }
}
