// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kinds that users define, as clients see them. */
class CustomResourcesTest {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String NAME = DEFINITIONS + "/crontabs.stable.example.com";
    private static final String TABS = "/apis/stable.example.com/v1/namespaces/default/crontabs";
    private static final String OLD_TABS = "/apis/stable.example.com/v1beta1/namespaces/default/crontabs";
    private static final String MERGE = "application/merge-patch+json";

    private static final String DEFINITION = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"crontabs.stable.example.com"},
             "spec":{"group":"stable.example.com","scope":"Namespaced",
              "names":{"plural":"crontabs","kind":"CronTab","shortNames":["ct"],"categories":["all"]},
              "versions":[
               {"name":"v1","served":true,"storage":true,
                "subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas",
                 "labelSelectorPath":".status.selector"}},
                "selectableFields":[{"jsonPath":".spec.image"}],
                "additionalPrinterColumns":[
                 {"name":"Schedule","type":"string","jsonPath":".spec.cronSpec"},
                 {"name":"Replicas","type":"integer","jsonPath":".spec.replicas","priority":1},
                 {"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type=='Ready')].status"}],
                "schema":{"openAPIV3Schema":{"type":"object","required":["spec"],"properties":{
                 "spec":{"type":"object","required":["cronSpec"],"properties":{
                  "cronSpec":{"type":"string","description":"When it runs."},"image":{"type":"string"},
                  "hosts":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
                  "replicas":{"type":"integer","minimum":1,"default":1}}},
                 "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}},
               {"name":"v1beta1","served":true,"storage":false,"deprecated":true,
                "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{
                 "cronSpec":{"type":"string"},"zone":{"type":"string","default":"here"}}}}}}}]}}""";

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new Random(1))));
    private final HttpClient http = HttpClient.newHttpClient();
    private ApiServer server;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        server = ApiServer.builder(store).plain().start();
        assertThat(send("POST", DEFINITIONS, DEFINITION).statusCode()).isEqualTo(201);
    }

    @AfterEach
    void stop() {
        server.close();
        store.close();
    }

    private HttpResponse<String> send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.url() + path)).method(method, BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private Document get(String path, String... headers) throws IOException, InterruptedException {
        return KubernetesJson.standard().read(send("GET", path, "", headers).body(), path);
    }

    private Document create(String path, String version, String name, String rest)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = send("POST", path, tab(version, name, rest));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return KubernetesJson.standard().read(answer.body(), path);
    }

    private static String tab(String version, String name, String rest) {
        return "{\"apiVersion\":\"stable.example.com/" + version + "\",\"kind\":\"CronTab\",\"metadata\":{\"name\":\""
                + name + "\"}," + rest + "}";
    }

    @Test
    void aDefinitionIsEstablishedAndItsObjectsAreServed() throws Exception {
        Document definition = get(NAME);
        assertThat(definition.objects("status", "conditions"))
                .extracting(each ->
                        each.text("type").orElse("") + "=" + each.text("status").orElse(""))
                .containsExactly("NamesAccepted=True", "Established=True");
        assertThat(definition.text("status", "acceptedNames", "listKind")).contains("CronTabList");
        assertThat(definition.at("status", "storedVersions")).contains(List.of("v1"));

        Document made = create(TABS, "v1", "a", "\"spec\":{\"cronSpec\":\"* *\",\"colour\":\"red\"},\"more\":1");
        assertThat(made.object("spec").orElseThrow()).hasToString("{\"cronSpec\":\"* *\",\"replicas\":1}");
        assertThat(made.at("more")).isEmpty();
        assertThat(made.at("metadata", "generation")).contains(1L);
        assertThat(get(TABS).text("kind")).contains("CronTabList");
        assertThat(get(TABS).objects("items")).hasSize(1);
    }

    @Test
    void whatTheSchemaForbidsIsRefusedWithItsField() throws Exception {
        HttpResponse<String> answer =
                send("POST", TABS, tab("v1", "a", "\"spec\":{\"replicas\":0,\"image\":5,\"hosts\":[\"a\",\"a\"]}"));
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(KubernetesJson.standard().read(answer.body(), "answer").objects("details", "causes"))
                .extracting(each -> each.text("field").orElse("") + ": "
                        + each.text("message").orElse(""))
                .containsExactlyInAnyOrder(
                        "spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1",
                        "spec.image: Invalid value: \"integer\": spec.image in body must be of type string: \"integer\"",
                        "spec.cronSpec: Required value",
                        "spec.hosts[1]: Duplicate value: \"a\"");
        assertThat(send(
                                "POST",
                                TABS + "?fieldValidation=Strict",
                                tab("v1", "a", "\"spec\":{\"cronSpec\":\"x\",\"colour\":1}"))
                        .body())
                .contains("unknown field \\\"spec.colour\\\"");
    }

    @Test
    void anObjectIsShownInEachServedVersionWithThatVersionsFieldsAndDefaults() throws Exception {
        create(TABS, "v1", "a", "\"spec\":{\"cronSpec\":\"x\",\"image\":\"i\"}");
        assertThat(get(OLD_TABS + "/a").text("apiVersion")).contains("stable.example.com/v1beta1");
        assertThat(get(OLD_TABS + "/a").object("spec").orElseThrow())
                .hasToString("{\"cronSpec\":\"x\",\"zone\":\"here\"}");
        HttpResponse<String> old = send("POST", OLD_TABS, tab("v1beta1", "b", "\"spec\":{}"));
        assertThat(old.statusCode()).isEqualTo(201);
        assertThat(old.headers().allValues("Warning"))
                .anyMatch(each -> each.contains("stable.example.com/v1beta1 CronTab is deprecated"));
        assertThat(get(TABS + "/b").object("spec").orElseThrow()).hasToString("{\"replicas\":1}");
        assertThat(get("/apis/stable.example.com").at("preferredVersion", "version"))
                .contains("v1");
    }

    @Test
    void statusAndScaleAreSubresources() throws Exception {
        create(TABS, "v1", "a", "\"spec\":{\"cronSpec\":\"x\"},\"status\":{\"replicas\":7}");
        assertThat(get(TABS + "/a").at("status")).isEmpty();
        assertThat(send(
                                "PATCH",
                                TABS + "/a/status",
                                "{\"spec\":{\"cronSpec\":\"y\"},\"status\":{\"replicas\":2,\"selector\":\"a=b\"}}",
                                "Content-Type",
                                MERGE)
                        .statusCode())
                .isEqualTo(200);
        Document scale = get(TABS + "/a/scale");
        assertThat(scale.object("spec").orElseThrow()).hasToString("{\"replicas\":1}");
        assertThat(scale.object("status").orElseThrow()).hasToString("{\"replicas\":2,\"selector\":\"a=b\"}");
        assertThat(send(
                                "PUT",
                                TABS + "/a/scale",
                                scale.with(4L, "spec", "replicas").toString())
                        .statusCode())
                .isEqualTo(200);
        assertThat(get(TABS + "/a").at("spec", "replicas")).contains(4L);
        assertThat(get(TABS + "/a").at("metadata", "generation")).contains(2L);
        assertThat(send(
                                "PUT",
                                TABS + "/a/scale",
                                scale.with(5L, "spec", "replicas").toString())
                        .statusCode())
                .isEqualTo(409);
        assertThat(send("PATCH", TABS + "/a/scale", "{\"spec\":{\"replicas\":0}}", "Content-Type", MERGE)
                        .statusCode())
                .isEqualTo(422);
    }

    @Test
    void patchesOfAllTypesButStrategicOnesWork() throws Exception {
        create(TABS, "v1", "a", "\"spec\":{\"cronSpec\":\"x\",\"hosts\":[\"a\"]}");
        assertThat(send("PATCH", TABS + "/a", "{\"spec\":{\"image\":\"i\"}}", "Content-Type", MERGE)
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(
                                "PATCH",
                                TABS + "/a",
                                "[{\"op\":\"replace\",\"path\":\"/spec/image\",\"value\":\"j\"}]",
                                "Content-Type",
                                "application/json-patch+json")
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<String> strategic =
                send("PATCH", TABS + "/a", "{}", "Content-Type", "application/strategic-merge-patch+json");
        assertThat(strategic.statusCode()).isEqualTo(415);
        assertThat(strategic.body()).contains("application/apply-patch+yaml").doesNotContain(", application/strategic");
        assertThat(send(
                                "PATCH",
                                TABS + "/a?fieldManager=m",
                                tab("v1", "a", "\"spec\":{\"hosts\":[\"b\"]}"),
                                "Content-Type",
                                "application/apply-patch+yaml")
                        .statusCode())
                .isEqualTo(200);
        // The list is a set: each manager owns its own elements.
        assertThat(get(TABS + "/a").at("spec", "hosts")).contains(List.of("a", "b"));
        assertThat(send(
                                "PATCH",
                                TABS + "/a?fieldManager=m",
                                tab("v1", "a", "\"spec\":{\"nothing\":1}"),
                                "Content-Type",
                                "application/apply-patch+yaml")
                        .body())
                .contains("field not declared in schema");
    }

    @Test
    void objectsAreShownInTheColumnsOfTheDefinition() throws Exception {
        create(TABS, "v1", "a", "\"spec\":{\"cronSpec\":\"* *\"}");
        send(
                "PATCH",
                TABS + "/a/status",
                "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}",
                "Content-Type",
                MERGE);
        Document table = get(TABS, "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
        assertThat(table.objects("columnDefinitions"))
                .extracting(each ->
                        each.text("name").orElse("") + " " + each.at("priority").orElse(""))
                .containsExactly("Name 0", "Schedule 0", "Replicas 1", "Ready 0");
        assertThat(table.objects("rows").get(0).at("cells")).contains(List.of("a", "* *", 1L, "True"));
    }

    @Test
    void objectsAreSelectedByTheFieldsOfTheDefinition() throws Exception {
        create(TABS, "v1", "a", "\"spec\":{\"cronSpec\":\"x\",\"image\":\"i\"}");
        create(TABS, "v1", "b", "\"spec\":{\"cronSpec\":\"x\",\"image\":\"j\"}");
        assertThat(get(TABS + "?fieldSelector=spec.image%3Dj").objects("items"))
                .extracting(each -> each.text("metadata", "name").orElse(""))
                .containsExactly("b");
        assertThat(send("GET", TABS + "?fieldSelector=spec.cronSpec%3Dx", "").statusCode())
                .isEqualTo(400);
    }

    @Test
    void discoveryAndOpenApiTellOfTheKind() throws Exception {
        assertThat(get("/apis/stable.example.com/v1").objects("resources"))
                .extracting(each -> each.text("name").orElse(""))
                .containsExactly("crontabs", "crontabs/status", "crontabs/scale");
        assertThat(get("/apis/stable.example.com/v1")
                        .objects("resources")
                        .get(0)
                        .at("shortNames"))
                .contains(List.of("ct"));
        Document v3 = get("/openapi/v3/apis/stable.example.com/v1");
        assertThat(v3.at(
                        "components",
                        "schemas",
                        "com.example.stable.v1.CronTab",
                        "properties",
                        "spec",
                        "properties",
                        "cronSpec",
                        "description"))
                .contains("When it runs.");
        assertThat(get("/openapi/v2").at("definitions", "com.example.stable.v1beta1.CronTab"))
                .isPresent();
        assertThat(get("/openapi/v3").at("paths", "apis/stable.example.com/v1beta1"))
                .isPresent();
    }

    @Test
    void aDefinitionGoesAfterItsObjectsAndItsKindIsNoLongerServed() throws Exception {
        create(TABS, "v1", "a", "\"spec\":{\"cronSpec\":\"x\"}");
        send("PATCH", TABS + "/a", "{\"metadata\":{\"finalizers\":[\"example.com/wait\"]}}", "Content-Type", MERGE);
        create(TABS, "v1", "b", "\"spec\":{\"cronSpec\":\"x\"}");

        assertThat(send("DELETE", NAME, "").statusCode()).isEqualTo(200);
        assertThat(get(TABS).objects("items"))
                .extracting(each -> each.text("metadata", "name").orElse(""))
                .containsExactly("a");
        assertThat(get(NAME).objects("status", "conditions"))
                .extracting(each -> each.text("type").orElse(""))
                .contains("Terminating");
        assertThat(send("POST", TABS, tab("v1", "c", "\"spec\":{\"cronSpec\":\"x\"}"))
                        .statusCode())
                .isEqualTo(405);

        send("PATCH", TABS + "/a", "{\"metadata\":{\"finalizers\":null}}", "Content-Type", MERGE);
        assertThat(send("GET", NAME, "").statusCode()).isEqualTo(404);
        assertThat(send("GET", TABS, "").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/apis/stable.example.com", "").statusCode()).isEqualTo(404);

        // The same name starts again, without the old objects.
        assertThat(send("POST", DEFINITIONS, DEFINITION).statusCode()).isEqualTo(201);
        assertThat(get(TABS).objects("items")).isEmpty();
    }

    @Test
    void aNameThatIsTakenWaitsUntilItIsFree() throws Exception {
        String second = DEFINITION
                .replace("crontabs.stable", "tabs.stable")
                .replace("\"plural\":\"crontabs\"", "\"plural\":\"tabs\"");
        assertThat(send("POST", DEFINITIONS, second).statusCode()).isEqualTo(201);
        Document waiting = get(DEFINITIONS + "/tabs.stable.example.com");
        assertThat(waiting.objects("status", "conditions"))
                .extracting(each ->
                        each.text("type").orElse("") + "=" + each.text("status").orElse("") + " "
                                + each.text("message").orElse(""))
                .contains(
                        "NamesAccepted=False \"CronTabList\" is already in use",
                        "Established=False not all names are accepted");
        assertThat(send("GET", "/apis/stable.example.com/v1/namespaces/default/tabs", "")
                        .statusCode())
                .isEqualTo(404);
        send("DELETE", NAME, "");
        assertThat(send("GET", "/apis/stable.example.com/v1/namespaces/default/tabs", "")
                        .statusCode())
                .isEqualTo(200);
    }

    private static String ruled(String group, String rule) {
        return DEFINITION
                .replace("stable.example.com", group)
                .replace("\"minimum\":1,", "\"x-kubernetes-validations\":[{\"rule\":\"" + rule + "\"}],");
    }

    @Test
    void rulesInCelAreJudged() throws Exception {
        HttpResponse<String> answer = send(
                "POST",
                DEFINITIONS,
                ruled("ruled.example.com", "self <= 10\"},{\"rule\":\"self >= oldSelf\",\"message\":\"only upwards"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(answer.headers().allValues("Warning")).isEmpty();

        String tabs = "/apis/ruled.example.com/v1/namespaces/default/crontabs";
        String tab =
                tab("v1", "a", "\"spec\":{\"cronSpec\":\"x\",\"replicas\":5}").replace("stable.", "ruled.");
        assertThat(send("POST", tabs, tab.replace(":5}", ":11}")).body())
                .contains("spec.replicas: Invalid value: \\\"integer\\\": failed rule: self <= 10");
        assertThat(send("POST", tabs, tab).statusCode()).isEqualTo(201);
        String patch = "{\"spec\":{\"replicas\":%s}}";
        assertThat(send("PATCH", tabs + "/a", String.format(patch, 6), "Content-Type", MERGE)
                        .statusCode())
                .isEqualTo(200);
        assertThat(send("PATCH", tabs + "/a", String.format(patch, 3), "Content-Type", MERGE)
                        .body())
                .contains("spec.replicas: Invalid value: \\\"integer\\\": only upwards");
        assertThat(send("PATCH", tabs + "/a/scale", String.format(patch, 99), "Content-Type", MERGE)
                        .statusCode())
                .isEqualTo(422);
    }

    @Test
    void rulesInCelThatAreNotJudgedAreNamedInAWarning() throws Exception {
        HttpResponse<String> answer =
                send("POST", DEFINITIONS, ruled("unjudged.example.com", "quantity(string(self)).isInteger()"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(answer.headers().allValues("Warning"))
                .anyMatch(each -> each.contains("does not judge x-kubernetes-validations: spec.replicas:"
                        + " quantity(string(self)).isInteger() (undeclared reference to 'quantity'"));
    }

    @Test
    void whatIsNoRuleInCelIsRefused() throws Exception {
        HttpResponse<String> answer = send("POST", DEFINITIONS, ruled("wrong.example.com", "self <= "));
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body())
                .contains("properties[replicas].x-kubernetes-validations[0].rule")
                .contains("compilation failed: Syntax error");
    }

    @Test
    void wrongDefinitionsAreRefusedWithTheField() throws Exception {
        HttpResponse<String> webhook = send(
                "POST",
                DEFINITIONS,
                DEFINITION
                        .replace("stable.example.com", "other.example.com")
                        .replace(
                                "\"scope\"",
                                "\"conversion\":{\"strategy\":\"Webhook\",\"webhook\":{\"conversionReviewVersions\":[\"v1\"]}},\"scope\""));
        assertThat(webhook.statusCode()).isEqualTo(422);
        assertThat(webhook.body())
                .contains("\"field\":\"spec.conversion.strategy\"")
                .contains("calls no webhooks");
        HttpResponse<String> two = send(
                "POST",
                DEFINITIONS,
                DEFINITION
                        .replace("stable.example.com", "other.example.com")
                        .replace("\"storage\":false", "\"storage\":true"));
        assertThat(two.body()).contains("must have exactly one version marked as storage version");
        HttpResponse<String> scope = send("PATCH", NAME, "{\"spec\":{\"scope\":\"Cluster\"}}", "Content-Type", MERGE);
        assertThat(scope.statusCode()).isEqualTo(422);
        assertThat(scope.body()).contains("spec.scope: Invalid value").contains("field is immutable");
    }

    @Test
    void aDryRunDefinesNothing() throws Exception {
        String dry = DEFINITION.replace("stable.example.com", "dry.example.com");
        assertThat(send("POST", DEFINITIONS + "?dryRun=All", dry).statusCode()).isEqualTo(201);
        assertThat(send("GET", "/apis/dry.example.com", "").statusCode()).isEqualTo(404);
    }

    @Test
    void aGroupThatBeginsAsOneOfKubernetesIsAnotherGroup() throws Exception {
        String storage = DEFINITION
                .replace("crontabs.stable.example.com", "storageclasses.storage.example.com")
                .replace("stable.example.com", "storage.example.com")
                .replace(
                        "\"plural\":\"crontabs\",\"kind\":\"CronTab\"",
                        "\"plural\":\"storageclasses\",\"kind\":\"StorageClass\"");
        assertThat(send("POST", DEFINITIONS, storage).statusCode()).isEqualTo(201);
        String path = "/apis/storage.example.com/v1/namespaces/default/storageclasses";
        HttpResponse<String> answer = send(
                "POST",
                path,
                "{\"apiVersion\":\"storage.example.com/v1\",\"kind\":\"StorageClass\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"cronSpec\":\"x\"}}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(answer.body()).doesNotContain("reclaimPolicy").doesNotContain("provisioner");
    }
}
