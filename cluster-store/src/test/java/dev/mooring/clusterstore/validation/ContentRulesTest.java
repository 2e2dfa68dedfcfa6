// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static dev.mooring.clusterstore.validation.Rows.POD;
import static dev.mooring.clusterstore.validation.Rows.row;

import dev.mooring.clusterstore.validation.Rows.Row;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One row per rule about the volumes that show objects to a pod, and about the names of its containers. */
class ContentRulesTest {
    private static final Map<String, Object> REQUEST = Map.of("requests", Map.of("storage", "1Gi"));

    private static final Map<String, Object> NAME = Map.of("fieldPath", "metadata.name");
    private static final Map<String, Object> MEMORY = Map.of("containerName", "c", "resource", "limits.memory");

    static Stream<Named<Row>> pods() {
        String at = "spec.volumes[0]";
        return Stream.of(
                shown("a config without a name", "configMap", Map.of(), at + ".configMap.name: Required value"),
                shown("a secret without a name", "secret", Map.of(), at + ".secret.secretName: Required value"),
                shown(
                        "more bits than a mode has",
                        "secret",
                        Map.of("secretName", "s", "defaultMode", 512),
                        at + ".secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal)"),
                shown(
                        "no key",
                        "configMap",
                        items(Map.of("path", "a")),
                        at + ".configMap.items[0].key: Required value"),
                shown(
                        "a file outside",
                        "configMap",
                        items(Map.of("key", "k", "path", "a/../../b")),
                        at + ".configMap.items[0].path: Invalid value: \"a/../../b\": must not contain '..'"),
                shown(
                        "a file at the root of the machine",
                        "configMap",
                        items(Map.of("key", "k", "path", "/b")),
                        at + ".configMap.items[0].path: Invalid value: \"/b\": must be a relative path"),
                shown(
                        "a file of the writer's own",
                        "configMap",
                        items(Map.of("key", "k", "path", "..data")),
                        at + ".configMap.items[0].path: Invalid value: \"..data\": must not start with '..'"),
                shown(
                        "a field at no path",
                        "downwardAPI",
                        Map.of("items", List.of(Map.of("fieldRef", NAME))),
                        at + ".downwardAPI.items[0].path: Required value"),
                shown(
                        "a token for five minutes",
                        "projected",
                        projected(Map.of("serviceAccountToken", Map.of("path", "t", "expirationSeconds", 300))),
                        at
                                + ".projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 300: may not"),
                shown(
                        "a token at no path",
                        "projected",
                        projected(Map.of("serviceAccountToken", Map.of())),
                        at + ".projected.sources[0].serviceAccountToken.path: Required value"),
                shown(
                        "two objects in one source",
                        "projected",
                        projected(Map.of("secret", Map.of("name", "s"), "configMap", Map.of("name", "c"))),
                        at + ".projected.sources[0]: Forbidden: may not specify more than 1 volume type per source"),
                shown(
                        "one file of two objects",
                        "projected",
                        projected(
                                Map.of("configMap", items(Map.of("key", "k", "path", "a"))),
                                Map.of(
                                        "secret",
                                        Map.of("name", "s", "items", List.of(Map.of("key", "k", "path", "a"))))),
                        at + ".projected: Invalid value: \"s\": conflicting duplicate paths"),
                shown(
                        "one file of an object and of the pod",
                        "projected",
                        projected(
                                Map.of("configMap", items(Map.of("key", "k", "path", "a"))),
                                Map.of("downwardAPI", Map.of("items", List.of(Map.of("path", "a", "fieldRef", NAME))))),
                        at + ".projected: Invalid value: \"a\": conflicting duplicate paths"),
                shown(
                        "one file of an object and of a certificate's key",
                        "projected",
                        projected(
                                Map.of("configMap", items(Map.of("key", "k", "path", "a"))),
                                Map.of("podCertificate", Map.of("keyPath", "a", "certificateChainPath", "b"))),
                        at + ".projected: Invalid value: \"a\": conflicting duplicate paths"),
                shown(
                        "a key and its certificates in one file",
                        "projected",
                        projected(Map.of("podCertificate", Map.of("keyPath", "a", "certificateChainPath", "a"))),
                        at + ".projected: Invalid value: \"a\": conflicting duplicate paths"),
                shown(
                        "a file of nothing",
                        "downwardAPI",
                        Map.of("items", List.of(Map.of("path", "a"))),
                        at + ".downwardAPI.items[0]: Required value: one of fieldRef and resourceFieldRef is required"),
                shown(
                        "a file of a field and of an amount",
                        "downwardAPI",
                        Map.of("items", List.of(Map.of("path", "a", "fieldRef", NAME, "resourceFieldRef", MEMORY))),
                        at
                                + ".downwardAPI.items[0]: Invalid value: \"resource\": fieldRef and resourceFieldRef can not"),
                shown(
                        "a file of a field without a path",
                        "projected",
                        projected(Map.of(
                                "downwardAPI", Map.of("items", List.of(Map.of("path", "a", "fieldRef", Map.of()))))),
                        at + ".projected.sources[0].downwardAPI.items[0].fieldRef.fieldPath: Required value"),
                shown(
                        "an amount of no container",
                        "downwardAPI",
                        Map.of(
                                "items",
                                List.of(Map.of("path", "a", "resourceFieldRef", Map.of("resource", "limits.cpu")))),
                        at + ".downwardAPI.items[0].resourceFieldRef.containerName: Required value"),
                shown(
                        "less than nothing",
                        "emptyDir",
                        Map.of("sizeLimit", "-1"),
                        at + ".emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity"),
                shown(
                        "a claim of its own with an odd mode",
                        "ephemeral",
                        template(Map.of(), Map.of("accessModes", List.of("Odd"), "resources", REQUEST)),
                        at + ".ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: \"Odd\""),
                shown(
                        "a claim of its own without a size",
                        "ephemeral",
                        template(Map.of(), Map.of("accessModes", List.of("ReadWriteOnce"))),
                        at + ".ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value"),
                shown(
                        "a claim of its own with a name",
                        "ephemeral",
                        template(
                                Map.of("name", "mine"),
                                Map.of("accessModes", List.of("ReadWriteOnce"), "resources", REQUEST)),
                        at + ".ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set for an ephemeral"),
                row(
                        "a claim of its own with too long a name",
                        Kinds.POD,
                        POD.with("p".repeat(253), "metadata", "name")
                                .with(
                                        List.of(Map.of(
                                                "name",
                                                "v",
                                                "ephemeral",
                                                template(
                                                        Map.of(),
                                                        Map.of(
                                                                "accessModes",
                                                                List.of("ReadWriteOnce"),
                                                                "resources",
                                                                REQUEST)))),
                                        "spec",
                                        "volumes"),
                        "spec.volumes[0].name: Invalid value: \"v\": PVC name"),
                row(
                        "a group below zero",
                        Kinds.POD,
                        POD.with(-1L, "spec", "securityContext", "fsGroup"),
                        "spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive"),
                row(
                        "an odd way to change groups",
                        Kinds.POD,
                        POD.with("Odd", "spec", "securityContext", "fsGroupChangePolicy"),
                        "spec.securityContext.fsGroupChangePolicy: Unsupported value: \"Odd\""),
                row(
                        "an odd way to start again",
                        Kinds.POD,
                        POD.with("Odd", "spec", "restartPolicy"),
                        "spec.restartPolicy: Unsupported value: \"Odd\""),
                row(
                        "two containers of one name",
                        Kinds.POD,
                        POD.with(List.of(Map.of("name", "c"), Map.of("name", "c")), "spec", "containers"),
                        "spec.containers[1].name: Duplicate value: \"c\""),
                row(
                        "a container with an odd name",
                        Kinds.POD,
                        POD.with(List.of(Map.of("name", "C_1")), "spec", "containers"),
                        "spec.containers[0].name: Invalid value: \"C_1\""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pods")
    void aPodIsRefused(Row row) {
        row.isRefusedWhenNew();
    }

    private static Map<String, Object> items(Map<String, String> item) {
        return Map.of("name", "c", "items", List.of(item));
    }

    private static Map<String, Object> template(Map<String, Object> metadata, Map<String, Object> spec) {
        return Map.of("volumeClaimTemplate", Map.of("metadata", metadata, "spec", spec));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    private static Map<String, Object> projected(Map<String, Object>... sources) {
        return Map.of("sources", List.of(sources));
    }

    private static Named<Row> shown(String name, String type, Map<String, Object> source, String refusal) {
        return row(name, Kinds.POD, POD.with(List.of(Map.of("name", "v", type, source)), "spec", "volumes"), refusal);
    }
}
