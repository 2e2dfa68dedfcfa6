// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A request without a token that does not end keeps no other client waiting. */
@TestInstance(Lifecycle.PER_CLASS)
class HalfRequestsTest {
    /** As many as the server has threads. */
    private static final int MANY = 64;

    /** Less than it takes the server to lose its patience with those who say nothing. */
    private static final int PATIENCE_MILLIS = 30_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // started before the tests
    private Standalone server;

    @SuppressWarnings("NullAway.Init") // read before the tests
    private ServerKubeconfig config;

    @BeforeAll
    void start() throws Exception {
        server = Standalone.start(StandaloneServers.options(directory.resolve("data")), List.of());
        config = ServerKubeconfig.read(directory.resolve("data/kubeconfig"));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private TlsConnection asked(String text) throws IOException {
        TlsConnection connection = new TlsConnection(config, PATIENCE_MILLIS);
        connection.out().write(text.getBytes(StandardCharsets.US_ASCII));
        connection.out().flush();
        return connection;
    }

    private static String status(TlsConnection connection) throws IOException {
        return new String(connection.in().readNBytes(12), StandardCharsets.US_ASCII);
    }

    @Test
    void halfSentLoginsHoldNoThreads() throws Exception {
        List<TlsConnection> half = new ArrayList<>();
        try {
            for (int i = 0; i < MANY; i++) {
                half.add(asked("POST /ui/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"));
            }
            String ask =
                    "GET /version HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + config.token() + "\r\n\r\n";
            try (TlsConnection whole = asked(ask)) {
                assertThat(status(whole)).isEqualTo("HTTP/1.1 200");
            }
        } finally {
            for (TlsConnection each : half) {
                each.close();
            }
        }
    }

    @Test
    void aLoginThatComesInPiecesIsAnswered() throws Exception {
        String head = "POST /ui/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                + config.token().length() + "\r\n\r\n";
        try (TlsConnection connection = asked(head + config.token().substring(0, 7))) {
            connection.out().write(config.token().substring(7).getBytes(StandardCharsets.US_ASCII));
            connection.out().flush();
            assertThat(status(connection)).isEqualTo("HTTP/1.1 204");
        }
    }

    @Test
    void whoAsksForHealthIsAnsweredBeforeAnythingElseIsRead() throws Exception {
        String head = " /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n";
        try (TlsConnection get = asked("GET" + head);
                TlsConnection post = asked("POST" + head)) {
            assertThat(status(get)).isEqualTo("HTTP/1.1 200");
            assertThat(status(post)).isEqualTo("HTTP/1.1 405");
        }
    }
}
