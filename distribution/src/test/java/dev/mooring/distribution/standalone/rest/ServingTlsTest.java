// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.access.Credentials;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServingTlsTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    private Path directory = Path.of("");

    @Test
    void whoConnectsAfterYearsIsShownARenewedCertificate() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(NOW);
        Credentials credentials = Credentials.in(directory, List.of("localhost"), new SecureRandom(), NOW);
        Server server = new Server();
        ServerConnector connector = new ServerConnector(
                server,
                new SslConnectionFactory(new ServingTls(credentials.server(), now::get), "http/1.1"),
                new HttpConnectionFactory());
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        server.start();
        try {
            Certificate first = shown(connector.getLocalPort());
            assertThat(shown(connector.getLocalPort())).isEqualTo(first);
            now.set(NOW.plus(Duration.ofDays(820)));
            assertThat(shown(connector.getLocalPort()))
                    .isNotEqualTo(first)
                    .isEqualTo(credentials.server().store().getCertificate("mooring"));
        } finally {
            server.stop();
        }
    }

    private static Certificate shown(int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anything()}, new SecureRandom());
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    /** The certificates are of another time than this test. */
    private static final class Anything extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
