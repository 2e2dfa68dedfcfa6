// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The JDK's own WebSocket. */
class JdkWebSocketTest {
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private @Nullable ApiServer server;

    @BeforeEach
    void start() throws Exception {
        server = ApiServer.builder(store).plain().start();
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
        store.close();
    }

    private final class Listening implements WebSocket.Listener {
        private final StringBuilder parts = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            parts.append(data);
            if (last) {
                heard.add(parts.toString());
                parts.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            heard.add("pong " + StandardCharsets.UTF_8.decode(message));
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int statusCode, String reason) {
            heard.add("closed " + statusCode);
            return null;
        }
    }

    private WebSocket open(String path) {
        URI uri = URI.create(url().replaceFirst("^http", "ws") + path);
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(uri, new Listening())
                .join();
    }

    private String url() {
        return server == null ? "" : server.url();
    }

    private String next() throws InterruptedException {
        return String.valueOf(heard.poll(60, TimeUnit.SECONDS));
    }

    @Test
    void eventsPongsAndTheEndAreHeard() throws Exception {
        WebSocket socket = open("/api/v1/namespaces/default/configmaps?watch=true");
        for (int i = 0; i < 3; i++) {
            store.createDocument(
                            Kinds.CONFIG_MAP,
                            Document.of(Map.of(
                                    "metadata",
                                    Map.of("name", "object-" + i, "namespace", "default"),
                                    "data",
                                    Map.of("text", "é".repeat(100_000)))))
                    .orThrow();
            assertThat(next())
                    .startsWith("{\"type\":\"ADDED\"")
                    .contains("\"object-" + i)
                    .endsWith("}\n");
        }
        socket.sendPing(ByteBuffer.wrap("here".getBytes(StandardCharsets.UTF_8)))
                .join();
        assertThat(next()).isEqualTo("pong here");
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        assertThat(next()).isEqualTo("closed 1000");
    }

    @Test
    void aWatchWhoseTimeIsOverIsClosed() throws Exception {
        WebSocket socket = open("/api/v1/configmaps?watch=true&timeoutSeconds=1");
        assertThat(next()).isEqualTo("closed 1000");
        assertThat(socket.isInputClosed()).isTrue();
    }

    @Test
    void whatIsNoWatchIsRefusedAtOnce() {
        for (String path : new String[] {"/api/v1/configmaps", "/api/v1/namespaces/default/pods/web/exec"}) {
            assertThatThrownBy(() -> open(path))
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            WebSocketHandshakeException.class,
                            refused -> assertThat(refused.getResponse().statusCode())
                                    .isBetween(400, 404));
        }
    }
}
