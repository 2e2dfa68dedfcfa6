// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a watch is on the wire. */
class WholeChunksTest {
    private static final int TOO_LONG_MILLIS = 20_000;

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
    private ApiServer server;

    @BeforeEach
    void start() throws IOException {
        server = ApiServer.builder(store).plain().start();
    }

    @AfterEach
    void stop() {
        server.close();
        store.close();
    }

    private Socket watch(String parameters, String version) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(TOO_LONG_MILLIS);
        socket.getOutputStream()
                .write(("GET /api/v1/nodes?watch=true" + parameters + " " + version + "\r\nHost: localhost\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    private static void skipHead(InputStream in) throws IOException {
        for (String line = line(in); !line.equals("\r"); line = line(in)) {
            assertThat(line).as("the head of the answer").isNotEmpty();
        }
    }

    /** One chunk, as a client reads it that hands none on before its end. */
    private static String chunk(InputStream in) throws IOException {
        int size = Integer.parseInt(line(in).strip(), 16);
        String chunk = new String(in.readNBytes(size), StandardCharsets.UTF_8);
        assertThat(line(in)).as("what ends the chunk").isEqualTo("\r");
        return chunk;
    }

    @Test
    void eachEventIsSentWithTheEndOfItsChunk() throws IOException {
        try (Socket socket = watch("", "HTTP/1.1")) {
            InputStream in = socket.getInputStream();
            skipHead(in);
            for (int i = 0; i < 3; i++) {
                store.create(Kinds.NODE, Node.of("n" + i)).orThrow();
                assertThat(chunk(in)).contains("\"n" + i + "\"").endsWith("}\n");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aWatchEndsWithTheLastChunk(int events) throws IOException {
        for (int i = 0; i < events; i++) {
            store.create(Kinds.NODE, Node.of("n" + i)).orThrow();
        }
        try (Socket socket = watch("&timeoutSeconds=1", "HTTP/1.1")) {
            InputStream in = socket.getInputStream();
            skipHead(in);
            for (int i = 0; i < events; i++) {
                assertThat(chunk(in)).contains("\"n" + i + "\"");
            }
            assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).isEqualTo("0\r\n\r\n");
        }
    }

    @Test
    void anOldClientGetsLinesAlone() throws IOException {
        store.create(Kinds.NODE, Node.of("n")).orThrow();
        try (Socket socket = watch("&timeoutSeconds=1", "HTTP/1.0")) {
            InputStream in = socket.getInputStream();
            skipHead(in);
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("{\"type\":\"ADDED\"")
                    .endsWith("}\n");
        }
    }

    /** Larger than the buffers of a connection, so that one line takes more than one write. */
    @Test
    void aLargeEventIsWhole() throws IOException {
        Node node = Node.of("large");
        store.create(Kinds.NODE, node.withMetadata(node.metadata().withAnnotation("text", "x".repeat(200_000))))
                .orThrow();
        try (Socket socket = watch("", "HTTP/1.1")) {
            InputStream in = socket.getInputStream();
            skipHead(in);
            StringBuilder line = new StringBuilder();
            while (line.indexOf("\n") < 0) {
                line.append(chunk(in));
            }
            assertThat(line.toString()).contains("x".repeat(200_000)).endsWith("}\n");
        }
    }
}
