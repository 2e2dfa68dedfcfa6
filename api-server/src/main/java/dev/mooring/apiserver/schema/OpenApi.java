// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.schema;

import dev.mooring.apiserver.resource.Resource;
import dev.mooring.apiserver.resource.Resources;
import dev.mooring.storage.document.Document;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * OpenAPI for clients such as kubectl: version 3 for {@code explain} and to learn that the server takes the parameter {@code
 * fieldValidation}, version 2 for clients that know no other. Each is made once, when it is first wanted. Thread-safe.
 */
public final class OpenApi {
    /** The media type of the binary form of version 2. */
    public static final String PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    private final Resources resources;
    private final Map<List<String>, Document> made = new ConcurrentHashMap<>();

    /** Describes some resources. */
    public OpenApi(Resources resources) {
        this.resources = resources;
    }

    /** Whether a client that accepts this wants version 2 in its binary form. */
    public static boolean wantsProtobuf(String accept) {
        return accept.toLowerCase(Locale.ROOT).contains("com.github.proto-openapi.spec.v2")
                && !accept.startsWith("application/json");
    }

    /** Version 2. */
    public Document v2() {
        return made.computeIfAbsent(List.of("v2"), path -> makeV2());
    }

    private Document makeV2() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("swagger", "2.0");
        document.put("info", info());
        document.put("paths", OpenApiPaths.v2(resources.all()));
        document.put("definitions", definitions());
        return Document.of(document);
    }

    /** Version 2 in its binary form. */
    public byte[] v2Protobuf() {
        return OpenApiProtobuf.document(info(), OpenApiPaths.v2(resources.all()), definitions());
    }

    private Map<String, Map<String, Object>> definitions() {
        Schemas schemas = new Schemas("#/definitions/");
        resources.all().forEach(schemas::add);
        return schemas.all();
    }

    private static Map<String, Object> info() {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("title", "Mooring");
        info.put("version", "v1.32.0");
        return info;
    }

    /** Which descriptions of version 3 there are. */
    public Document v3Index() {
        Map<String, Object> paths = new LinkedHashMap<>();
        paths.put("api/v1", Map.of("serverRelativeURL", "/openapi/v3/api/v1"));
        for (String group : resources.groups()) {
            for (String version : resources.versions(group)) {
                String path = "apis/" + group + "/" + version;
                paths.put(path, Map.of("serverRelativeURL", "/openapi/v3/" + path));
            }
        }
        return Document.of(Map.of("paths", paths));
    }

    /** Version 3 of one group and version, named by its path; empty if there is none. */
    public Optional<Document> v3(List<String> path) {
        boolean core = path.equals(List.of("api", "v1"));
        boolean named = path.size() == 3 && path.get(0).equals("apis");
        List<Resource> members =
                core ? resources.of("", "v1") : named ? resources.of(path.get(1), path.get(2)) : List.of();
        return members.isEmpty()
                ? Optional.empty()
                : Optional.of(made.computeIfAbsent(List.copyOf(path), each -> makeV3(each, members)));
    }

    private static Document makeV3(List<String> path, List<Resource> members) {
        Schemas schemas = new Schemas("#/components/schemas/");
        Map<String, Object> paths = new LinkedHashMap<>();
        for (Resource each : members) {
            schemas.add(each);
            paths.putAll(OpenApiPaths.v3(each, "/" + String.join("/", path)));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.0.0");
        document.put("info", info());
        document.put("paths", paths);
        document.put("components", Map.of("schemas", schemas.all()));
        return Document.of(document);
    }
}
