// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.distribution.http.HttpServers;
import dev.mooring.distribution.http.StrictRequests;
import dev.mooring.distribution.standalone.access.Credentials;
import dev.mooring.distribution.standalone.token.ServiceAccountTokens;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The endpoint: TLS, and a token for everything but the health checks. */
public final class ApiEndpoint implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int MOST_THREADS = 64;

    private final Server server;
    private final ServerConnector connector;
    private final ApiHandler handler;

    private ApiEndpoint(Server server, ServerConnector connector, ApiHandler handler) {
        this.server = server;
        this.connector = connector;
        this.handler = handler;
    }

    /**
     * Starts to listen.
     *
     * @param store what is shown; stays the caller's
     * @param tokens whose tokens of service accounts let in, too
     * @param backups makes copies of what the store holds
     * @param address where to listen
     * @param port 0 for a free one
     * @param before handles what it answers before the API does, such as a page
     * @param sickness why this server is of no use any more, for its health checks; empty while it is
     * @throws IOException if it cannot listen there; the message says where
     */
    public static ApiEndpoint start(
            DocumentStore store,
            InstantSource clock,
            Credentials credentials,
            ServiceAccountTokens tokens,
            Backups backups,
            InetAddress address,
            int port,
            Handler before,
            Supplier<Optional<String>> sickness)
            throws IOException {
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 4);
        threads.setName("api");
        Server server = new Server(threads);
        ServerConnector connector = connector(server, new ServingTls(credentials.server(), clock));
        connector.setHost(address.getHostAddress());
        connector.setPort(port);
        server.addConnector(connector);
        ApiHandler handler = new ApiHandler(
                new Router(store, clock, backups, tokens, credentials::isToken), credentials, tokens, server, sickness);
        server.setHandler(new StrictRequests(new Handler.Sequence(before, handler)));
        server.setErrorHandler(new ServerRefusals(clock));
        try {
            server.start();
        } catch (Exception e) {
            HttpServers.stop(server, Duration.ZERO);
            throw HttpServers.cannotListen(address.getHostAddress(), port, e);
        }
        return new ApiEndpoint(server, connector, handler);
    }

    private static ServerConnector connector(Server server, SslContextFactory.Server tls) {
        // A buffer belongs to one connection for good: one that is given back twice (jetty/jetty.project#12939) would
        // carry the bytes of two clients at once.
        ServerConnector connector = new ServerConnector(
                server,
                null,
                null,
                new ByteBufferPool.NonPooling(),
                1,
                1,
                new SslConnectionFactory(tls, "http/1.1"),
                new HttpConnectionFactory(http()));
        connector.setIdleTimeout(IDLE.toMillis());
        return connector;
    }

    private static HttpConfiguration http() {
        HttpConfiguration http = HttpServers.configuration();
        http.setSendDateHeader(true);
        http.setUseInputDirectByteBuffers(false);
        http.setUseOutputDirectByteBuffers(false);
        http.addCustomizer(new SecureRequestCustomizer(false));
        return http;
    }

    /** The port it listens on. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Ends all watches and stops to listen; requests under way get a moment to end. */
    @Override
    public void close() {
        handler.endStreams();
        HttpServers.stop(server, GRACE);
    }
}
