// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.apiserver.resource.Resources;
import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Parameters;
import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.object.ServedStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server-side apply as clients ask for it, and how other writes are put down. */
class ApplyingTest {
    private static final String MAPS = "api/v1/namespaces/default/configmaps";
    private static final String MAP = MAPS + "/m";
    private static final String CLAIM = "api/v1/namespaces/default/persistentvolumeclaims/c";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final String MERGE = "application/merge-patch+json";
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00.9Z"));

    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), CLOCK, IdSource.random(new Random(1))));
    private final Verbs verbs = new Verbs(new ServedStore(store), CLOCK);
    private final Resources resources = Resources.of(store.kinds());

    @BeforeEach
    void makeNamespace() {
        store.createDocument(Kinds.NAMESPACE, json("{'metadata':{'name':'default'}}"))
                .orThrow();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Document json(String text) {
        return KubernetesJson.standard().read(text.replace('\'', '"'), "a test");
    }

    private static String map(String rest) {
        return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'}" + rest + "}";
    }

    /** An answer: its code and its body. */
    private record Reply(int code, Document body) {
        List<String> managers() {
            List<String> shown = new ArrayList<>();
            for (Object each : (List<?>) body.at("metadata", "managedFields").orElse(List.of())) {
                Map<?, ?> entry = (Map<?, ?>) each;
                shown.add(entry.get("manager") + " " + entry.get("operation") + " " + entry.get("fieldsV1"));
            }
            return shown;
        }
    }

    private Reply send(String method, String path, String type, String parameters, String body) {
        List<String> parts = List.of(path.split("/", -1));
        Map<String, List<String>> query = new LinkedHashMap<>();
        for (String each : parameters.split("&", -1)) {
            if (!each.isEmpty()) {
                String[] pair = each.split("=", 2);
                query.put(pair[0], List.of(pair[1]));
            }
        }
        ApiRequest request =
                new ApiRequest(method, parts, query, "", type, "tool/1.0 (linux)", body.replace('\'', '"'));
        Parameters.require(request);
        Answer answer =
                verbs.perform(request, RequestTarget.of(resources, parts).orElseThrow());
        return new Reply(
                answer.status(),
                KubernetesJson.standard()
                        .read(StandardCharsets.UTF_8.decode(answer.body()).toString(), "an answer"));
    }

    private Reply apply(String manager, String body) {
        return send("PATCH", MAP, APPLY, "fieldManager=" + manager, body);
    }

    private String version() {
        return store.getDocument(Kinds.CONFIG_MAP, ObjectKey.of("default", "m"))
                .orThrow()
                .text("metadata", "resourceVersion")
                .orElseThrow();
    }

    @Test
    void whatIsNotThereIsCreatedAndWhatIsThereIsMerged() {
        Reply created = apply("one", map(",'data':{'k':'1'}"));
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.managers()).containsExactly("one Apply {f:data={f:k={}}}");
        Reply merged = apply("two", map(",'data':{'l':'2'}"));
        assertThat(merged.code()).isEqualTo(200);
        assertThat(merged.body().at("data")).contains(Map.of("k", "1", "l", "2"));
        assertThat(merged.body().at("metadata", "managedFields").orElseThrow().toString())
                .contains("time=2026-01-01T00:00:00Z")
                .contains("apiVersion=v1")
                .contains("fieldsType=FieldsV1");
    }

    @Test
    void whatChangesNothingIsNotWritten() {
        apply("one", map(",'data':{'k':'1'}"));
        String before = version();
        assertThat(apply("one", map(",'data':{'k':'1'}")).code()).isEqualTo(200);
        assertThat(version()).isEqualTo(before);
    }

    @Test
    void aRehearsalWritesNothing() {
        Reply rehearsed = send("PATCH", MAP, APPLY, "fieldManager=one&dryRun=All", map(",'data':{'k':'1'}"));
        assertThat(rehearsed.code()).isEqualTo(201);
        assertThat(rehearsed.managers()).hasSize(1);
        assertThat(store.getDocument(Kinds.CONFIG_MAP, ObjectKey.of("default", "m"))
                        .value())
                .isEmpty();
    }

    @Test
    void aConflictNamesFieldsAndManagers() {
        apply("one", map(",'data':{'k':'1'}"));
        send("PATCH", MAP, MERGE, "fieldManager=two", "{'data':{'l':'1'}}");
        assertThatExceptionOfType(RestFailure.class)
                .isThrownBy(() -> apply("three", map(",'data':{'k':'3','l':'3'}")))
                .withMessage("Apply failed with 2 conflicts: conflicts with \"one\":\n- .data.k\n"
                        + "conflicts with \"two\" using v1:\n- .data.l")
                .satisfies(refused -> {
                    assertThat(refused.code()).isEqualTo(409);
                    assertThat(refused.status().text("reason")).contains("Conflict");
                    assertThat(refused.status().at("details", "causes"))
                            .contains(List.of(
                                    Map.of(
                                            "reason",
                                            "FieldManagerConflict",
                                            "message",
                                            "conflict with \"one\"",
                                            "field",
                                            ".data.k"),
                                    Map.of(
                                            "reason",
                                            "FieldManagerConflict",
                                            "message",
                                            "conflict with \"two\" using v1",
                                            "field",
                                            ".data.l")));
                });
        Reply forced = send("PATCH", MAP, APPLY, "fieldManager=three&force=true", map(",'data':{'k':'3','l':'3'}"));
        assertThat(forced.managers()).containsExactly("three Apply {f:data={f:k={}, f:l={}}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "x=y | `{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'}}` | 422"
                        + " | PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply patch",
                "fieldManager=a | `{'apiVersion':'v2','kind':'ConfigMap','metadata':{'name':'m'}}` | 400"
                        + " | Incorrect version specified in apply patch. Specified patch version: v2, expected: v1",
                "fieldManager=a | `{'kind':'ConfigMap','metadata':{'name':'m'}}` | 400 | Specified patch version: , expected: v1",
                "fieldManager=a | `{'apiVersion':'v1','kind':'Secret','metadata':{'name':'m'}}` | 400 | Specified patch kind: Secret, expected: ConfigMap",
                "fieldManager=a | `{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m','managedFields':[]}}` | 400"
                        + " | metadata.managedFields must be nil",
                "fieldManager=a | `{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'x'}}` | 400 | does not match the name on the URL",
                "fieldManager=a | `{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m','namespace':'x'}}` | 400 | namespace",
                "fieldManager=a | `{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'},'datum':{}}` | 400"
                        + " | failed to create typed patch object (default/m; /v1, Kind=ConfigMap): .datum: field not declared in schema",
                "fieldManager=a | `{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'},'data':{'k':5}}` | 400"
                        + " | failed to create typed patch object (default/m; /v1, Kind=ConfigMap): .data.k: must be a string",
                "fieldManager=a | `[1]` | 400 | error decoding YAML",
                "fieldManager=a | `{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m','resourceVersion':'1'},'data':{'k':'9'}}` | 409"
                        + " | the object has been modified",
            })
    void whatCannotBeAppliedIsRefused(String parameters, String body, int code, String message) {
        apply("a", map(",'data':{'k':'1'}"));
        assertThatExceptionOfType(RestFailure.class)
                .isThrownBy(() -> send("PATCH", MAP, APPLY, parameters, body))
                .withMessageContaining(message)
                .satisfies(refused -> assertThat(refused.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "129 | Too long: may not be more than 128 bytes",
                "1 | Invalid value: \"\\x01\": invalid character U+0001 (at position 0)"
            })
    void anImpossibleManagerIsRefusedEverywhere(int length, String message) {
        String name = length == 1 ? "\u0001" : "x".repeat(length);
        for (String method : List.of("POST", "PATCH")) {
            assertThatExceptionOfType(RestFailure.class)
                    .isThrownBy(() -> send(
                            method,
                            method.equals("POST") ? MAPS : MAP,
                            method.equals("POST") ? "" : MERGE,
                            "fieldManager=" + name,
                            map("")))
                    .withMessageContaining("fieldManager: " + message)
                    .satisfies(refused -> assertThat(refused.code()).isEqualTo(422));
        }
    }

    @Test
    void everyWriteNamesItsManagerByParameterOrClient() {
        Reply created = send("POST", MAPS, "", "", map(",'data':{'k':'1'}"));
        assertThat(created.managers()).containsExactly("tool Update {f:data={.={}, f:k={}}}");
        Reply patched = send("PATCH", MAP, MERGE, "fieldManager=other", "{'data':{'k':'2','l':null}}");
        assertThat(patched.managers()).containsExactly("other Update {f:data={f:k={}}}", "tool Update {f:data={}}");
        Reply replaced = send("PUT", MAP, "", "fieldManager=third", map(",'data':{'m':'1'}"));
        assertThat(replaced.managers()).contains("third Update {f:data={f:m={}}}");
    }

    @Test
    void aListThatIsEmptiedForgetsAllManagersUntilTheNextApply() {
        apply("one", map(",'data':{'k':'1'}"));
        for (String reset : List.of("[{}]", "[]")) {
            Reply forgotten =
                    send("PATCH", MAP, MERGE, "fieldManager=two", "{'metadata':{'managedFields':" + reset + "}}");
            assertThat(forgotten.body().at("metadata", "managedFields")).isEmpty();
            Reply changed = send("PATCH", MAP, MERGE, "fieldManager=two", "{'data':{'l':'" + reset.length() + "'}}");
            assertThat(changed.body().at("metadata", "managedFields")).isEmpty();
            assertThat(apply("one", map(",'data':{'k':'1'}")).managers())
                    .containsExactly(
                            "one Apply {f:data={f:k={}}}", "before-first-apply Update {f:data={.={}, f:k={}, f:l={}}}");
        }
    }

    @Test
    void theStatusHasItsOwnEntries() {
        String claim = "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'c'}";
        send(
                "PATCH",
                CLAIM,
                APPLY,
                "fieldManager=one",
                claim + ",'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}},"
                        + "'status':{'phase':'Lost'}}");
        Reply both = send("PATCH", CLAIM + "/status", APPLY, "fieldManager=one", claim + ",'status':{'phase':'Lost'}}");
        assertThat(both.managers())
                .containsExactlyInAnyOrder(
                        "one Apply {f:spec={f:accessModes={}, f:resources={f:requests={f:storage={}}}}}",
                        "one Apply {f:status={f:phase={}}}");
        assertThat(both.body().at("metadata", "managedFields").orElseThrow().toString())
                .contains("subresource=status");
        assertThat(both.body().at("status", "phase")).contains("Lost");
    }

    @Test
    void kubectlTakesOverWhatItAppliedByItself() {
        String last = "{\\'apiVersion\\':\\'v1\\',\\'kind\\':\\'ConfigMap\\',\\'metadata\\':{\\'name\\':\\'m\\'},"
                + "\\'data\\':{\\'k\\':\\'1\\',\\'l\\':\\'1\\'}}";
        send(
                "POST",
                MAPS,
                "",
                "fieldManager=kubectl-client-side-apply",
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m','annotations':{"
                        + "'kubectl.kubernetes.io/last-applied-configuration':'" + last
                        + "'}},'data':{'k':'1','l':'1'}}");
        Reply taken = apply("kubectl", map(",'data':{'k':'2'}"));
        assertThat(taken.managers().get(0)).isEqualTo("kubectl Apply {f:data={f:k={}}}");
        assertThat(taken.body().text("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"))
                .contains(
                        "{\"apiVersion\":\"v1\",\"data\":{\"k\":\"2\"},\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"}}\n");
        send("PATCH", MAP, MERGE, "fieldManager=other", "{'data':{'k':'3'}}");
        assertThatExceptionOfType(RestFailure.class)
                .isThrownBy(() -> apply("kubectl", map(",'data':{'k':'4'}")))
                .withMessage("Apply failed with 1 conflict: conflict with \"other\" using v1: .data.k");
        assertThatExceptionOfType(RestFailure.class)
                .isThrownBy(() -> apply("another", map(",'data':{'l':'4'}")))
                .withMessageContaining("conflict with \"kubectl-client-side-apply\" using v1: .data.l");
    }

    @Test
    void controllersAreNamedOnlyInWhatClientsMade() {
        apply("one", map(",'data':{'k':'1'}"));
        ObjectKey key = ObjectKey.of("default", "m");
        Document changed = store.as("controllers")
                .patchDocument(Kinds.CONFIG_MAP, key, "", json("{'data':{'k':'2'}}"))
                .orThrow();
        assertThat(changed.at("metadata", "managedFields").orElseThrow().toString())
                .contains("manager=mooring-controllers")
                .doesNotContain("manager=one");
        Document own = store.createDocument(
                        Kinds.CONFIG_MAP, json("{'metadata':{'name':'own','namespace':'default'},'data':{'a':'b'}}"))
                .orThrow();
        assertThat(own.at("metadata", "managedFields")).isEmpty();
    }
}
