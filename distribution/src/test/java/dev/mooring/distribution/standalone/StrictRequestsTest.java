// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.RawClient.Reply;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client sends to narrow or guard a request is honoured or refused; passed over, the request would do more than was meant. */
@TestInstance(Lifecycle.PER_CLASS)
class StrictRequestsTest {
    private static final String JSON = "application/json";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String ONE = MAPS + "/one";
    private static final String OBJECT = "{\"metadata\":{\"name\":\"one\"}}";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // started before the tests
    private Standalone server;

    @SuppressWarnings("NullAway.Init") // made before the tests
    private RawClient client;

    @SuppressWarnings("NullAway.Init") // read before the tests
    private ServerKubeconfig config;

    @BeforeAll
    void start() throws Exception {
        server = Standalone.start(StandaloneServers.options(directory.resolve("data")), List.of());
        client = new RawClient(directory.resolve("data/kubeconfig"));
        config = ServerKubeconfig.read(directory.resolve("data/kubeconfig"));
        assertThat(client.post(MAPS, "{'metadata':{'name':'one'},'data':{'a':'b'}}")
                        .status())
                .isEqualTo(201);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Reply with(String header, String method, String path) throws IOException {
        boolean body = method.equals("POST") || method.equals("PUT");
        String headers =
                "Authorization: Bearer " + config.token() + "\r\nContent-Type: " + JSON + "\r\n" + header + "\r\n";
        return client.send(method, path, headers, body ? OBJECT : "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Impersonate-User: nobody",
                "IMPERSONATE-USER: nobody",
                "impersonate-group: system:masters",
                "Impersonate-Uid: 7",
                "Impersonate-Extra-scopes: view",
                "Impersonate-User:",
                "X-Remote-User: nobody",
                "x-remote-group: g",
                "X-Remote-Extra-a: b"
            })
    void noClientActsAsAnotherUser(String header) throws Exception {
        for (String path : List.of(
                MAPS,
                ONE,
                MAPS + "?watch=1&timeoutSeconds=1",
                "/api",
                "/apis",
                "/api/v1",
                "/version",
                "/openapi/v3",
                "/healthz",
                "/ui/",
                "/ui/state",
                "/nothing")) {
            Reply reply = with(header, "GET", path);
            assertThat(reply.status()).as("%s %s", path, reply.text()).isEqualTo(403);
            assertThat(reply.text()).contains("\"kind\":\"Status\"", "\"reason\":\"Forbidden\"", "not supported");
        }
        for (String method : List.of("POST", "PUT", "DELETE")) {
            assertThat(with(header, method, method.equals("POST") ? MAPS : ONE).status())
                    .isEqualTo(403);
        }
        assertThat(with(header, "POST", "/ui/login").status()).isEqualTo(403);
        assertThat(client.get(ONE).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "If-Match: \"5\" | DELETE | 400",
                "If-None-Match: * | PUT | 400",
                "If-Unmodified-Since: Sat, 29 Oct 1994 19:43:31 GMT | DELETE | 400",
                "X-HTTP-Method-Override: GET | DELETE | 400",
                "If-None-Match: \"5\" | GET | 200"
            })
    void conditionsInHeadersAreNotPassedOver(String header, String method, int status) throws Exception {
        assertThat(with(header, method, ONE).status()).isEqualTo(status);
        assertThat(client.get(ONE).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // what narrows a collection, sent with one object
                "DELETE | /one?labelSelector=a%3Db     | 400 | labelSelector",
                "DELETE | /one?fieldSelector=x%3Dy     | 400 | fieldSelector",
                "DELETE | /one?resourceVersion=1       | 400 | preconditions.resourceVersion",
                "DELETE | /one?resourceVersionMatch=Exact | 400 | resourceVersionMatch",
                "PUT    | /one?resourceVersion=1       | 400 | metadata.resourceVersion",
                "PUT    | /one?labelSelector=a%3Db     | 400 | labelSelector",
                "GET    | /one?labelSelector=a%3Db     | 400 | labelSelector",
                "POST   | ?propagationPolicy=Orphan    | 400 | propagationPolicy",
                // conditions
                "DELETE | /one?uid=another             | 409 | UID",
                "DELETE | /one?preconditions.uid=x&uid=another | 409 | UID",
                "DELETE | ?resourceVersion=99999999    | 504 | Too large resource version",
                "DELETE | ?resourceVersionMatch=Exact  | 422 | resourceVersionMatch",
                "DELETE | ?sendInitialEvents=true      | 422 | sendInitialEvents",
                // names that are meant otherwise, and names that stand twice
                "DELETE | /one?dryrun=All              | 400 | write dryRun",
                "DELETE | /one?dry-run=All             | 400 | write dryRun",
                "DELETE | /one?DryRun=All              | 400 | write dryRun",
                "DELETE | ?label_selector=a%3Db        | 400 | write labelSelector",
                "DELETE | ?labelSelector=a%3Db&labelSelector=c%3Dd | 400 | different values",
                "DELETE | /one?dryRun=All&dryRun=Some  | 400 | different values",
                "DELETE | /one?dryRun=                 | 422 | dryRun",
                "DELETE | /one?dryRun=all              | 422 | dryRun",
                "DELETE | /one?propagationPolicy=orphan | 422 | propagationPolicy",
                "DELETE | /one?gracePeriodSeconds=1s   | 400 | gracePeriodSeconds",
                "DELETE | /one?ignoreStoreReadErrorWithClusterBreakingPotential=true | 400 | not supported",
                "POST   | ?fieldValidation=strict      | 422 | fieldValidation",
                "GET    | ?limit=                      | 400 | limit",
                "GET    | ?timeoutSeconds=             | 400 | timeoutSeconds",
                "GET    | ?export=true                 | 400 | no longer supported",
                "GET    | ?shardSelector=x             | 400 | not supported",
                "GET    | ?limit=%2B1                  | 200 | one",
                "GET    | ?watch=False                 | 200 | ConfigMapList",
                "GET    | ?export=false&pretty=true&timeout=30s | 200 | one"
            })
    void whatNarrowsARequestIsHonouredOrRefused(String method, String path, int status, String text) throws Exception {
        boolean body = method.equals("POST") || method.equals("PUT");
        Reply reply = client.request(method, MAPS + path, JSON, body ? OBJECT : "");
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.text()).contains(text);
        assertThat(client.get(ONE).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'precondition':{'uid':'x'}}",
                "{'preconditions':{'UID':'x'}}",
                "{'preconditions':{'uid':'x','version':'1'}}",
                "{'dryrun':['All']}",
                "{'ignoreStoreReadErrorWithClusterBreakingPotential':true}"
            })
    void aMisspeltOptionOfADeletionIsRefused(String options) throws Exception {
        Reply reply = client.request("DELETE", ONE, JSON, options.replace('\'', '"'));
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(client.get(ONE).status()).isEqualTo(200);
    }

    @Test
    void aRehearsalMakesNeitherATokenNorABackup() throws Exception {
        assertThat(client.post("/api/v1/namespaces/default/serviceaccounts/default/token?dryRun=All", "{'spec':{}}")
                        .status())
                .isEqualTo(400);
        assertThat(client.post("/mooring/backup?dryRun=All", "").status()).isEqualTo(400);
        assertThat(directory.resolve("data/backups"))
                .satisfiesAnyOf(
                        none -> assertThat(none).doesNotExist(),
                        empty -> assertThat(empty).isEmptyDirectory());
    }

    @Test
    void aDeletionThatIsToldToOrphanDoesSo() throws Exception {
        assertThat(client.post(MAPS, "{'metadata':{'name':'owner','finalizers':['example.com/x']}}")
                        .status())
                .isEqualTo(201);
        Reply deleted = client.request("DELETE", MAPS + "/owner?orphanDependents=1", JSON, "");
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.text()).contains("\"orphan\"");
    }

    /** As kube-apiserver 1.20 was seen to do. */
    @ParameterizedTest
    @ValueSource(strings = {"-1", "-5000000000", "-9223372036854775808"})
    void aWatchThatMayLastLessThanNothingEndsAtOnce(String seconds) throws Exception {
        Reply reply = client.get(MAPS + "?watch=1&timeoutSeconds=" + seconds);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).endsWith("0\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/pods;x=y",
                "/api;x/v1/pods",
                "/api/v1/namespaces/default/configmaps/one;x=y",
                "/api/v1/pods%3Bx=y",
                "/api/v1/../v1/pods",
                "/api/./v1/pods",
                "/api/v1/pods/.",
                "/api/v1/namespaces/default/configmaps/two/../one",
                "/api/v1/%2e%2e/v1/pods",
                "//api/v1/pods",
                "/api//v1/pods",
                "/api/v1/namespaces//pods",
                "/api/v1/namespaces%2Fdefault/pods",
                "/api/v1/namespaces/default%2fpods",
                "/api/v1/pods%25",
                "/healthz;x",
                "//healthz",
                "/ui/;x",
                "/ui/../version",
                "/version/.."
            })
    void aPathMeansWhatItSays(String path) throws Exception {
        Reply reply = client.get(path);
        assertThat(reply.status()).as(reply.text()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/pods/", "/api/v1/pods//", "/api/", "/version//", "/%61pi/v1/pods"})
    void slashesAtTheEndAreNothing(String path) throws Exception {
        assertThat(client.get(path).status()).isEqualTo(200);
    }

    private String head(String token, String rest) {
        return "POST " + MAPS + " HTTP/1.1\r\nHost: localhost\r\n" + token + "Content-Type: " + JSON + "\r\n" + rest
                + "\r\n";
    }

    private String answer(String sent) throws IOException {
        try (TlsConnection connection = new TlsConnection(config, 30_000)) {
            connection.out().write(sent.getBytes(StandardCharsets.US_ASCII));
            connection.out().flush();
            return new String(connection.in().readNBytes(12), StandardCharsets.US_ASCII);
        } catch (SocketTimeoutException e) {
            return "no answer";
        }
    }

    /** The client sends its head only, and waits. */
    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeAByteOfItCame() throws Exception {
        String token = "Authorization: Bearer " + config.token() + "\r\n";
        assertThat(answer(head(token, "Content-Length: 10000000000\r\n"))).isEqualTo("HTTP/1.1 413");
        assertThat(answer(head(token, "Expect: 100-continue\r\nContent-Length: 3145729\r\n")))
                .isEqualTo("HTTP/1.1 413");
    }

    @Test
    void aBodyIsNotWaitedForBeforeItIsKnownWhoSendsIt() throws Exception {
        for (String token : List.of("", "Authorization: Bearer wrong\r\n")) {
            for (String rest : List.of(
                    "Content-Length: 100\r\n",
                    "Expect: 100-continue\r\nContent-Length: 100\r\n",
                    "Transfer-Encoding: chunked\r\n",
                    "Content-Length: 10000000000\r\n")) {
                assertThat(answer(head(token, rest))).as(token + rest).isEqualTo("HTTP/1.1 401");
            }
        }
    }

    @Test
    void whoNamesTwoHostsOrTwoTokensIsRefused() throws Exception {
        String token = "Authorization: Bearer " + config.token() + "\r\n";
        assertThat(answer(head(token, "Host: other\r\nContent-Length: 0\r\n"))).isEqualTo("HTTP/1.1 400");
        assertThat(answer(head(token + token, "Content-Length: 0\r\n"))).isEqualTo("HTTP/1.1 401");
    }
}
