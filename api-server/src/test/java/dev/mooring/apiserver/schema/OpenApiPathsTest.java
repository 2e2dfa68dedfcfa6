// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.resource.Resources;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.storage.document.Document;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What clients look for in the paths of OpenAPI version 2: kubectl 1.20 asks there whether a kind can be patched without effect. */
class OpenApiPathsTest {
    private static final String POD = "/api/v1/namespaces/{namespace}/pods/{name}";
    private static final OpenApi OPEN_API = new OpenApi(Resources.of(StoredKinds.withStandard()));

    @Test
    void aPatchNamesItsKindAndParameters() {
        Document document = OPEN_API.v2();
        assertThat(document.at("paths", POD, "patch", "x-kubernetes-group-version-kind"))
                .contains(Map.of("group", "", "version", "v1", "kind", "Pod"));
        assertThat((List<?>) document.at("paths", POD, "patch", "parameters").orElseThrow())
                .anySatisfy(
                        each -> assertThat(each).isEqualTo(Map.of("name", "dryRun", "in", "query", "type", "string")));
    }

    @Test
    void everyReferenceLeadsToADefinition() {
        Document document = OPEN_API.v2();
        Map<String, Object> definitions =
                document.object("definitions").orElseThrow().asMap();
        assertThat(references(document.asMap()))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(definitions).containsKey(each.substring("#/definitions/".length())));
    }

    @Test
    void manyAreDeletedAtOnceAndTheStatusHasAPath() {
        Document document = OPEN_API.v2();
        assertThat(document.text("paths", "/api/v1/namespaces/{namespace}/pods", "delete", "x-kubernetes-action"))
                .contains("deletecollection");
        assertThat(document.at("paths", "/api/v1/namespaces", "delete")).isEmpty();
        assertThat(document.object("paths", POD + "/status").orElseThrow().asMap())
                .containsOnlyKeys("get", "put", "patch");
        assertThat(document.at("paths", POD, "patch", "consumes").toString())
                .contains("application/strategic-merge-patch+json");
    }

    @Test
    void aPatchOfAVolumeOrAStrategyKeepsWhatItNames() {
        Document document = OPEN_API.v2();
        assertThat(document.text(
                        "definitions",
                        "io.k8s.api.core.v1.PodSpec",
                        "properties",
                        "volumes",
                        "x-kubernetes-patch-strategy"))
                .contains("merge,retainKeys");
        assertThat(document.text(
                        "definitions",
                        "io.k8s.api.apps.v1.DeploymentSpec",
                        "properties",
                        "strategy",
                        "x-kubernetes-patch-strategy"))
                .contains("retainKeys");
    }

    private static List<String> references(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .flatMap(each -> each.getKey().equals("$ref") && each.getValue() instanceof String reference
                            ? List.of(reference).stream()
                            : references(each.getValue()).stream())
                    .toList();
        }
        return value instanceof List<?> list
                ? list.stream().flatMap(each -> references(each).stream()).toList()
                : List.of();
    }

    @Test
    void theBinaryFormHasThePathsToo() {
        String bytes = new String(OPEN_API.v2Protobuf(), StandardCharsets.ISO_8859_1);
        assertThat(bytes)
                .contains(POD, "dryRun", "x-kubernetes-group-version-kind", "{\"group\":\"\",\"version\":\"v1\"");
    }
}
