// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.access.Credentials;
import dev.mooring.apiserver.access.ServerCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManager;
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

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);

    @Test
    void whoConnectsAfterYearsIsShownARenewedCertificate() throws Exception {
        Credentials credentials = Credentials.in(directory, List.of("localhost"), new SecureRandom(), NOW);
        withServer(new ServingTls(credentials.server(), now::get), port -> {
            Certificate first = shown(port);
            assertThat(shown(port)).isEqualTo(first);
            now.set(NOW.plus(Duration.ofDays(820)));
            assertThat(shown(port))
                    .isNotEqualTo(first)
                    .isEqualTo(credentials.server().store().getCertificate("mooring"));
        });
    }

    /** A failure in the middle of the change leaves the factory without any. */
    @Test
    void theCertificateBeforeIsShownAsLongAsTheRenewedOneCannotBeLoaded() throws Exception {
        Credentials credentials = Credentials.in(directory, List.of("localhost"), new SecureRandom(), NOW);
        Fragile tls = new Fragile(credentials.server(), now::get);
        withServer(tls, port -> {
            Certificate first = shown(port);
            tls.refusals.set(1);
            now.set(NOW.plus(Duration.ofDays(820)));
            assertThat(shown(port)).isEqualTo(first);
            assertThat(shown(port)).isEqualTo(first);
            assertThat(tls.refusals).as("it was tried").hasValue(0);
            now.set(now.get().plus(Duration.ofMinutes(10)));
            assertThat(shown(port))
                    .isNotEqualTo(first)
                    .isEqualTo(credentials.server().store().getCertificate("mooring"));
        });
    }

    private interface Visit {
        void at(int port) throws Exception;
    }

    private static void withServer(ServingTls tls, Visit visit) throws Exception {
        Server server = new Server();
        ServerConnector connector =
                new ServerConnector(server, new SslConnectionFactory(tls, "http/1.1"), new HttpConnectionFactory());
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        server.start();
        try {
            visit.at(connector.getLocalPort());
        } finally {
            server.stop();
        }
    }

    /** Cannot load what it is given so many times. */
    private static final class Fragile extends ServingTls {
        private final AtomicInteger refusals = new AtomicInteger();

        Fragile(ServerCertificate certificate, InstantSource clock) throws IOException {
            super(certificate, clock);
        }

        @Override
        protected KeyManager[] getKeyManagers(KeyStore keyStore) throws Exception {
            if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new UnrecoverableKeyException("so it is");
            }
            return super.getKeyManagers(keyStore);
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
