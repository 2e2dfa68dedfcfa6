// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.schema;

import dev.mooring.apiserver.resource.Resource;
import dev.mooring.storage.model.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The paths of resources in OpenAPI. Clients learn from them what may be sent for a kind, such as {@code dryRun}. All functions are pure. */
final class OpenApiPaths {
    private static final List<String> QUERY = List.of("dryRun", "fieldManager", "fieldValidation");
    private static final String JSON = "application/json";
    private static final List<String> PATCHES_OF_DEFINED =
            List.of("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml");
    private static final List<String> PATCHES = List.of(
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/apply-patch+yaml");

    private OpenApiPaths() {}

    /** Describes one operation. */
    private interface Operations {
        /**
         * One operation.
         *
         * @param consumes the media types of the body; empty if there is none
         */
        Map<String, Object> of(Kind<?> kind, String action, List<String> consumes);
    }

    /** Those of version 2, of all resources. */
    static Map<String, Object> v2(List<Resource> resources) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (Resource each : resources) {
            Kind<?> kind = each.kind();
            String root = (kind.group().isEmpty() ? "/api/" : "/apis/") + kind.apiVersion();
            all.putAll(paths(each, root, OpenApiPaths::operationV2));
        }
        return all;
    }

    private static Map<String, Object> operationV2(Kind<?> kind, String action, List<String> consumes) {
        Map<String, Object> schema = Map.of("$ref", "#/definitions/" + Schemas.name(kind));
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("produces", List.of(JSON));
        if (!consumes.isEmpty()) {
            operation.put("consumes", consumes);
            List<Object> parameters = new ArrayList<>();
            parameters.add(ordered("name", "body", "in", "body", "required", true, "schema", schema));
            QUERY.forEach(name -> parameters.add(ordered("name", name, "in", "query", "type", "string")));
            operation.put("parameters", parameters);
        }
        operation.put("responses", Map.of("200", ordered("description", "OK", "schema", schema)));
        operation.put("x-kubernetes-action", action);
        operation.put("x-kubernetes-group-version-kind", Schemas.gvk(kind));
        return operation;
    }

    private static Map<String, Object> ordered(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /** Those of version 3, of one resource below the root of its group. */
    static Map<String, Object> v3(Resource resource, String root) {
        return paths(resource, root, OpenApiPaths::operation);
    }

    private static Map<String, Object> paths(Resource resource, String root, Operations operations) {
        Kind<?> kind = resource.kind();
        String collection = root + (kind.namespaced() ? "/namespaces/{namespace}/" : "/") + kind.plural();
        Map<String, Object> paths = new LinkedHashMap<>();
        Map<String, Object> many = new LinkedHashMap<>();
        many.put("get", operations.of(kind, "list", List.of()));
        many.put("post", operations.of(kind, "post", List.of(JSON)));
        if (resource.isCleared()) {
            many.put("delete", operations.of(kind, "deletecollection", List.of()));
        }
        paths.put(collection, many);
        if (kind.namespaced()) {
            paths.put(root + "/" + kind.plural(), Map.of("get", operations.of(kind, "list", List.of())));
        }
        Map<String, Object> one = changes(resource, operations, List.of("get", "update", "patch"));
        one.put("delete", operations.of(kind, "delete", List.of()));
        paths.put(collection + "/{name}", one);
        // Others take kinds of their own, which no client looks for here.
        resource.subresources().stream()
                .filter(each -> each.kind().equals(kind.name()) && each.group().equals(kind.group()))
                .forEach(each ->
                        paths.put(collection + "/{name}/" + each.name(), changes(resource, operations, each.verbs())));
        return paths;
    }

    private static Map<String, Object> changes(Resource resource, Operations operations, List<String> verbs) {
        Kind<?> kind = resource.kind();
        Map<String, Object> methods = new LinkedHashMap<>();
        if (verbs.contains("get")) {
            methods.put("get", operations.of(kind, "get", List.of()));
        }
        if (verbs.contains("update")) {
            methods.put("put", operations.of(kind, "put", List.of(JSON)));
        }
        if (verbs.contains("patch")) {
            List<String> types = resource.custom().isPresent() ? PATCHES_OF_DEFINED : PATCHES;
            methods.put("patch", operations.of(kind, "patch", types));
        }
        return methods;
    }

    private static Map<String, Object> operation(Kind<?> kind, String action, List<String> consumes) {
        Map<String, Object> reference = Map.of("$ref", "#/components/schemas/" + Schemas.name(kind));
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("x-kubernetes-action", action);
        operation.put("x-kubernetes-group-version-kind", Schemas.gvk(kind));
        if (!consumes.isEmpty()) {
            List<Object> parameters = new ArrayList<>();
            for (String name : QUERY) {
                parameters.add(Map.of("name", name, "in", "query", "schema", Map.of("type", "string")));
            }
            operation.put("parameters", parameters);
            Map<String, Object> content = new LinkedHashMap<>();
            consumes.forEach(type -> content.put(type, Map.of("schema", reference)));
            operation.put("requestBody", Map.of("content", content, "required", true));
        }
        Map<String, Object> answer = Map.of("application/json", Map.of("schema", reference));
        operation.put("responses", Map.of("200", Map.of("description", "OK", "content", answer)));
        return operation;
    }
}
