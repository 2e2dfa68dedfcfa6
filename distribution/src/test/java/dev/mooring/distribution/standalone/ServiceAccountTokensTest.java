// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.ProgramClient.Reply;
import dev.mooring.storage.document.Document;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
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

/** Tokens of service accounts: what they say, for how long they let in, and to what. */
@TestInstance(Lifecycle.PER_CLASS)
class ServiceAccountTokensTest {
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String ISSUER = "https://kubernetes.default.svc.cluster.local";
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // started before the tests
    private Standalone server;

    @SuppressWarnings("NullAway.Init") // made before the tests
    private ProgramClient client;

    @BeforeAll
    void start() throws Exception {
        server = Standalone.start(StandaloneServers.options(directory.resolve("data")), List.of());
        client = new ProgramClient(directory.resolve("data/kubeconfig"));
        account("builder");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private void account(String name) throws Exception {
        assertThat(client.json("POST", ACCOUNTS, quoted("{'metadata':{'name':'" + name + "'}}"))
                        .status())
                .isEqualTo(201);
    }

    private String pod(String name, String account) throws Exception {
        Reply made = client.json(
                "POST",
                PODS,
                quoted("{'metadata':{'name':'" + name
                        + "'},'spec':{'serviceAccountName':'" + account
                        + "','containers':[{'name':'main','image':'none'}]}}"));
        assertThat(made.status()).isEqualTo(201);
        return made.text("metadata", "uid");
    }

    private static String quoted(String text) {
        return text.replace('\'', '"');
    }

    @Test
    void aReviewSaysWhoseATokenIs() throws Exception {
        String own = request("builder", "").text("status", "token");
        Reply good = review("'token':'" + own + "'");
        assertThat(good.status()).isEqualTo(201);
        assertThat(good.text("status", "user", "username")).isEqualTo("system:serviceaccount:default:builder");
        assertThat(good.response().body()).contains("\"authenticated\":true", "\"audiences\":[\"" + ISSUER + "\"]");
        String foreign = request("builder", "'audiences':['vault','bank']").text("status", "token");
        assertThat(review("'token':'" + foreign + "'").response().body())
                .contains("\"authenticated\":false", "not for this audience");
        assertThat(review("'token':'" + foreign + "','audiences':['bank','other']")
                        .response()
                        .body())
                .contains("\"authenticated\":true", "\"audiences\":[\"bank\"]");
        assertThat(review("'token':'nonsense'").response().body()).contains("\"authenticated\":false");
        assertThat(review("'audiences':[]").status()).isEqualTo(400);
    }

    private Reply review(String spec) throws Exception {
        return client.json("POST", "/apis/authentication.k8s.io/v1/tokenreviews", quoted("{'spec':{" + spec + "}}"));
    }

    @Test
    void eachNamespaceHasADefaultAccount() throws Exception {
        client.json("POST", "/api/v1/namespaces", quoted("{'metadata':{'name':'crew'}}"));
        String accounts = "/api/v1/namespaces/crew/serviceaccounts";
        try (BufferedReader events = new BufferedReader(new InputStreamReader(
                client.stream(accounts + "?watch=true&resourceVersion=0&timeoutSeconds=60")
                        .body(),
                UTF_8))) {
            assertThat(events.readLine()).contains("\"ADDED\"", "\"name\":\"default\"");
            client.json("DELETE", accounts + "/default", "");
            assertThat(events.readLine()).contains("\"DELETED\"");
            assertThat(events.readLine()).contains("\"ADDED\"", "\"name\":\"default\"");
        }
    }

    private Reply request(String account, String spec) throws Exception {
        return client.json("POST", ACCOUNTS + "/" + account + "/token", quoted("{'spec':{" + spec + "}}"));
    }

    private static Document part(String token, int number) {
        byte[] bytes = Base64.getUrlDecoder().decode(token.split("\\.", -1)[number]);
        return ProgramClient.parse(new String(bytes, StandardCharsets.UTF_8));
    }

    @Test
    void aTokenHasKubernetesClaims() throws Exception {
        String uid = pod("claims", "builder");
        Reply reply = request(
                "builder",
                "'audiences':['vault'],'expirationSeconds':7200,'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'claims','uid':'"
                        + uid + "'}");

        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.text("kind")).isEqualTo("TokenRequest");
        String token = reply.text("status", "token");
        assertThat(part(token, 0).text("alg")).contains("ES256");
        Document claims = part(token, 1);
        assertThat(claims.text("iss")).contains(ISSUER);
        assertThat(claims.text("sub")).contains("system:serviceaccount:default:builder");
        assertThat(claims.at("aud")).contains(List.of("vault"));
        assertThat(claims.text("kubernetes.io", "namespace")).contains("default");
        assertThat(claims.text("kubernetes.io", "pod", "uid")).contains(uid);
        assertThat(claims.text("kubernetes.io", "serviceaccount", "name")).contains("builder");
        long from = (Long) claims.at("iat").orElseThrow();
        assertThat(claims.at("exp")).contains(from + 7200);
        assertThat(Instant.parse(reply.text("status", "expirationTimestamp")))
                .isEqualTo(Instant.ofEpochSecond(from).plus(Duration.ofHours(2)));
        assertThat(claims.text("jti").orElseThrow())
                .isNotEqualTo(part(token(), 1).text("jti").orElseThrow());
    }

    private String token() throws Exception {
        return request("builder", "").text("status", "token");
    }

    @Test
    void whoHasItIsTheServiceAccount() throws Exception {
        Reply who = client.with(token()).json("POST", WHO, "{}");

        assertThat(who.status()).isEqualTo(201);
        assertThat(who.text("status", "userInfo", "username")).isEqualTo("system:serviceaccount:default:builder");
        assertThat(who.body().at("status", "userInfo", "groups"))
                .contains(List.of("system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GET | /api/v1/namespaces/default/secrets | secrets is forbidden: User \"system:serviceaccount:default:builder\" cannot list resource \"secrets\" in API group \"\" in the namespace \"default\"",
                "GET | /api/v1/nodes/here | nodes \"here\" is forbidden: User \"system:serviceaccount:default:builder\" cannot get resource \"nodes\" in API group \"\" at the cluster scope",
                "GET | /api/v1/pods?watch=1 | cannot watch resource \"pods\"",
                "POST | /api/v1/namespaces/default/serviceaccounts/builder/token | cannot create resource \"serviceaccounts/token\"",
                "DELETE | /api/v1/namespaces/default | cannot delete resource \"namespaces\"",
                "DELETE | /apis/storage.k8s.io/v1/storageclasses | cannot deletecollection resource \"storageclasses\" in API group \"storage.k8s.io\"",
                "POST | /mooring/backup | cannot post path \"/mooring/backup\"",
                "GET | /nonsense | cannot get path \"/nonsense\""
            })
    void itMayDoNothingBySilence(String method, String path, String message) throws Exception {
        Reply reply = client.with(token()).json(method, path, "{}");

        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.text("reason")).isEqualTo("Forbidden");
        assertThat(reply.text("message")).contains(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/apis", "/api/v1", "/apis/storage.k8s.io/v1", "/version", "/openapi/v3"})
    void itMaySeeWhatThereIs(String path) throws Exception {
        assertThat(client.with(token()).get(path).status()).isEqualTo(200);
    }

    @Test
    void itIsToldTheTruthAboutItsRights() throws Exception {
        String path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
        String secrets = quoted("{'spec':{'resourceAttributes':{'verb':'list','resource':'secrets'}}}");
        assertThat(client.with(token()).json("POST", path, secrets).body().at("status", "allowed"))
                .contains(false);
        assertThat(client.json("POST", path, secrets).body().at("status", "allowed"))
                .contains(true);
        String discovery = quoted("{'spec':{'nonResourceAttributes':{'verb':'get','path':'/apis'}}}");
        assertThat(client.with(token()).json("POST", path, discovery).body().at("status", "allowed"))
                .contains(true);
    }

    @Test
    void oneForAnotherAudienceDoesNotLetIn() throws Exception {
        String token = request("builder", "'audiences':['vault']").text("status", "token");
        assertThat(client.with(token).get("/version").status()).isEqualTo(401);
    }

    @Test
    void oneThatWasChangedDoesNotLetIn() throws Exception {
        String[] parts = token().split("\\.", -1);
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
                .replace(":builder\"", ":another\"");
        assertThat(claims).contains("another");
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        String changed = encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
        String none = encoder.encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
        for (String token : List.of(
                parts[0] + "." + changed + "." + parts[2],
                none + "." + parts[1] + ".",
                parts[0] + "." + parts[1] + ".",
                parts[0] + "." + parts[1] + "." + encoder.encodeToString(new byte[64]),
                parts[0] + "." + parts[1] + "." + new BigInteger(parts[2].getBytes(StandardCharsets.UTF_8)),
                String.join(".", Arrays.asList(parts).subList(0, 2)))) {
            assertThat(client.with(token).get("/version").status()).as(token).isEqualTo(401);
        }
    }

    @Test
    void itEndsWithItsPodAndWithItsAccount() throws Exception {
        account("leaving");
        String uid = pod("ends", "leaving");
        String bound = request(
                        "leaving",
                        "'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'ends','uid':'" + uid + "'}")
                .text("status", "token");
        String free = request("leaving", "").text("status", "token");
        assertThat(client.with(bound).get("/version").status()).isEqualTo(200);

        client.json("DELETE", PODS + "/ends?gracePeriodSeconds=0", "");
        pod("ends", "leaving");
        assertThat(client.with(bound).get("/version").status()).isEqualTo(401);
        assertThat(client.with(free).get("/version").status()).isEqualTo(200);

        client.json("DELETE", ACCOUNTS + "/leaving", "");
        account("leaving");
        assertThat(client.with(free).get("/version").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "builder | 'expirationSeconds':599 | 422 | TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes",
                "builder | 'expirationSeconds':4294967297 | 422 | larger than 2^32 seconds",
                "builder | 'expirationSeconds':'600' | 400 | must be an integer, not the string",
                "builder | 'audiences':'vault' | 400 | must be an array, not the string",
                "builder | 'boundObjectRef':{'kind':'Lease','apiVersion':'coordination.k8s.io/v1','name':'x'} | 400 | cannot bind token for serviceaccount \"builder\" to object of type",
                "builder | 'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'absent'} | 404 | pods \"absent\" not found",
                "absent | 'expirationSeconds':600 | 404 | serviceaccounts \"absent\" not found"
            })
    void whatIsOutOfBoundsIsRefused(String account, String spec, int status, String message) throws Exception {
        Reply reply = request(account, spec);

        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.text("message")).contains(message);
    }

    /** Clients in Go send the fields that they do not set. */
    @Test
    void whatIsNullIsNotSaid() throws Exception {
        Reply reply = request("builder", "'audiences':null,'expirationSeconds':null,'boundObjectRef':null");

        assertThat(reply.status()).as(reply.response().body()).isEqualTo(201);
        assertThat(part(reply.text("status", "token"), 1).at("aud")).contains(List.of(ISSUER));
        assertThat(reply.body().at("spec", "expirationSeconds")).contains(3600L);
    }

    @Test
    void aPodOfAnotherAccountOrAnotherUidDoesNotBind() throws Exception {
        pod("other", "stranger");
        assertThat(request("builder", "'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'other'}")
                        .text("message"))
                .contains("to pod running with different serviceaccount name");
        pod("same", "builder");
        Reply reply = request("builder", "'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'same','uid':'x'}");
        assertThat(reply.status()).isEqualTo(409);
        assertThat(reply.text("message")).contains("does not match the UID in record");
    }

    @Test
    void theKeyIsForItsOwnerAloneAndOutlivesTheProcess() throws Exception {
        Path data = directory.resolve("again");
        String token;
        try (Standalone first = Standalone.start(StandaloneServers.options(data), List.of())) {
            assertThat(first.url()).isNotEmpty();
            ProgramClient other = new ProgramClient(data.resolve("kubeconfig"));
            other.json("POST", ACCOUNTS, quoted("{'metadata':{'name':'builder'}}"));
            token = other.json("POST", ACCOUNTS + "/builder/token", "{}").text("status", "token");
        }
        Path key = data.resolve("access/service-accounts.pem");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        try (Standalone second = Standalone.start(StandaloneServers.options(data), List.of())) {
            assertThat(second.url()).isNotEmpty();
            ProgramClient other = new ProgramClient(data.resolve("kubeconfig"));
            assertThat(other.with(token).get("/version").status()).isEqualTo(200);
        }
    }
}
