// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import static dev.mooring.apiserver.rest.RawWebSocket.BINARY;
import static dev.mooring.apiserver.rest.RawWebSocket.CLOSE;
import static dev.mooring.apiserver.rest.RawWebSocket.PING;
import static dev.mooring.apiserver.rest.RawWebSocket.PONG;
import static dev.mooring.apiserver.rest.RawWebSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.ServerThreads;
import dev.mooring.apiserver.rest.RawWebSocket.Received;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches by WebSocket, over a real connection. */
@Tag("long")
class WatchSocketTest {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String WATCH = CONFIG_MAPS + "?watch=true";
    private static final byte[] NOTHING = {};

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));

    private ApiServer server = null;

    @BeforeEach
    void start() throws Exception {
        // A table shows how old an object is.
        server = ApiServer.builder(store)
                .plain()
                .clock(InstantSource.fixed(Instant.now()))
                .start();
    }

    @AfterEach
    void close() {
        server.close();
        store.close();
    }

    private RawWebSocket watch(String path, String headers) throws Exception {
        return RawWebSocket.watch(server.port(), path, headers);
    }

    private void create(String name, String text) {
        store.createDocument(Kinds.CONFIG_MAP, object(name, text)).orThrow();
    }

    private static Document object(String name, String text) {
        return Document.of(
                Map.of("metadata", Map.of("name", name, "namespace", "default"), "data", Map.of("text", text)));
    }

    @Test
    void eachEventIsOneTextFrame() throws Exception {
        create("first", "x".repeat(200_000));
        try (RawWebSocket client = watch(WATCH, "")) {
            assertThat(client.answered().status()).isEqualTo(101);
            assertThat(client.answered().has("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
                    .isTrue();
            assertThat(client.answered().has("Sec-WebSocket-Extensions")).isFalse();
            assertThat(client.answered().has("Sec-WebSocket-Protocol")).isFalse();
            Received first = client.read();
            assertThat(first.code()).isEqualTo(TEXT);
            assertThat(first.isWhole()).isTrue();
            assertThat(first.text())
                    .startsWith("{\"type\":\"ADDED\",\"object\":{")
                    .endsWith("}\n");
            create("second", "");
            assertThat(client.read().text()).contains("ADDED", "\"second\"");
            store.deleteObject(Kinds.CONFIG_MAP, ObjectKey.of("default", "second"), DeleteOptions.DEFAULT)
                    .orThrow();
            assertThat(client.read().text()).contains("DELETED", "\"second\"");
        }
    }

    /** The same seeds, the same bytes: whichever way a client watches. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "?watch=true",
                "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
                "?watch=true&labelSelector=half%3Dleft",
                "?watch=true&resourceVersion=1&allowWatchBookmarks=true"
            })
    void aWebSocketHasTheEventsOfTheHttpStream(String query) throws Exception {
        List<String> forms = List.of(
                "application/json",
                "application/json;as=Table;g=meta.k8s.io;v=v1",
                "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
        for (int seed = 0; seed < forms.size() * 4; seed++) {
            Random random = new Random(seed);
            String accept = forms.get(seed % forms.size());
            change(random, 10);
            HttpURLConnection http = (HttpURLConnection)
                    URI.create(server.url() + CONFIG_MAPS + query).toURL().openConnection();
            http.setRequestProperty("Accept", accept);
            try (BufferedReader lines =
                            new BufferedReader(new InputStreamReader(http.getInputStream(), StandardCharsets.UTF_8));
                    RawWebSocket client = watch(CONFIG_MAPS + query, "Accept: " + accept + "\r\n")) {
                change(random, 30);
                store.sendBookmarks();
                String mark = "mark-" + seed;
                store.createDocument(Kinds.CONFIG_MAP, object(mark, "").with("left", "metadata", "labels", "half"))
                        .orThrow();
                List<String> byWebSocket = client.readUntil(text -> text.contains(mark));
                List<String> byHttp = new ArrayList<>();
                while (byHttp.isEmpty() || !byHttp.get(byHttp.size() - 1).contains(mark)) {
                    byHttp.add(lines.readLine() + "\n");
                }
                assertThat(byWebSocket).as("seed %s, %s", seed, accept).isEqualTo(byHttp);
            }
        }
    }

    private void change(Random random, int times) {
        for (int i = 0; i < times; i++) {
            String name = "object-" + random.nextInt(12);
            ObjectKey key = ObjectKey.of("default", name);
            Document wanted = object(name, "é\u2028" + random.nextInt())
                    .with(random.nextBoolean() ? "left" : "right", "metadata", "labels", "half");
            boolean there = store.getDocument(Kinds.CONFIG_MAP, key).value().isPresent();
            if (!there) {
                store.createDocument(Kinds.CONFIG_MAP, wanted).orThrow();
            } else if (random.nextInt(3) == 0) {
                store.deleteObject(Kinds.CONFIG_MAP, key, DeleteOptions.DEFAULT).orThrow();
            } else {
                store.applyDocument(Kinds.CONFIG_MAP, wanted).orThrow();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    /api/v1/nothings?watch=true, 404
                    /api/v1/configmaps?watch=true&labelSelector=%21%21, 400
                    /api/v1/configmaps?watch=true&timeoutSeconds=soon, 400
                    /api/v1/configmaps?watch=true&resourceVersion=new, 400
                    /api/v1/configmaps?watch=true&sendInitialEvents=true, 422
                    """)
    void whatIsWrongWithAWatchIsAnsweredBeforeTheUpgrade(String path, int status) throws Exception {
        try (RawWebSocket client = watch(path, "")) {
            assertThat(client.answered().status()).isEqualTo(status);
            assertThat(client.answered().body()).contains("\"kind\":\"Status\"");
        }
    }

    @Test
    void whoIsUnknownOrWantsAnotherFormIsRefusedBeforeTheUpgrade() throws Exception {
        try (RawWebSocket client = watch(WATCH, "Authorization: Bearer unknown\r\n")) {
            assertThat(client.answered().status()).isEqualTo(401);
        }
        try (RawWebSocket client = watch(WATCH, "Accept: application/yaml\r\n")) {
            assertThat(client.answered().status()).isEqualTo(406);
        }
    }

    /** One that is passed over would leave its client waiting for ever. */
    @ParameterizedTest
    @CsvSource(textBlock = """
                    GET, /api/v1/configmaps, websocket, 400
                    GET, /api/v1/namespaces/default, websocket, 400
                    GET, /api, websocket, 400
                    GET, /version, WebSocket, 400
                    GET, /api/v1/configmaps?watch=false, websocket, 400
                    POST, /api/v1/namespaces/default/configmaps, websocket, 400
                    GET, /api/v1/configmaps?watch=true, SPDY/3.1, 400
                    GET, /api/v1/configmaps?watch=true, 'h2c, SPDY/3.1', 400
                    POST, /api/v1/namespaces/default/pods/web/exec?command=sh, SPDY/3.1, 404
                    GET, /api/v1/namespaces/default/pods/web/exec?command=sh, websocket, 404
                    GET, /api/v1/namespaces/default/pods/web/attach, websocket, 404
                    POST, /api/v1/namespaces/default/pods/web/portforward, SPDY/3.1, 404
                    GET, /api/v1/namespaces/default/pods/web/log?follow=true, websocket, 404
                    """)
    void anUpgradeThatIsNotServedIsRefusedAtOnce(String method, String path, String upgrade, int status)
            throws Exception {
        String head = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n"
                + RawWebSocket.HANDSHAKE.replace("websocket", upgrade) + "\r\n";
        try (RawWebSocket client = new RawWebSocket(server.port(), head)) {
            assertThat(client.answered().status()).isEqualTo(status);
            assertThat(client.answered().body()).contains("\"kind\":\"Status\"");
        }
    }

    /** The JDK's client offers it with each request that is not encrypted. */
    @Test
    void anOfferOfHttp2IsPassedOver() throws Exception {
        String offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n";
        try (RawWebSocket client =
                new RawWebSocket(server.port(), RawWebSocket.get("/api/v1/namespaces/default", offer))) {
            assertThat(client.answered().status()).isEqualTo(200);
            assertThat(client.answered().body()).contains("\"Namespace\"");
        }
        try (RawWebSocket client = new RawWebSocket(server.port(), RawWebSocket.get(WATCH, offer))) {
            assertThat(client.answered().status()).isEqualTo(200);
            assertThat(client.answered().has("Transfer-Encoding: chunked")).isTrue();
        }
    }

    @Test
    void aConnectionThatMayBecomeSomethingElseStaysWhatItIs() throws Exception {
        String head = RawWebSocket.get("/api/v1/configmaps", "Connection: Upgrade\r\n");
        try (RawWebSocket client = new RawWebSocket(server.port(), head)) {
            assertThat(client.answered().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Sec-WebSocket-Version: 13           | Sec-WebSocket-Version: 8         | 400
                    Sec-WebSocket-Version: 13           | X-Other: 1                       | 400
                    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ== | X-Other: 1               | 400
                    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ== | Sec-WebSocket-Key: short | 101
                    Connection: Upgrade                 | Connection: keep-alive, Upgrade  | 101
                    Upgrade: websocket                  | Upgrade: WebSocket               | 101
                    Upgrade: websocket                  | Upgrade: h2c, websocket          | 400
                    HTTP/1.1                            | HTTP/1.0                         | 400
                    X-None                              | Sec-WebSocket-Protocol: a        | 101
                    X-None                              | Sec-WebSocket-Protocol: "a"      | 101
                    X-None                              | Sec-WebSocket-Protocol: a, b     | 400
                    X-None                              | Sec-WebSocket-Extensions: permessage-deflate | 101
                    X-None                              | Sec-WebSocket-Extensions: ;;=    | 101
                    X-None                              | Origin: http://127.0.0.1         | 101
                    X-None                              | Origin: http://elsewhere.example | 401
                    X-None                              | Origin: null                     | 401
                    """)
    void aHandshakeIsJudgedAsTheApiServerJudgesIt(String from, String to, int status) throws Exception {
        String head = RawWebSocket.get(WATCH, RawWebSocket.HANDSHAKE + "X-None\r\n")
                .replace(from, to)
                .replace("X-None\r\n", "");
        try (RawWebSocket client = new RawWebSocket(server.port(), head)) {
            assertThat(client.answered().status()).isEqualTo(status);
            assertThat(client.answered().has("Sec-WebSocket-Version: 13")).isEqualTo(status == 400);
            assertThat(client.answered().has("Sec-WebSocket-Extensions")).isFalse();
            assertThat(client.answered().has("Sec-WebSocket-Protocol: a"))
                    .isEqualTo(status == 101 && to.endsWith(": a"));
        }
    }

    /** Each page may open a WebSocket, whichever server it is of: RFC 6455, section 10.2. */
    @ParameterizedTest
    @CsvSource(textBlock = """
                    127.0.0.1:8080, http://127.0.0.1:8080, 101
                    localhost:8080, http://localhost:8080, 101
                    127.0.0.1:8080, http://127.0.0.1:3000, 401
                    127.0.0.1:8080, https://elsewhere.example, 401
                    turned.example:8080, http://turned.example:8080, 401
                    turned.example:8080, '', 401
                    """)
    void aPageOfAnotherServerIsNotTheAdministratorOfAPlainServer(String host, String origin, int status)
            throws Exception {
        String head = RawWebSocket.get(WATCH, RawWebSocket.HANDSHAKE + "Origin: " + origin + "\r\n")
                .replace("Host: 127.0.0.1", "Host: " + host);
        try (RawWebSocket client = new RawWebSocket(server.port(), head)) {
            assertThat(client.answered().status()).isEqualTo(status);
        }
    }

    @Test
    void aTokenMayBeOfferedAsAProtocol() throws Exception {
        String kubeconfig;
        try (ApiServer other = ApiServer.builder(store).start()) {
            kubeconfig = other.kubeconfig();
        }
        String token = kubeconfig.replaceAll("(?s).*token: (\\S+).*", "$1");
        String prefix = "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.";
        String strange = Base64.getUrlEncoder().withoutPadding().encodeToString(token.getBytes(StandardCharsets.UTF_8));
        // A plain server treats a client with a token of another server like all other clients.
        try (RawWebSocket client = watch(WATCH, prefix + strange + ", base64.binary.k8s.io\r\n")) {
            assertThat(client.answered().status()).isEqualTo(101);
            assertThat(client.answered().has("Sec-WebSocket-Protocol: base64.binary.k8s.io"))
                    .isTrue();
        }
    }

    @Test
    void aRevisionThatIsForgottenIsAnErrorInTheStream() throws Exception {
        try (RawWebSocket client = watch(WATCH + "&resourceVersion=999999", "")) {
            assertThat(client.read().text()).contains("\"type\":\"ERROR\"", "\"code\":410", "\"Expired\"");
            Received end = client.read();
            assertThat(end.code()).isEqualTo(CLOSE);
            assertThat(end.closeStatus()).isEqualTo(1000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1"})
    void aWatchWhoseTimeIsOverIsClosed(String seconds) throws Exception {
        try (RawWebSocket client = watch(WATCH + "&timeoutSeconds=" + seconds, "")) {
            Received end = client.read();
            assertThat(end.code()).isEqualTo(CLOSE);
            assertThat(end.closeStatus()).isEqualTo(1000);
            client.send(0x80 | CLOSE, new byte[] {3, (byte) 232});
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void aPingIsAnsweredAndWhateverElseAClientSendsIsDropped() throws Exception {
        try (RawWebSocket client = watch(WATCH, "")) {
            client.send(0x80 | TEXT, "{\"type\":\"ADDED\"}".getBytes(StandardCharsets.UTF_8));
            client.send(0x80 | BINARY, new byte[300_000]);
            client.send(TEXT, NOTHING);
            client.send(0x80 | PING, "between".getBytes(StandardCharsets.UTF_8));
            client.send(0x80, new byte[10]);
            client.send(0x80 | PONG, NOTHING);
            Received pong = client.read();
            assertThat(pong.code()).isEqualTo(PONG);
            assertThat(pong.text()).isEqualTo("between");
            create("after", "");
            assertThat(client.read().text()).contains("\"after\"");
        }
    }

    @Test
    void aFrameOfAClientIsNotKeptUntilItIsWhole() throws Exception {
        try (RawWebSocket client = watch(WATCH, "")) {
            long length = 2_000_000_000;
            client.write(ByteBuffer.allocate(14)
                    .put((byte) (0x80 | BINARY))
                    .put((byte) 0xff)
                    .putLong(length)
                    .putInt(0)
                    .array());
            client.write(new byte[1 << 20]);
            create("after", "");
            assertThat(client.read().text()).contains("\"after\"");
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    810161,             1002, not masked
                    838000000000,       1002, no code of a frame
                    c18000000000,       1002, a reserved bit
                    098000000000,       1002, a ping in pieces
                    89fe00ff0000000000, 1002, a long ping
                    808000000000,       1002, goes on with nothing
                    888200000000000103, 1002, a status that is none
                    """)
    void aFrameThatIsNoneEndsTheConnection(String bytes, int status, String what) throws Exception {
        try (RawWebSocket client = watch(WATCH, "")) {
            byte[] sent = new byte[bytes.length() / 2];
            for (int i = 0; i < sent.length; i++) {
                sent[i] = (byte) Integer.parseInt(bytes.substring(2 * i, 2 * i + 2), 16);
            }
            client.write(sent);
            Received end = client.read();
            assertThat(end.code()).as(what).isEqualTo(CLOSE);
            assertThat(end.closeStatus()).as(what).isEqualTo(status);
        }
        try (RawWebSocket another = watch(WATCH, "")) {
            create("seen", "");
            assertThat(another.read().text()).contains("\"seen\"");
        }
    }

    @Test
    void aClientThatClosesIsAnsweredAndItsWatchEnds() throws Exception {
        try (RawWebSocket client = watch(WATCH, "")) {
            client.send(0x80 | CLOSE, new byte[] {15, (byte) 160});
            Received answer = client.read();
            assertThat(answer.code()).isEqualTo(CLOSE);
            assertThat(answer.closeStatus()).isEqualTo(4000);
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void aClientThatReadsNothingIsCutOffWithTheReason() throws Exception {
        create("large", "x");
        try (RawWebSocket client = watch(WATCH, "")) {
            for (int i = 0; i < 500; i++) {
                store.applyDocument(Kinds.CONFIG_MAP, object("large", i + "x".repeat(200_000)))
                        .orThrow();
            }
            List<String> heard = client.readUntil(text -> text.contains("\"ERROR\""));
            assertThat(heard.get(heard.size() - 1)).contains("reads too slowly", "\"code\":410");
            assertThat(heard).hasSizeLessThan(490);
            assertThat(client.read().closeStatus()).isEqualTo(1000);
        }
    }

    @Test
    void theEndOfTheServerEndsWebSocketsAndLeavesNoThread() throws Exception {
        server.close(); // its threads come and go, and have the same names
        Set<Thread> before = ServerThreads.alive();
        ApiServer other = ApiServer.builder(store).plain().start();
        try (RawWebSocket client = RawWebSocket.watch(other.port(), "/api/v1/namespaces?watch=true", "");
                RawWebSocket silent = RawWebSocket.watch(other.port(), WATCH, "")) {
            assertThat(client.read().text()).contains("ADDED");

            other.close();

            assertThat(silent.read().closeStatus()).isEqualTo(1000);
            Received last = client.read();
            while (last.code() == TEXT) {
                last = client.read();
            }
            assertThat(last.closeStatus()).isEqualTo(1000);
        }
        ServerThreads.assertNoneLeft(before);
    }
}
