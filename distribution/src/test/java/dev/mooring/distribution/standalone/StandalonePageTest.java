// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.RawClient.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page as a browser gets it; what it does in a real one is in e2e/page/check. */
@TestInstance(Lifecycle.PER_CLASS)
class StandalonePageTest {
    private static final int MANY_TRIES = 20_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // started before the tests
    private Standalone server;

    @SuppressWarnings("NullAway.Init") // made before the tests
    private RawClient client;

    private String token = "";

    @BeforeAll
    void start() throws Exception {
        Path data = directory.resolve("data");
        server = Standalone.start(StandaloneServers.options(data), List.of());
        client = new RawClient(data.resolve("kubeconfig"));
        token = Files.readString(data.resolve("access/token")).strip();
        make("/api/v1/persistentvolumes", """
                {'metadata':{'name':'nearly'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],
                'nfs':{'server':'nfs.example.com','path':'/nearly'}}}""");
        make("/api/v1/namespaces/default/persistentvolumeclaims", """
                {'metadata':{'name':'data'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'',
                'resources':{'requests':{'storage':'2Gi'}}}}""");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private void make(String path, String body) throws IOException {
        assertThat(client.post(path, body).status()).isEqualTo(201);
    }

    private Reply login(String with) throws IOException {
        return client.send("POST", "/ui/login", "Content-Type: text/plain\r\n", with);
    }

    private static String cookie(Reply reply) {
        Matcher cookie = Pattern.compile("Set-Cookie: ([^;]+);").matcher(reply.text());
        assertThat(cookie.find()).as(reply.text()).isTrue();
        return cookie.group(1);
    }

    private String answerWith(String path, String wanted) throws IOException {
        String text = "";
        for (int tried = 0; tried < MANY_TRIES && !text.contains(wanted); tried++) {
            text = client.get(path).text();
        }
        assertThat(text).contains(wanted);
        return text;
    }

    @ParameterizedTest
    @CsvSource({
        "/ui/,text/html",
        "/ui/page.js,text/javascript",
        "/ui/acts.js,text/javascript",
        "/ui/dom.js,text/javascript",
        "/ui/graph.js,text/javascript",
        "/ui/lists.js,text/javascript",
        "/ui/map.js,text/javascript",
        "/ui/object.js,text/javascript",
        "/ui/overview.js,text/javascript",
        "/ui/page.css,text/css"
    })
    void theFilesAreForAllUsersAndMayRunNothingElse(String path, String type) throws Exception {
        Reply reply = client.withoutToken("GET", path);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text())
                .contains("Content-Type: " + type)
                .contains("Content-Security-Policy: default-src 'none'; script-src 'self';")
                .contains("frame-ancestors 'none'")
                .contains("X-Content-Type-Options: nosniff")
                .contains("Cache-Control: no-store")
                .doesNotContain("unsafe-");
    }

    @Test
    void nothingInThePageNeedsMoreThanThePolicyAllows() throws Exception {
        String html = client.withoutToken("GET", "/ui/").text();
        assertThat(html).doesNotContainPattern("(?i)<script(?! type=\"module\" src=\"/ui/page.js\"></script>)");
        assertThat(html).doesNotContainPattern("(?i)\\son[a-z]+=|\\sstyle=|<style|https?://");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"page.js", "acts.js", "dom.js", "graph.js", "lists.js", "map.js", "object.js", "overview.js"})
    void noScriptTakesANameForMarkup(String script) throws Exception {
        assertThat(client.withoutToken("GET", "/ui/" + script).text())
                .doesNotContainPattern(
                        "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(|setHTML|DOMParser|new Function");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui/state",
                "/ui/list?kind=claims",
                "/ui/map?by=class",
                "/ui/object?kind=claims&namespace=default&name=data",
                "/ui/explain?namespace=default&name=data",
                "/ui/explain?name=nearly"
            })
    void whatItShowsIsForThoseWithTheToken(String path) throws Exception {
        assertThat(client.withoutToken("GET", path).status()).isEqualTo(401);
        assertThat(client.send("GET", path, "Cookie: mooring-page-1=x; a=b;;=\r\n", "")
                        .status())
                .isEqualTo(401);
        assertThat(client.send("GET", path, "Authorization: Bearer x\r\n", "").status())
                .isEqualTo(401);
        assertThat(client.get(path).status()).isIn(200, 404);
    }

    @Test
    void aTokenBecomesACookieThatIsGoodForThePageAlone() throws Exception {
        Reply reply = login(token);
        assertThat(reply.status()).isEqualTo(204);
        assertThat(reply.text())
                .containsPattern("Set-Cookie: mooring-page-[0-9]+=[^;]+; Path=/ui; HttpOnly; SameSite=Strict; .*Secure")
                .doesNotContain(token);
        String header = "Cookie: " + cookie(reply) + "\r\n";
        assertThat(client.send("GET", "/ui/state", header, "").status()).isEqualTo(200);
        assertThat(client.send("GET", "/api/v1/persistentvolumes", header, "").status())
                .isEqualTo(401);
        assertThat(client.send("POST", "/ui/logout", header, "").status()).isEqualTo(204);
        assertThat(client.send("GET", "/ui/state", header, "").status()).isEqualTo(401);
    }

    @Test
    void whatIsNotTheTokenIsRefused() throws Exception {
        for (String wrong : List.of("", "x", token + "x", "é".repeat(100))) {
            Reply reply = login(wrong);
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.text()).doesNotContain("Set-Cookie");
        }
        assertThat(login("x".repeat(5_000)).status()).isIn(413, RawClient.REFUSED_UNREAD);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /ui/, 405",
        "DELETE, /ui/state, 405",
        "GET, /ui/login, 405",
        "GET, /ui/act, 405",
        "GET, /ui/act/rehearsal, 405",
        "GET, /ui/nothing, 404",
        "GET, /ui/../api, 404",
        "GET, /ui/%2e%2e/api/v1/secrets, 404",
        "GET, /uix, 401",
        "GET, /ui, 308",
        "HEAD, /ui/, 200"
    })
    void otherRequestsAreAnsweredToo(String method, String path, int status) throws Exception {
        int answered = client.withoutToken(method, path).status();
        assertThat(answered).isIn(status, 400);
    }

    @Test
    void showsWhatIsThere() throws Exception {
        assertThat(answerWith("/ui/list?kind=claims", "\"name\":\"data\""))
                .contains("\"state\":\"Pending\"", "\"attention\":true", "\"size\":\"2Gi\"", "\"modes\":\"RWO\"");
        assertThat(client.get("/ui/list?kind=volumes").text())
                .contains("\"name\":\"nearly\"", "\"source\":\"nfs nfs.example.com:/nearly\"", "\"count\":1");
        assertThat(client.get("/ui/list?kind=mounts").text()).contains("\"count\":0", "\"rows\":[]");
        assertThat(client.get("/ui/state").text()).contains("\"claims\":{\"count\":1,\"states\":{\"Pending\":1}");
        assertThat(client.get("/ui/object?kind=claims&namespace=default&name=data")
                        .text())
                .contains("\"state\":\"Pending\"");
        assertThat(client.get("/ui/object?kind=claims&namespace=default&name=nothing")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void whoHasTheAnswerIsNotGivenItAgain() throws Exception {
        Matcher version = Pattern.compile("\"version\":\"([^\"]+)\"")
                .matcher(answerWith("/ui/list?kind=claims", "\"name\":\"data\""));
        assertThat(version.find()).isTrue();
        // Until the version is that of a quiet server.
        int status = 0;
        String known = version.group(1);
        for (int tried = 0; tried < MANY_TRIES && status != 204; tried++) {
            Reply reply = client.get("/ui/list?kind=claims&version=" + known);
            status = reply.status();
            Matcher next = Pattern.compile("\"version\":\"([^\"]+)\"").matcher(reply.text());
            known = next.find() ? next.group(1) : known;
        }
        assertThat(status).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui/list",
                "/ui/list?kind=secrets",
                "/ui/list?kind=claims&offset=-1",
                "/ui/object?kind=pvs",
                "/ui/map"
            })
    void whatIsNotAQuestionIsRefused(String path) throws Exception {
        assertThat(client.get(path).status()).isEqualTo(400);
    }

    /** The controllers keep neither events nor all of a pod. */
    @Test
    void explainsAPodAndANodeAndFindsWhatEventsTold() throws Exception {
        make("/api/v1/namespaces/default/pods", """
                {'metadata':{'name':'waits'},'spec':{'containers':[{'name':'main','image':'none'}],
                'volumes':[{'name':'data','persistentVolumeClaim':{'claimName':'data'}}]}}""");
        make("/api/v1/namespaces/default/events", """
                {'metadata':{'name':'told'},'involvedObject':{'kind':'Pod','namespace':'default','name':'waits'},
                'reason':'FailedScheduling','message':'the Moon is in the way','type':'Warning'}""");
        answerWith("/ui/list?kind=pods", "\"name\":\"waits\"");

        assertThat(client.get("/ui/explain?kind=Pod&namespace=default&name=waits")
                        .text())
                .contains("Pod default/waits is Pending", "claim default/data");
        assertThat(client.get("/ui/explain?kind=Node&name=here").text()).contains("Node here is");
        answerWith("/ui/list?kind=pods&q=event:moon", "\"name\":\"waits\"");
        assertThat(client.get("/ui/list?kind=pods&q=event:sun").text()).contains("\"count\":0");
    }

    @Test
    void explainsAClaimAndAVolume() throws Exception {
        answerWith("/ui/list?kind=claims", "\"name\":\"data\"");
        Reply claim = client.get("/ui/explain?namespace=default&name=data");
        assertThat(claim.status()).isEqualTo(200);
        assertThat(claim.text()).contains("default/data is Pending", "is 1Gi short");
        assertThat(client.get("/ui/explain?name=nearly").text()).contains("PersistentVolume nearly is");
        assertThat(client.get("/ui/explain?kind=PersistentVolume&name=nearly").text())
                .contains("PersistentVolume nearly is");
        assertThat(client.get("/ui/explain?kind=VolumeAttachment&name=none").status())
                .isEqualTo(404);
        assertThat(client.get("/ui/explain?kind=Secret&namespace=default&name=web")
                        .status())
                .isEqualTo(400);
        assertThat(client.get("/ui/explain?namespace=default&name=nothing").status())
                .isEqualTo(404);
        assertThat(client.get("/ui/explain?name=%ff").status()).isIn(400, 404);
    }
}
