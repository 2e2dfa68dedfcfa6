// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that no usual client sends, by HTTP alone. */
class UnusualRequestsTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final MemoryClusterStore STORE = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static ApiServer server;

    @BeforeAll
    static void start() throws IOException {
        server = ApiServer.builder(STORE).plain().start();
    }

    @AfterAll
    static void stop() {
        server.close();
        STORE.close();
    }

    private static HttpResponse<String> send(String method, String path, String header, String value, String body)
            throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(server.url() + path))
                        .method(method, BodyPublishers.ofString(body))
                        .header(header, value)
                        .build(),
                BodyHandlers.ofString());
    }

    /** Some clients look into the details of a failure without asking whether there are any: kubectl debug ended in a panic. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | /api/v1/nope | Accept | */* | 404 | NotFound",
                "GET | /api/v2 | Accept | */* | 404 | NotFound",
                "GET | /apis/apps/v2 | Accept | */* | 404 | NotFound",
                "GET | /api/v1/namespaces/default/configmaps/p/foo | Accept | */* | 404 | NotFound",
                "PATCH | /api/v1/namespaces/default/pods/p/ephemeralcontainers | Content-Type | application/strategic-merge-patch+json | 404 | NotFound",
                "OPTIONS | /api/v1/namespaces/default/configmaps | Accept | */* | 405 | MethodNotAllowed",
                "PUT | /api/v1/namespaces/default/configmaps | Content-Type | application/json | 405 | MethodNotAllowed",
                "GET | /api/v1/namespaces/default/configmaps | Accept | text/html | 406 | NotAcceptable",
                "PATCH | /api/v1/namespaces/default/configmaps/p | Content-Type | application/json | 415 | UnsupportedMediaType",
                "POST | /api/v1/namespaces/default/configmaps | Content-Type | application/json | 400 | BadRequest"
            })
    void aFailureHasDetailsEvenIfThereAreNone(
            String method, String path, String header, String value, int code, String reason) throws Exception {
        HttpResponse<String> answer = send(method, path, header, value, "");
        Document status = KubernetesJson.standard().read(answer.body(), path);
        assertThat(answer.statusCode()).isEqualTo(code);
        assertThat(status.text("kind")).contains("Status");
        assertThat(status.text("reason")).contains(reason);
        assertThat(status.at("details")).contains(Map.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ | the body:1:2: must be JSON: Unexpected end-of-input: expected close marker for Object",
                "{\"data\": {\"a\": | the body:1:15: must be JSON: Unexpected end-of-input within/between Object entries",
                "[1 | the body:1:1: must be a JSON object",
                "{\"a\" 1} | the body:1:6: must be JSON: Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value"
            })
    void aBodyThatIsNoJsonIsRefusedWithThePlaceAlone(String body, String message) throws Exception {
        Document status = KubernetesJson.standard()
                .read(
                        send("POST", MAPS, "Content-Type", "application/json", body)
                                .body(),
                        MAPS);
        assertThat(status.text("message")).contains(message);
    }
}
