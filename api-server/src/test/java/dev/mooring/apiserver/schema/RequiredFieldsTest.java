// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequiredFieldsTest {
    static Stream<Kind<?>> kinds() {
        return Kinds.standard().all().stream();
    }

    private static Document yaml(String text) {
        return KubernetesYaml.standard().readAll(text, "test").get(0);
    }

    @Test
    void aNodeShowsWhatClientsDemandOfItsSystem() {
        Document node = yaml("""
                metadata: {name: n1}
                status:
                  nodeInfo: {kernelVersion: "6.1"}
                  conditions: [{type: Ready}]
                """);
        Document shown = RequiredFields.shown(Kinds.NODE, node);
        assertThat(shown.text("status", "nodeInfo", "kernelVersion")).contains("6.1");
        assertThat(shown.object("status", "nodeInfo").orElseThrow().asMap())
                .containsEntry("machineID", "")
                .containsEntry("systemUUID", "")
                .containsEntry("containerRuntimeVersion", "")
                .containsEntry("kubeProxyVersion", "");
        assertThat(shown.at("status", "conditions")).contains(List.of(Map.of("type", "Ready", "status", "")));
    }

    @Test
    void elementsOfListsAndValuesThatMeanNothingAreFilled() {
        Document pod = yaml("""
                metadata: {name: p}
                status: {containerStatuses: [{name: main}, {name: side, ready: true}]}
                """);
        assertThat(RequiredFields.shown(Kinds.POD, pod).at("status", "containerStatuses"))
                .contains(List.of(
                        Map.of("name", "main", "ready", false, "restartCount", 0L, "image", "", "imageID", ""),
                        Map.of("name", "side", "ready", true, "restartCount", 0L, "image", "", "imageID", "")));
        assertThat(RequiredFields.shown(Kinds.CSI_NODE, yaml("metadata: {name: n1}"))
                        .at("spec", "drivers"))
                .contains(List.of());
    }

    @Test
    void anObjectThatLacksNothingIsNotCopied() {
        Document node = RequiredFields.shown(Kinds.NODE, yaml("status: {nodeInfo: {}}"));
        assertThat(RequiredFields.shown(Kinds.NODE, node)).isSameAs(node);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anEmptyObjectOfEachKindHasAllThatItsDescriptionDemands(Kind<?> kind) {
        Schemas schemas = new Schemas("");
        schemas.add(kind);
        Document shown = RequiredFields.shown(kind, Document.empty());
        assertThat(missing(schemas, Schemas.name(kind), shown.asMap())).isEmpty();
    }

    /** What the description demands and the object lacks, at every depth that the object has. */
    private static List<String> missing(Schemas schemas, String type, Map<?, ?> object) {
        Map<String, Object> schema = schemas.all().getOrDefault(type, Map.of());
        List<?> required = (List<?>) schema.getOrDefault("required", List.of());
        Map<?, ?> properties = (Map<?, ?>) schema.getOrDefault("properties", Map.of());
        return Stream.concat(
                        required.stream()
                                .map(String.class::cast)
                                .filter(name -> !object.containsKey(name) && !isTime(properties.get(name)))
                                .map(name -> type + "." + name),
                        object.entrySet().stream()
                                .filter(each -> each.getValue() instanceof Map)
                                .filter(each -> ((Map<?, ?>) properties.get(each.getKey())).get("$ref") != null)
                                .flatMap(each -> missing(
                                        schemas,
                                        (String) ((Map<?, ?>) properties.get(each.getKey())).get("$ref"),
                                        (Map<?, ?>) each.getValue())
                                        .stream()))
                .toList();
    }

    private static boolean isTime(Object property) {
        return "date-time".equals(((Map<?, ?>) property).get("format"));
    }
}
