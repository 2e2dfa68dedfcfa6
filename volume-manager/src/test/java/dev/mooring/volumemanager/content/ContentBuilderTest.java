// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import static dev.mooring.volumemanager.machine.Playground.kindOf;
import static dev.mooring.volumemanager.machine.Playground.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.HiddenText;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ResourceRequirements;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ContentBuilderTest {
    private static final ConfigMap CONFIG = new ConfigMap(
            ObjectMeta.named("ns", "config"),
            Map.of("a", "text a", "b", "text b"),
            Map.of("raw", "AAH/"),
            Optional.empty());
    private static final Secret SECRET = new Secret(
            ObjectMeta.named("ns", "secret"), "Opaque", Map.of("key", new HiddenText("aHVzaA==")), Optional.empty());
    private static final Pod POD = pod();

    private static final Map<String, Quantity> ALLOCATABLE = Map.of("memory", Quantity.parse("7Gi"));

    private static Pod pod() {
        ObjectMeta meta = ObjectMeta.named("ns", "web")
                .withUid("uid-1")
                .withLabels(Map.of("b", "2", "a", "say \"hi\"\n"))
                .withAnnotations(Map.of("note/x", "back\\slash\t\u0001é"));
        Container main = new Container("main", "image", List.of(), List.of())
                .withResources(
                        Optional.of(ResourceRequirements.EMPTY.withLimits(Map.of("cpu", Quantity.parse("1500m")))));
        return Pod.of("ns", "web", PodSpec.EMPTY.withContainers(List.of(main))).withMetadata(meta);
    }

    private static Map<String, Object> item(String key, String path) {
        return Map.of("key", key, "path", path);
    }

    private static Map<String, Object> field(String fieldPath, String path) {
        return Map.of("path", path, "fieldRef", Map.of("fieldPath", fieldPath));
    }

    private static Map<String, Object> resource(Map<String, ?> ref, String path) {
        return Map.of("path", path, "resourceFieldRef", ref);
    }

    private static Outcome<Payload> build(String type, Map<String, ?> attributes) {
        ContentPlan plan = ContentPlan.of(new VolumeSource(type, Document.of(attributes)));
        Map<ContentPart.Token, SecretValue> tokens = new java.util.HashMap<>();
        plan.parts()
                .forEach(part -> part.match(
                        keys -> Optional.empty(),
                        fields -> Optional.empty(),
                        token -> Optional.ofNullable(tokens.put(token, new SecretValue(new byte[] {'t'})))));
        return new ContentBuilder(POD, Map.of("config", CONFIG), Map.of("secret", SECRET), tokens, ALLOCATABLE)
                .build(plan);
    }

    private static Map<String, String> files(Outcome<Payload> built) {
        Map<String, String> files = new TreeMap<>();
        value(built)
                .files()
                .forEach((path, file) -> files.put(
                        path,
                        Integer.toOctalString(file.mode()) + " "
                                + new String(file.content(), StandardCharsets.ISO_8859_1)));
        return files;
    }

    static List<Arguments> shown() {
        return List.of(
                Arguments.of(
                        "all keys",
                        "configMap",
                        Map.of("name", "config"),
                        Map.of("a", "644 text a", "b", "644 text b", "raw", "644 \0\1\u00ff")),
                Arguments.of(
                        "a secret",
                        "secret",
                        Map.of("secretName", "secret", "defaultMode", 0400L),
                        Map.of("key", "400 hush")),
                Arguments.of(
                        "items, of which one has a mode of its own",
                        "configMap",
                        Map.of(
                                "name",
                                "config",
                                "defaultMode",
                                0600L,
                                "items",
                                List.of(item("a", "x/y"), Map.of("key", "b", "path", "./z", "mode", 0444L))),
                        Map.of("x/y", "600 text a", "z", "444 text b")),
                Arguments.of(
                        "one key at two paths",
                        "configMap",
                        Map.of("name", "config", "items", List.of(item("a", "x"), item("a", "y"))),
                        Map.of("x", "644 text a", "y", "644 text a")),
                Arguments.of(
                        "an optional object that is missing",
                        "configMap",
                        Map.of("name", "nothing", "optional", true),
                        Map.of()),
                Arguments.of("an optional object without name", "secret", Map.of("optional", true), Map.of()),
                Arguments.of(
                        "an optional key that is missing",
                        "configMap",
                        Map.of(
                                "name",
                                "config",
                                "optional",
                                true,
                                "items",
                                List.of(item("nothing", "x"), item("a", "y"))),
                        Map.of("y", "644 text a")),
                Arguments.of(
                        "fields of the pod",
                        "downwardAPI",
                        Map.of(
                                "items",
                                List.of(
                                        field("metadata.name", "name"),
                                        field("metadata.namespace", "namespace"),
                                        field("metadata.uid", "uid"),
                                        field("metadata.labels", "labels"),
                                        field("metadata.annotations", "annotations"),
                                        field("metadata.labels['b']", "one"),
                                        field("metadata.annotations['absent']", "none"))),
                        Map.of(
                                "name", "644 web",
                                "namespace", "644 ns",
                                "uid", "644 uid-1",
                                "labels", "644 a=\"say \\\"hi\\\"\\n\"\nb=\"2\"",
                                "annotations", "644 note/x=\"back\\\\slash\\t\\x01\u00c3\u00a9\"",
                                "one", "644 2",
                                "none", "644 ")),
                Arguments.of(
                        "what a container asks for",
                        "downwardAPI",
                        Map.of(
                                "items",
                                List.of(
                                        resource(
                                                Map.of(
                                                        "containerName",
                                                        "main",
                                                        "resource",
                                                        "limits.cpu",
                                                        "divisor",
                                                        "1m"),
                                                "cpu"),
                                        resource(
                                                Map.of("containerName", "main", "resource", "limits.memory"),
                                                "memory"))),
                        Map.of("cpu", "644 1500", "memory", "644 7516192768")),
                Arguments.of(
                        "everything projected",
                        "projected",
                        Map.of(
                                "defaultMode",
                                0440L,
                                "sources",
                                List.of(
                                        Map.of(
                                                "configMap",
                                                Map.of("name", "config", "items", List.of(item("a", "c/a")))),
                                        Map.of(
                                                "secret",
                                                Map.of(
                                                        "name",
                                                        "secret",
                                                        "items",
                                                        List.of(Map.of("key", "key", "path", "c/key", "mode", 0400L)))),
                                        Map.of("downwardAPI", Map.of("items", List.of(field("metadata.name", "name")))),
                                        Map.of("serviceAccountToken", Map.of("path", "token")))),
                        Map.of("c/a", "440 text a", "c/key", "400 hush", "name", "440 web", "token", "440 t")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("shown")
    void e5_shown(String title, String type, Map<String, ?> source, Map<String, String> expected) {
        assertThat(files(build(type, source))).isEqualTo(new TreeMap<>(expected));
    }

    static List<Arguments> refused() {
        return List.of(
                Arguments.of("configMap", Map.of("name", "nothing"), "NOT_FOUND", "configmap \"nothing\" not found"),
                Arguments.of("secret", Map.of("secretName", "nothing"), "NOT_FOUND", "secret \"nothing\" not found"),
                Arguments.of(
                        "configMap",
                        Map.of("name", "config", "items", List.of(item("none", "x"))),
                        "NOT_FOUND",
                        "has no key \"none\""),
                Arguments.of("configMap", Map.of("items", List.of()), "INVALID", "name"),
                Arguments.of(
                        "configMap",
                        Map.of("name", "config", "items", List.of(item("a", "../x"))),
                        "INVALID",
                        "must not contain '..'"),
                Arguments.of("configMap", Map.of("name", "config", "defaultMode", 01000L), "INVALID", "defaultMode"),
                Arguments.of(
                        "configMap",
                        Map.of("name", "config", "items", List.of(Map.of("key", "a", "path", "x", "mode", -1L))),
                        "INVALID",
                        "mode"),
                Arguments.of(
                        "configMap",
                        Map.of("name", "config", "items", List.of(item("a", "x"), item("b", "x"))),
                        "INVALID",
                        "used twice"),
                Arguments.of(
                        "configMap",
                        Map.of("name", "config", "items", List.of(item("a", "x"), item("b", "x/y"))),
                        "INVALID",
                        "conflicts with 'x'"),
                Arguments.of(
                        "downwardAPI",
                        Map.of("items", List.of(field("spec.nodeName", "x"))),
                        "INVALID",
                        "spec.nodeName"),
                Arguments.of("downwardAPI", Map.of("items", List.of(Map.of("path", "x"))), "INVALID", "fieldRef"),
                Arguments.of(
                        "downwardAPI",
                        Map.of(
                                "items",
                                List.of(Map.of("path", "x", "resourceFieldRef", Map.of("resource", "limits.cpu")))),
                        "INVALID",
                        "resourceFieldRef.containerName"),
                Arguments.of(
                        "downwardAPI",
                        Map.of(
                                "items",
                                List.of(resource(Map.of("containerName", "main", "resource", "limits.gpu"), "x"))),
                        "INVALID",
                        "resourceFieldRef.resource"),
                Arguments.of(
                        "downwardAPI",
                        Map.of(
                                "items",
                                List.of(Map.of(
                                        "path",
                                        "x",
                                        "fieldRef",
                                        Map.of("fieldPath", "metadata.name"),
                                        "resourceFieldRef",
                                        Map.of("containerName", "main", "resource", "limits.cpu")))),
                        "INVALID",
                        "only one of"),
                Arguments.of(
                        "downwardAPI",
                        Map.of(
                                "items",
                                List.of(resource(
                                        Map.of("containerName", "main", "resource", "limits.ephemeral-storage"), "x"))),
                        "NOT_FOUND",
                        "status.allocatable"),
                Arguments.of(
                        "projected",
                        Map.of(
                                "sources",
                                List.of(
                                        Map.of(
                                                "configMap",
                                                Map.of("name", "config", "items", List.of(item("a", "same")))),
                                        Map.of(
                                                "downwardAPI",
                                                Map.of("items", List.of(field("metadata.name", "same")))))),
                        "INVALID",
                        "used twice"),
                Arguments.of(
                        "projected",
                        Map.of("sources", List.of(Map.of("clusterTrustBundle", Map.of()))),
                        "INVALID",
                        "clusterTrustBundle"),
                Arguments.of(
                        "projected",
                        Map.of(
                                "sources",
                                List.of(Map.of("serviceAccountToken", Map.of("path", "t", "expirationSeconds", 599L)))),
                        "INVALID",
                        "at least 600"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void e5_refused(String type, Map<String, ?> source, String kind, String words) {
        Outcome<Payload> built = build(type, source);
        assertThat(kindOf(built)).isEqualTo(kind);
        assertThat(built.message()).contains(words);
    }

    @Test
    void aSecretThatIsNoBase64IsRefusedWithoutShowingIt() {
        Secret broken = new Secret(
                ObjectMeta.named("ns", "secret"), "", Map.of("key", new HiddenText("?hush?")), Optional.empty());
        ContentPlan plan = ContentPlan.of(new VolumeSource("secret", Document.of(Map.of("secretName", "secret"))));
        Outcome<Payload> built =
                new ContentBuilder(POD, Map.of(), Map.of("secret", broken), Map.of(), Map.of()).build(plan);
        assertThat(kindOf(built)).isEqualTo("INVALID");
        assertThat(built.message()).contains("key").doesNotContain("hush");
    }

    @Test
    void nothingPrintsContent() {
        Outcome<Payload> built = build("secret", Map.of("secretName", "secret"));
        assertThat(built.toString() + value(built).files().values()).doesNotContain("hush");
    }
}
