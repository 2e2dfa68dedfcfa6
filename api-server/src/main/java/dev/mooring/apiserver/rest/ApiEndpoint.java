// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.access.Credentials;
import dev.mooring.apiserver.http.HttpServers;
import dev.mooring.apiserver.http.StrictRequests;
import dev.mooring.apiserver.http.WholeChunks;
import dev.mooring.apiserver.rest.watch.OpenStreams;
import dev.mooring.apiserver.token.ServiceAccountTokens;
import dev.mooring.clusterstore.DocumentStore;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketServerComponents;

/** The HTTP endpoint of the API: TLS, and a token for everything but the health checks, unless it is {@link Builder#plain}. */
public final class ApiEndpoint implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** How long a client may say nothing before it is cut off when the server ends: most keep connections that they do not use. */
    private static final Duration SILENCE_AT_END = Duration.ofMillis(20);

    private static final int MOST_THREADS = 64;

    private final Server server;
    private final ServerConnector connector;
    private final OpenStreams streams;

    private ApiEndpoint(Server server, ServerConnector connector, OpenStreams streams) {
        this.server = server;
        this.connector = connector;
        this.streams = streams;
    }

    /**
     * Begins to describe an endpoint.
     *
     * @param store what is shown; stays the caller's
     * @param tokens whose tokens of service accounts let in, too
     */
    public static Builder builder(
            DocumentStore store, Credentials credentials, ServiceAccountTokens tokens, InstantSource clock) {
        return new Builder(store, credentials, tokens, clock);
    }

    /** Describes an endpoint, and starts it. */
    public static final class Builder {
        private final DocumentStore store;
        private final Credentials credentials;
        private final ServiceAccountTokens tokens;
        private final InstantSource clock;
        private InstantSource objectClock;
        private Optional<Backups> backups = Optional.empty();
        private Optional<Handler> before = Optional.empty();
        private Supplier<Optional<String>> sickness = Optional::empty;
        private boolean plain;

        private Builder(
                DocumentStore store, Credentials credentials, ServiceAccountTokens tokens, InstantSource clock) {
            this.store = store;
            this.credentials = credentials;
            this.tokens = tokens;
            this.clock = clock;
            this.objectClock = clock;
        }

        /** The time of objects, if it is another one than that of tokens and certificates. */
        public Builder objectClock(InstantSource newClock) {
            objectClock = newClock;
            return this;
        }

        /** Makes copies of what the store holds, when a client asks for one. */
        public Builder backups(Backups maker) {
            backups = Optional.of(maker);
            return this;
        }

        /** Handles what it answers before the API does, such as a page. */
        public Builder before(Handler handler) {
            before = Optional.of(handler);
            return this;
        }

        /** Why this server is of no use any more, for its health checks; empty while it is. */
        public Builder sickness(Supplier<Optional<String>> reason) {
            sickness = reason;
            return this;
        }

        /** Without TLS; a request without a token is the administrator's. */
        public Builder plain() {
            plain = true;
            return this;
        }

        /**
         * Starts to listen.
         *
         * @param port 0 for a free one
         * @throws IOException if it cannot listen there; the message says where
         */
        public ApiEndpoint start(InetAddress address, int port) throws IOException {
            QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 4);
            threads.setName("api");
            Server server = new Server(threads);
            ServerConnector connector = connector(
                    server, plain ? Optional.empty() : Optional.of(new ServingTls(credentials.server(), clock)));
            connector.setHost(address.getHostAddress());
            connector.setPort(port);
            server.addConnector(connector);
            Router router = new Router(store, clock, objectClock, backups, tokens, credentials::isToken);
            OpenStreams streams = new OpenStreams(
                    server, new WebSocketMappings(WebSocketServerComponents.ensureWebSocketComponents(server)));
            Authentication authentication = new Authentication(credentials, tokens, plain);
            ApiHandler handler = new ApiHandler(router, authentication, server, streams, sickness);
            server.setHandler(new StrictRequests(before.<Handler>map(first -> new Handler.Sequence(first, handler))
                    .orElse(handler)));
            server.setErrorHandler(new ServerRefusals(clock));
            try {
                server.start();
            } catch (Exception e) {
                HttpServers.stop(server, Duration.ZERO);
                throw HttpServers.cannotListen(address.getHostAddress(), port, e);
            }
            return new ApiEndpoint(server, connector, streams);
        }
    }

    private static ServerConnector connector(Server server, Optional<SslContextFactory.Server> tls) {
        HttpConfiguration http = http();
        List<ConnectionFactory> protocols = new ArrayList<>();
        tls.ifPresent(context -> {
            http.addCustomizer(new SecureRequestCustomizer(false));
            protocols.add(new SslConnectionFactory(context, "http/1.1"));
        });
        protocols.add(WholeChunks.http(http));
        // A buffer belongs to one connection for ever: a buffer that is given back twice (jetty/jetty.project#12939)
        // would carry the bytes of two clients at once.
        ServerConnector connector = new ServerConnector(
                server, null, null, new ByteBufferPool.NonPooling(), 1, 1, protocols.toArray(ConnectionFactory[]::new));
        connector.setIdleTimeout(IDLE.toMillis());
        connector.setShutdownIdleTimeout(SILENCE_AT_END.toMillis());
        return connector;
    }

    private static HttpConfiguration http() {
        HttpConfiguration http = HttpServers.configuration();
        http.setSendDateHeader(true);
        http.setUseInputDirectByteBuffers(false);
        http.setUseOutputDirectByteBuffers(false);
        return http;
    }

    /** The port it listens on. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Ends all watches and stops to listen; requests under way get a moment to end. */
    @Override
    public void close() {
        streams.end();
        HttpServers.stop(server, GRACE);
    }
}
