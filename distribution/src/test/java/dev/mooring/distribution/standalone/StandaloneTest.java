// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.distribution.standalone.RawClient.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The dialect, byte by byte; what people do with kubectl is in e2e/kubectl/check. */
@TestInstance(Lifecycle.PER_CLASS)
class StandaloneTest {
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int FUZZED = Integer.getInteger("mooring.fuzz", 1_500);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // started before the tests
    private Standalone server;

    @SuppressWarnings("NullAway.Init") // made before the tests
    private RawClient client;

    @BeforeAll
    void start() throws Exception {
        server = Standalone.start(options(directory.resolve("data")), List.of());
        client = new RawClient(directory.resolve("data/kubeconfig"));
    }

    private static StandaloneOptions options(Path data) {
        return new StandaloneOptions(data, data.resolve("kubeconfig"), InetAddress.getLoopbackAddress(), 0, "here");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Reply post(String path, String body) throws IOException {
        return client.request("POST", path, JSON, body.replace('\'', '"'));
    }

    private Reply get(String path) throws IOException {
        return client.request("GET", path, JSON, "");
    }

    @Test
    void aClientThatStaysConnectedDoesNotKeepTheServerFromItsEnd() throws Exception {
        Path data = directory.resolve("ended");
        Standalone other = Standalone.start(options(data), List.of());
        try (AutoCloseable silent = new RawClient(data.resolve("kubeconfig")).silent()) {
            assertThat(silent).isNotNull();
            other.close();
        }
        // The files are free again: everything was closed.
        Standalone.start(options(data), List.of()).close();
    }

    @Test
    void whatIsSecretIsForItsOwnerAlone() throws Exception {
        Path data = directory.resolve("data");
        for (String file : List.of("kubeconfig", "access/token", "access/authority.pem", "access/server.pem")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("store"))))
                .isEqualTo("rwx------");
    }

    @ParameterizedTest
    @CsvSource({"/api", "/apis", "/version", "/openapi/v2", "/api/v1/secrets", "/nonsense", "/api/v1/pods?watch=1"})
    void nobodyGetsInWithoutTheToken(String path) throws Exception {
        assertThat(client.withoutToken("GET", path).status()).isEqualTo(401);
        assertThat(client.send("GET", path, "Authorization: Bearer x\r\n", "").status())
                .isEqualTo(401);
    }

    @Test
    void healthIsForEverybody() throws Exception {
        assertThat(client.withoutToken("GET", "/livez").status()).isEqualTo(200);
    }

    @Test
    void unknownFieldsSurvive() throws Exception {
        assertThat(post(MAPS, "{'metadata':{'name':'odd','future':1},'data':{'a':'b'},'more':{'x':[1.50]}}")
                        .status())
                .isEqualTo(201);
        assertThat(client.request("PATCH", MAPS + "/odd", MERGE, "{\"data\":{\"c\":\"d\"}}")
                        .status())
                .isEqualTo(200);
        assertThat(get(MAPS + "/odd").text()).contains("\"future\":1", "\"more\":{\"x\":[1.50]}", "\"c\":\"d\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GET | /api/v1/nodes/nobody | | | 404 | nodes \\\"nobody\\\" not found",
                "GET | /api/v2/nodes | | | 404 | could not find",
                "GET | /apis/nothing/v1/things | | | 404 | could not find",
                "GET | /api/v1/namespaces/default/nodes/here | | | 404 | could not find",
                "POST | /api/v1/namespaces/default/configmaps | application/json | nonsense | 400 | must be JSON",
                "POST | /api/v1/namespaces/default/configmaps | application/json | {'metadata':{'name':'a','namespace':'b'}} | 400 | does not match the namespace",
                "POST | /api/v1/namespaces/nowhere/configmaps | application/json | {'metadata':{'name':'a'}} | 404 | namespaces \\\"nowhere\\\" not found",
                "POST | /api/v1/namespaces/default/configmaps | application/json | {'kind':'Pod','metadata':{'name':'a'}} | 400 | kind in the body",
                "POST | /api/v1/namespaces/default/configmaps | application/json | {'metadata':{'name':'A B'}} | 422 | Invalid",
                "POST | /api/v1/persistentvolumes | application/json | {'metadata':{'name':'a'},'spec':{'capacity':7}} | 422 | spec.capacity",
                "POST | /api/v1/persistentvolumes | application/vnd.kubernetes.protobuf | x | 415 | UnsupportedMediaType",
                "PUT | /api/v1/nodes/nobody | application/json | {'metadata':{'name':'other'}} | 400 | does not match the name",
                "PATCH | /api/v1/nodes/here | application/apply-patch+yaml | {} | 415 | server-side apply is not supported",
                "PATCH | /api/v1/nodes/here | application/json-patch+json | {} | 400 | list of operations",
                "PATCH | /api/v1/nodes/here | application/json-patch+json | [{'op':'remove','path':'/no'}] | 422 | does not exist",
                "PATCH | /api/v1/nodes/here | application/merge-patch+json | {'metadata':{'name':'x'}} | 400 | neither name",
                "PATCH | /api/v1/nodes/here | application/merge-patch+json | {'metadata':{'resourceVersion':'1'}} | 409 | has been modified",
                "GET | /api/v1/nodes?labelSelector=a%3D%3D%3D | | | 400 | BadRequest",
                "GET | /api/v1/nodes?fieldSelector=x%3D1 | | | 400 | field label not supported",
                "GET | /api/v1/nodes?continue=x | | | 400 | continue key",
                "GET | /api/v1/nodes?limit=-1 | | | 400 | limit",
                "GET | /api/v1/nodes?resourceVersion=999999 | | | 504 | Too large resource version",
                "GET | /api/v1/nodes?watch=1&resourceVersion=x | | | 400 | resourceVersion",
                "DELETE | /api/v1/nodes/here?dryRun=Some | | | 400 | dryRun",
                "DELETE | /api/v1/nodes/here/status | | | 405 | MethodNotAllowed",
                "OPTIONS | /api/v1/nodes | | | 405 | MethodNotAllowed",
            })
    void mistakesAreToldAsTheApiServerTellsThem(
            String method, String path, String type, String body, int status, String text) throws Exception {
        String plain = body == null ? "" : body.replace('\'', '"');
        Reply reply = client.request(method, path, type == null ? "" : type, plain);
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.text())
                .contains("\"kind\":\"Status\"", "\"code\":" + status)
                .contains(text);
    }

    @Test
    void aRehearsalChangesNothing() throws Exception {
        assertThat(post(MAPS + "?dryRun=All", "{'metadata':{'name':'dry'}}").status())
                .isEqualTo(201);
        assertThat(get(MAPS + "/dry").status()).isEqualTo(404);
    }

    @Test
    void pagesFollowEachOther() throws Exception {
        for (int i = 0; i < 3; i++) {
            post(MAPS, "{'metadata':{'name':'page" + i + "','labels':{'paged':'yes'}}}");
        }
        String first = get(MAPS + "?labelSelector=paged%3Dyes&limit=2").text();
        assertThat(first).contains("page0", "page1").doesNotContain("page2");
        String token = first.replaceAll("(?s).*\"continue\":\"([^\"]+)\".*", "$1");
        assertThat(get(MAPS + "?labelSelector=paged%3Dyes&limit=2&continue=" + token)
                        .text())
                .contains("page2")
                .doesNotContain("page0", "\"continue\"");
    }

    @Test
    void aWatchShowsWhatThereIsWhatHappensAndEnds() throws Exception {
        post(MAPS, "{'metadata':{'name':'seen','labels':{'watched':'yes'}}}");
        String stream = get(MAPS + "?watch=1&labelSelector=watched%3Dyes&timeoutSeconds=1&sendInitialEvents=true")
                .text();
        assertThat(stream).contains("\"type\":\"ADDED\"", "\"name\":\"seen\"", "k8s.io/initial-events-end");
        assertThat(get(MAPS + "?watch=1&resourceVersion=1000000&timeoutSeconds=5")
                        .text())
                .contains("\"type\":\"ERROR\"", "\"code\":410");
    }

    @Test
    void aDeletionWithAPreconditionThatDoesNotHoldIsAConflict() throws Exception {
        post(MAPS, "{'metadata':{'name':'kept'}}");
        assertThat(client.request("DELETE", MAPS + "/kept", JSON, "{\"preconditions\":{\"uid\":\"other\"}}")
                        .status())
                .isEqualTo(409);
        assertThat(client.request("DELETE", MAPS + "/kept", JSON, "{\"dryRun\":[\"All\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(client.request("DELETE", MAPS + "/kept", JSON, "").text()).contains("\"status\":\"Success\"");
    }

    @Test
    void aSecretsTextIsEncodedAndItsPlainFormGone() throws Exception {
        String path = "/api/v1/namespaces/default/secrets";
        Reply reply = post(path, "{'metadata':{'name':'s'},'stringData':{'k':'v'}}");
        assertThat(reply.text())
                .contains("\"k\":\"dg==\"", "\"type\":\"Opaque\"")
                .doesNotContain("stringData");
    }

    @Test
    void aSecondServerOnTheSameDirectoryIsRefused() {
        assertThatThrownBy(() -> Standalone.start(options(directory.resolve("data")), List.of()))
                .hasMessageContaining("another process has it open");
    }

    @Test
    void aDirectoryThatIsNoneIsNamed() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertThatIOException()
                .isThrownBy(() -> Standalone.start(options(file), List.of()))
                .withMessageContaining(file.toString());
    }

    /** Whatever comes: an answer, never one that blames the server. {@code -Dmooring.fuzz=100000} for more. */
    @Test
    void nothingSentBreaksTheServer() throws Exception {
        Random random = new Random(20);
        for (int i = 0; i < FUZZED; i++) {
            String method = pick(random, "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "FOO");
            String path = path(random);
            String type = pick(
                    random,
                    JSON,
                    MERGE,
                    "application/json-patch+json",
                    "application/strategic-merge-patch+json",
                    "application/yaml",
                    "",
                    "x/y;;=");
            String body = method.equals("GET") ? "" : body(random, 0);
            if (random.nextInt(40) == 0) {
                body = "[".repeat(50_000);
            }
            Reply reply = client.request(method, path, type, body);
            boolean tooLarge = reply.text().contains("Too large resource version");
            assertThat((reply.status() >= 500 && !tooLarge) || reply.status() == 0)
                    .as("%s %s %s %s: %s", method, path, type, body.length() > 500 ? "(long)" : body, reply.text())
                    .isFalse();
        }
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        int parts = random.nextInt(8);
        for (int i = 0; i < parts; i++) {
            path.append('/')
                    .append(pick(
                            random,
                            "api",
                            "apis",
                            "v1",
                            "namespaces",
                            "default",
                            "pods",
                            "configmaps",
                            "status",
                            "secrets",
                            "persistentvolumes",
                            "storage.k8s.io",
                            "x",
                            "%41",
                            "%2e",
                            "%20",
                            "openapi",
                            "v3"));
        }
        if (random.nextBoolean()) {
            path = new StringBuilder(pick(random, CLAIMS, MAPS, "/api/v1/persistentvolumes", "/api/v1/nodes"))
                    .append(random.nextBoolean() ? "/odd" + random.nextInt(3) : "");
        }
        if (random.nextInt(3) == 0) {
            path.append('?')
                    .append(pick(
                            random,
                            "limit",
                            "continue",
                            "resourceVersion",
                            "labelSelector",
                            "fieldSelector",
                            "dryRun",
                            "x"))
                    .append('=')
                    .append(pick(random, "", "1", "-1", "a%3Db", "All", "%25", "99999999999999999999"));
        }
        return path.isEmpty() ? "/" : path.toString();
    }

    private static String body(Random random, int depth) {
        return switch (random.nextInt(depth > 4 ? 5 : 8)) {
            case 0 ->
                pick(random, "null", "true", "1", "-1e999999999", "0.1", "\"x\"", "\"\\ud800\"", "\"\\u0000\"", "");
            case 1 -> "{";
            case 2 -> "[]";
            case 3 -> "{}";
            case 4 -> "\"" + "y".repeat(random.nextInt(300)) + "\"";
            case 5 -> "[" + body(random, depth + 1) + "," + body(random, depth + 1) + "]";
            default -> {
                StringBuilder object = new StringBuilder("{");
                int members = random.nextInt(4) + 1;
                for (int i = 0; i < members; i++) {
                    object.append(i == 0 ? "" : ",")
                            .append('"')
                            .append(pick(
                                    random,
                                    "metadata",
                                    "name",
                                    "spec",
                                    "status",
                                    "data",
                                    "finalizers",
                                    "labels",
                                    "op",
                                    "path",
                                    "value",
                                    "$patch",
                                    "capacity",
                                    "namespace",
                                    "generateName",
                                    "preconditions",
                                    "kind"))
                            .append("\":")
                            .append(body(random, depth + 1));
                }
                yield object.append('}').toString();
            }
        };
    }

    private static String pick(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }
}
