// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kubernetes.cluster.PlainHttp;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.junit.jupiter.api.Test;

class RequestConnectionsTest {
    private static final int MANY = 100;
    private static final RequestConnections.Settings SETTINGS = settings();

    private static RequestConnections.Settings settings() {
        try {
            return new RequestConnections.Settings(SSLContext.getDefault(), List.of(), "", Duration.ofSeconds(10));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void oneTaskLooksForOldConnectionsHoweverOftenOneIsIdle() throws Exception {
        List<Runnable> tasks = new ArrayList<>();
        try (FakeServer server = new FakeServer();
                RequestConnections connections = new RequestConnections(SETTINGS, TimeSource.system(), tasks::add)) {
            URI uri = URI.create(server.connection().server() + "/a");
            for (int i = 0; i < MANY; i++) {
                connections.exchange(uri, new BasicClassicHttpRequest("GET", uri), FakeServer.AMPLE);
            }
            assertThat(tasks).hasSize(1);

            tasks.remove(0).run();
            assertThat(tasks).as("it comes again while a connection is kept").hasSize(1);
            assertThat(server.requests()).isEqualTo(MANY);
        }
    }

    @Test
    void whatAServerSaysUnaskedIsNoAnswerToTheNextRequest() throws Exception {
        AtomicLong nanos = new AtomicLong();
        AtomicInteger connected = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
                RequestConnections connections =
                        new RequestConnections(SETTINGS, () -> new Time(Instant.EPOCH, nanos.get()), task -> {})) {
            Thread serving = new Thread(() -> serve(server, connected));
            serving.setDaemon(true); // it ends with the socket
            serving.start();
            URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/a");
            for (int i = 0; i < 3; i++) {
                int code = connections
                        .exchange(uri, new BasicClassicHttpRequest("GET", uri), FakeServer.AMPLE)
                        .head()
                        .getCode();
                assertThat(code).isEqualTo(200);
                nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
            }
            assertThat(connected.get()).isEqualTo(3);
        }
    }

    /** Answers one request of each connection, and says at once that the next one took too long. */
    private static void serve(ServerSocket server, AtomicInteger connected) {
        while (true) {
            try {
                Socket socket = server.accept();
                connected.incrementAndGet();
                PlainHttp.head(new BufferedInputStream(socket.getInputStream()));
                socket.getOutputStream()
                        .write(
                                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
            } catch (IOException closed) {
                return;
            }
        }
    }
}
