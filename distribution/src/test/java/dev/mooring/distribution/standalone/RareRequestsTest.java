// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.RawClient.Reply;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What kubectl does not send, but other clients do; expected is what kube-apiserver 1.20 was seen to answer. */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
class RareRequestsTest {
    private static final String YAML = "application/yaml";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String ELSEWHERE = "/api/v1/namespaces/kube-public/configmaps";
    private static final String STORAGE = "/apis/storage.k8s.io/v1/";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // started before the tests
    private Standalone server;

    @SuppressWarnings("NullAway.Init") // made before the tests
    private RawClient client;

    @BeforeAll
    void start() throws Exception {
        server = Standalone.start(StandaloneServers.options(directory.resolve("data")), List.of());
        client = new RawClient(directory.resolve("data/kubeconfig"));
        for (String name : List.of("one", "two")) {
            assertThat(client.post(MAPS, "{'metadata':{'name':'" + name + "'},'data':{'a':'line\\nline'}}")
                            .status())
                    .isEqualTo(201);
        }
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** Programs know by the causes which of their parameters is wrong. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET    | ?resourceVersionMatch=Exact     | ListOptions   | resourceVersionMatch | FieldValueForbidden",
                "GET    | ?sendInitialEvents=true         | ListOptions   | sendInitialEvents    | FieldValueForbidden",
                "POST   | ?dryRun=Some                    | CreateOptions | dryRun               | FieldValueNotSupported",
                "POST   | ?fieldValidation=Some           | CreateOptions | fieldValidation      | FieldValueNotSupported",
                "PUT    | /one?dryRun=Some                | UpdateOptions | dryRun               | FieldValueNotSupported",
                "DELETE | /one?dryRun=Some                | DeleteOptions | dryRun               | FieldValueNotSupported",
                "DELETE | /one?propagationPolicy=Some     | DeleteOptions | propagationPolicy    | FieldValueNotSupported",
                "DELETE | /one?propagationPolicy=Orphan&orphanDependents=true | DeleteOptions | propagationPolicy | FieldValueInvalid",
            })
    void whatIsWrongWithTheOptionsIsToldByACause(String method, String path, String kind, String field, String reason)
            throws Exception {
        boolean empty = method.equals("GET") || method.equals("DELETE");
        Reply reply = client.request(
                method, MAPS + path, "application/json", empty ? "" : "{\"metadata\":{\"name\":\"one\"}}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.text())
                .contains(
                        kind + ".meta.k8s.io \\\"\\\" is invalid: " + field + ": ",
                        "\"group\":\"meta.k8s.io\",\"kind\":\"" + kind + "\"",
                        "\"reason\":\"" + reason + "\"",
                        "\"field\":\"" + field + "\"");
    }

    @Test
    void aTokenThatWouldBeTooShortIsRefusedByACause() throws Exception {
        Reply reply = client.post(
                "/api/v1/namespaces/default/serviceaccounts/default/token", "{'spec':{'expirationSeconds':5}}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.text()).contains("\"reason\":\"FieldValueInvalid\"", "\"field\":\"spec.expirationSeconds\"");
    }

    @Test
    void aNamespaceThatStaysIsNamed() throws Exception {
        assertThat(client.request("DELETE", "/api/v1/namespaces/default", "", "")
                        .text())
                .contains("\"details\":{\"name\":\"default\",\"kind\":\"namespaces\"}");
    }

    @Test
    void aLimitBelowZeroIsNone() throws Exception {
        Reply reply = client.get(MAPS + "?limit=-1");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.text()).contains("\"one\"", "\"two\"").doesNotContain("\"continue\"");
    }

    @Test
    void aPageThatFollowsMayNameRevisionZero() throws Exception {
        String first = client.get(MAPS + "?limit=1").text();
        String token = first.replaceAll("(?s).*\"continue\":\"([^\"]+)\".*", "$1");
        String next = MAPS + "?limit=1&continue=" + token + "&resourceVersion=";
        assertThat(client.get(next + "0").text()).contains("\"two\"");
        assertThat(client.get(next + "1").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/watch/configmaps?timeoutSeconds=1",
                "/api/v1/watch/namespaces/default/configmaps?timeoutSeconds=1",
                "/api/v1/watch/namespaces/default/configmaps/one?timeoutSeconds=1&watch=false"
            })
    void theOldPathsOfWatchesAreServed(String path) throws Exception {
        Reply reply = client.get(path);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.text()).contains("\"type\":\"ADDED\"", "\"one\"").endsWith("\r\n0\r\n\r\n");
        assertThat(reply.text().contains("\"two\"")).isNotEqualTo(path.contains("/one"));
    }

    @Test
    void theOldPathsOfWatchesAreServedInGroups() throws Exception {
        assertThat(client.get("/apis/storage.k8s.io/v1/watch/storageclasses?timeoutSeconds=1")
                        .status())
                .isEqualTo(200);
        assertThat(client.get("/api/v1/watch/nodes/here?timeoutSeconds=1").text())
                .contains("\"type\":\"ADDED\"", "\"here\"");
    }

    @Test
    void leasesAndEventsAreMadeByUpdates() throws Exception {
        String lease =
                "{\"metadata\":{\"name\":\"mine\",\"resourceVersion\":\"5\"},\"spec\":{\"holderIdentity\":\"me\"}}";
        Reply made = client.request("PUT", LEASES + "/mine", "application/json", lease);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String event = "{\"metadata\":{\"name\":\"it\"},\"involvedObject\":{\"namespace\":\"default\"}}";
        assertThat(client.request("PUT", "/api/v1/namespaces/default/events/it", "application/json", event)
                        .status())
                .isEqualTo(201);
    }

    /** Of which Kubernetes does not allow unconditional updates. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                LEASES + " | {} | leases.coordination.k8s.io",
                STORAGE + "csinodes | {'drivers':[]} | csinodes.storage.k8s.io",
                STORAGE + "csidrivers | {} | csidrivers.storage.k8s.io",
                STORAGE
                        + "volumeattachments | {'attacher':'a','nodeName':'n','source':{'persistentVolumeName':'v'}} | volumeattachments.storage.k8s.io",
                STORAGE
                        + "namespaces/default/csistoragecapacities | {},'storageClassName':'s' | csistoragecapacities.storage.k8s.io"
            })
    void whoReplacesWhatSeveralWriteSaysWhichVersionHeSaw(String collection, String spec, String resource)
            throws Exception {
        String body = "{'metadata':{'name':'versioned'},'spec':" + spec + "}";
        Reply made = client.post(collection, body);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String one = collection + "/versioned";
        Reply blind = client.request("PUT", one, "application/json", body.replace('\'', '"'));
        assertThat(blind.status()).as(blind.text()).isEqualTo(422);
        assertThat(blind.text())
                .contains(
                        resource
                                + " \\\"versioned\\\" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update",
                        "\"field\":\"metadata.resourceVersion\"");
        Reply removing = client.request(
                "PATCH", one, "application/merge-patch+json", "{\"metadata\":{\"resourceVersion\":null}}");
        assertThat(removing.status()).as(removing.text()).isEqualTo(422);
        String version = made.text().replaceAll("(?s).*\"resourceVersion\":\"([0-9]+)\".*", "$1");
        String seen = body.replace("'name'", "'resourceVersion':'" + version + "','name'");
        Reply replaced = client.request("PUT", one, "application/json", seen.replace('\'', '"'));
        assertThat(replaced.status()).as(replaced.text()).isEqualTo(200);
    }

    @Test
    void patchesMakeNoObjectLargerThanOneThatIsSent() throws Exception {
        assertThat(client.post(ELSEWHERE, "{'metadata':{'name':'growing'}}").status())
                .isEqualTo(201);
        String part = "x".repeat(2 << 20);
        assertThat(grown("a", '"' + part + '"').status()).isEqualTo(200);
        Reply refused = grown("b", '"' + part + '"');
        assertThat(refused.status()).as(refused.text()).isEqualTo(413);
        assertThat(refused.text())
                .contains("configmaps \\\"growing\\\" is too large: patched, it has 4194", "limit is 3145728");
        assertThat(grown("a", "null").status()).isEqualTo(200);
        assertThat(grown("b", '"' + part + '"').status()).isEqualTo(200);
    }

    private Reply grown(String field, String value) throws IOException {
        return client.request(
                "PATCH", ELSEWHERE + "/growing", "application/merge-patch+json", "{\"" + field + "\":" + value + "}");
    }

    @Test
    void aLeaseThatWasAnotherIsNotMadeAnew() throws Exception {
        String lease = "{\"metadata\":{\"name\":\"gone\",\"uid\":\"x\"}}";
        assertThat(client.request("PUT", LEASES + "/gone", "application/json", lease)
                        .status())
                .isEqualTo(409);
        assertThat(client.get(LEASES + "/gone").status()).isEqualTo(404);
    }

    private static Document body(Reply reply) {
        String text = reply.text();
        assertThat(text).contains("Content-Type: " + YAML);
        return KubernetesYaml.standard().read(text.substring(text.indexOf("\r\n\r\n") + 4), "an answer");
    }

    @Test
    void whatIsAskedForInYamlIsAnsweredInYaml() throws Exception {
        Document one = body(client.accepting(YAML, MAPS + "/one"));
        assertThat(one.text("kind")).contains("ConfigMap");
        assertThat(one.text("data", "a")).contains("line\nline");
        assertThat(body(client.accepting(YAML + ", application/json", MAPS)).text("kind"))
                .contains("ConfigMapList");
        assertThat(body(client.accepting(YAML + ";as=Table;v=v1;g=meta.k8s.io", MAPS))
                        .text("kind"))
                .contains("Table");
        assertThat(body(client.accepting(YAML, "/api")).text("kind")).contains("APIVersions");
        Reply missing = client.accepting(YAML, MAPS + "/none");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(body(missing).text("reason")).contains("NotFound");
    }

    @Test
    void yamlIsOnlyForThoseWhoWantItMost() throws Exception {
        assertThat(client.accepting("application/json, " + YAML, MAPS + "/one").text())
                .contains("Content-Type: application/json");
        Reply watch = client.accepting(YAML, MAPS + "?watch=true&timeoutSeconds=1");
        assertThat(watch.status()).isEqualTo(406);
        assertThat(body(watch).text("message").orElse("")).contains("application/json;stream=watch");
    }
}
