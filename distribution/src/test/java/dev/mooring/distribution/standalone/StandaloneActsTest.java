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

/** What people do by the page, with the controllers at work. */
@TestInstance(Lifecycle.PER_CLASS)
class StandaloneActsTest {
    private static final int MANY_TRIES = 20_000;
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String REHEARSAL = "/ui/act/rehearsal";
    private static final String ACT = "/ui/act";

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
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** A volume whose claim has gone. */
    private void left(String name) throws IOException {
        assertThat(client.post(VOLUMES, """
                        {'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],
                        'persistentVolumeReclaimPolicy':'Retain','claimRef':{'namespace':'gone','name':'%s','uid':'old'},
                        'nfs':{'server':'nfs.example.com','path':'/%s'}}}""".formatted(name, name, name)).status())
                .isEqualTo(201);
        answerWith("/ui/list?kind=volumes&state=Released&q=" + name, "\"name\":\"" + name + "\"");
    }

    private String answerWith(String path, String wanted) throws IOException {
        String text = "";
        for (int tried = 0; tried < MANY_TRIES && !text.contains(wanted); tried++) {
            text = client.get(path).text();
        }
        assertThat(text).contains(wanted);
        return text;
    }

    private Reply send(String path, String origin, String credential, String body) throws IOException {
        return client.send(
                "POST",
                path,
                (origin.isEmpty() ? "" : "Origin: " + origin + "\r\n") + credential
                        + "Content-Type: application/json\r\n",
                body.replace('\'', '"'));
    }

    private Reply ask(String path, String body) throws IOException {
        return send(path, "https://localhost", "Authorization: Bearer " + token + "\r\n", body);
    }

    private static String field(Reply reply, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(reply.text());
        assertThat(matcher.find()).as(reply.text()).isTrue();
        return matcher.group(1);
    }

    private static String doing(String asked, Reply shown) {
        return asked.replace("}", ",'uid':'" + field(shown, "uid") + "','version':'" + field(shown, "version") + "'}");
    }

    @Test
    void isShownFirstDoneToWhatWasShownAndToldInAnEvent() throws Exception {
        left("rebound");
        assertThat(answerWith("/ui/object?kind=volumes&name=rebound", "\"acts\":[\"rebind\""))
                .contains("\"acts\":[\"rebind\",\"adopt\",\"discard\"]", "\"token\":\"page\"");
        String asked = "{'act':'rebind','name':'rebound'}";

        Reply shown = ask(REHEARSAL, asked);

        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.text())
                .contains("volume rebound waits, with its data, for claim gone/rebound")
                .contains("users who can create that claim in namespace gone get the data")
                .contains("spec.claimRef.uid: old → none")
                .contains("mooring release pv/rebound --rebind")
                .contains("\"objections\":[]");
        assertThat(client.get(VOLUMES + "/rebound").text()).contains("\"uid\":\"old\"");

        assertThat(ask(ACT, doing(asked, shown)).status()).isEqualTo(200);

        assertThat(client.get(VOLUMES + "/rebound").text()).doesNotContain("\"uid\":\"old\"");
        assertThat(client.get("/api/v1/namespaces/default/events?fieldSelector=reason=VolumeRebound")
                        .text())
                .contains(
                        "user mooring at 127.0.0.1 by the page: volume rebound waits",
                        "\"component\":\"mooring-page\"");
    }

    @Test
    void whatHasChangedSinceItWasShownIsLeftAsItIs() throws Exception {
        left("changed");
        String asked = "{'act':'discard','name':'changed'}";
        Reply shown = ask(REHEARSAL, asked);
        assertThat(client.request(
                                "PATCH",
                                VOLUMES + "/changed",
                                "application/merge-patch+json",
                                "{\"metadata\":{\"labels\":{\"mine\":\"yes\"}}}")
                        .status())
                .isEqualTo(200);

        Reply refused = ask(ACT, doing(asked, shown));

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("changed has changed since this was shown; nothing was done");
        assertThat(client.get(VOLUMES + "/changed").text()).contains("\"uid\":\"old\"");
        assertThat(ask(ACT, asked).status()).as("what was not shown at all").isEqualTo(409);
    }

    @Test
    void whatTheCommandRefusesThePageRefuses() throws Exception {
        left("refused");
        assertThat(client.post("/api/v1/namespaces/default/persistentvolumeclaims", """
                        {'metadata':{'name':'large'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'',
                        'resources':{'requests':{'storage':'2Gi'}}}}""")
                        .status())
                .isEqualTo(201);
        String asked = "{'act':'adopt','name':'refused','claim':'default/large'}";

        Reply shown = ask(REHEARSAL, asked);

        assertThat(shown.text()).contains("claim default/large does not fit volume refused: requested PV is too small");
        assertThat(ask(ACT, asked).status()).isEqualTo(409);
        assertThat(ask(REHEARSAL, "{'act':'rebind','name':'nothing'}").status()).isEqualTo(404);
    }

    /** A browser sends the cookie for any page that asks it to; it sends the token in a header for this page alone. */
    @Test
    void noCookieAndNoOtherSiteActs() throws Exception {
        left("guarded");
        Reply login = client.send("POST", "/ui/login", "Content-Type: text/plain\r\n", token);
        Matcher cookie = Pattern.compile("Set-Cookie: ([^;]+);").matcher(login.text());
        assertThat(cookie.find()).isTrue();
        String asked = "{'act':'discard','name':'guarded'}";
        String bearer = "Authorization: Bearer " + token + "\r\n";
        for (String path : List.of(REHEARSAL, ACT)) {
            assertThat(send(path, "https://localhost", "Cookie: " + cookie.group(1) + "\r\n", asked)
                            .status())
                    .isEqualTo(401);
            assertThat(send(path, "https://localhost", "Authorization: Bearer x\r\n", asked)
                            .status())
                    .isEqualTo(401);
            for (String origin : List.of("", "null", "https://evil.example.com", "http://localhost")) {
                assertThat(send(path, origin, bearer, asked).status())
                        .as(origin)
                        .isEqualTo(403);
            }
        }
        assertThat(client.get(VOLUMES + "/guarded").text()).contains("\"uid\":\"old\"");
    }

    @Test
    void whatCannotBeReadIsRefused() throws Exception {
        for (String asked : List.of(
                "", "{", "[]", "{}", "{'act':'destroy','name':'x'}", "{'act':'adopt','name':'x','claim':'/'}")) {
            assertThat(ask(REHEARSAL, asked).status()).as(asked).isEqualTo(400);
        }
        assertThat(ask(REHEARSAL, "{'act':'" + "x".repeat(20_000) + "'}").status())
                .isIn(413, RawClient.REFUSED_UNREAD);
    }
}
