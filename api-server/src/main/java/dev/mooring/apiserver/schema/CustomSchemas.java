// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.schema;

import dev.mooring.clusterstore.customresources.JsonSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Describes custom resources in OpenAPI. Version 2 lacks words that schemas have: what it cannot say is left out. Pure. */
final class CustomSchemas {
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    private static final Set<String> NOT_IN_V2 =
            Set.of("oneOf", "anyOf", "allOf", "not", "nullable", "default", "additionalProperties", "example");

    private CustomSchemas() {}

    /** The schema of whole objects. */
    static Map<String, Object> described(JsonSchema schema, String references, boolean v2) {
        Map<String, Object> described = schema(schema, v2);
        described.putIfAbsent("type", "object");
        if (schema.is("x-kubernetes-preserve-unknown-fields")
                && v2
                && schema.properties().isEmpty()) {
            described.remove("properties");
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("apiVersion", Map.of("type", "string", "description", Descriptions.of("apiVersion")));
        properties.put("kind", Map.of("type", "string", "description", Descriptions.of("kind")));
        properties.put("metadata", Map.of("$ref", references + META));
        schema.properties().forEach((name, each) -> properties.putIfAbsent(name, schema(each, v2)));
        described.put("properties", properties);
        return described;
    }

    private static Map<String, Object> schema(JsonSchema schema, boolean v2) {
        Map<String, Object> described = new LinkedHashMap<>();
        boolean open = v2 && (schema.is("x-kubernetes-preserve-unknown-fields") || schema.is("nullable"));
        schema.words().asMap().forEach((word, value) -> {
            switch (word) {
                case "properties" -> {
                    if (!open) {
                        Map<String, Object> properties = new LinkedHashMap<>();
                        schema.properties().forEach((name, each) -> properties.put(name, schema(each, v2)));
                        described.put(word, properties);
                    }
                }
                case "items" -> {
                    if (!open) {
                        described.put(
                                word,
                                schema.items()
                                        .<Object>map(each -> schema(each, v2))
                                        .orElse(value));
                    }
                }
                // A client of version 2 would hold what it cannot say against what is right.
                case "type", "required" -> {
                    if (!open) {
                        described.put(word, value);
                    }
                }
                default -> {
                    if (!(v2 && NOT_IN_V2.contains(word)) && !word.equals("additionalProperties")) {
                        described.put(word, value);
                    }
                }
            }
        });
        schema.additionalProperties()
                .filter(each -> !open)
                .ifPresent(each -> described.put("additionalProperties", schema(each, v2)));
        if (!open && schema.allowsAdditional()) {
            described.put("additionalProperties", v2 ? Map.of() : (Object) true);
        }
        if (schema.is("x-kubernetes-int-or-string") && !v2) {
            described.putIfAbsent("oneOf", List.of(Map.of("type", "integer"), Map.of("type", "string")));
        }
        return described;
    }
}
