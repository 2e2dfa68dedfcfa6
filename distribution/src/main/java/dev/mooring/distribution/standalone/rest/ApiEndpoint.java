// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.distribution.http.HttpServers;
import dev.mooring.distribution.standalone.access.Credentials;
import dev.mooring.distribution.standalone.token.ServiceAccountTokens;
import dev.mooring.runtime.store.DocumentStore;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The endpoint: TLS, and a token for everything but the health checks. */
public final class ApiEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiEndpoint.class);
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int MOST_THREADS = 64;

    /** What the HTTP server puts in the place of a request line, or of a head, that it could not read at all. */
    private static final Set<String> PLACEHOLDERS = Set.of("/badMessage", "/badRequest");

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
            Handler before)
            throws IOException {
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 4);
        threads.setName("api");
        Server server = new Server(threads);
        ServerConnector connector = connector(server, new ServingTls(credentials.server(), clock));
        connector.setHost(address.getHostAddress());
        connector.setPort(port);
        server.addConnector(connector);
        ApiHandler handler = new ApiHandler(
                new Router(store, clock, backups, tokens, credentials::isToken), credentials, tokens, server);
        server.setHandler(new Handler.Sequence(before, handler));
        server.setErrorHandler(ApiEndpoint::unreadable);
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

    /** Answers what the HTTP server itself refuses, in the form in which clients expect refusals. */
    private static boolean unreadable(Request request, Response response, Callback callback) {
        int status = statusOf(request, response.getStatus());
        response.setStatus(status);
        String reason = status == 400 ? "BadRequest" : status >= 500 ? "InternalError" : "";
        Answer answer = Answer.json(status, Statuses.failure(status, reason, "the request cannot be read"));
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.write(true, answer.body(), callback);
        return true;
    }

    private static int statusOf(Request request, int status) {
        Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        int blamed = statusOf(status, cause, request.getHttpURI());
        if (status >= HttpStatus.INTERNAL_SERVER_ERROR_500 && !(cause instanceof EofException)) {
            LOG.warn("the HTTP server answers {} by itself, told as {}: {}", status, blamed, origin(cause));
        }
        return blamed;
    }

    /**
     * A client that ends in the middle of what it sends, or asks for a path that is none, is no defect of the server. Such a path is never
     * answered otherwise: the HTTP server refuses it before a handler sees it, whatever else fails meanwhile.
     */
    static int statusOf(int status, @Nullable Object cause, HttpURI uri) {
        boolean ofTheClient = cause instanceof EofException
                || uri.hasViolations()
                || PLACEHOLDERS.contains(String.valueOf(uri.getPath()));
        return status >= HttpStatus.INTERNAL_SERVER_ERROR_500 && ofTheClient ? HttpStatus.BAD_REQUEST_400 : status;
    }

    /** What failed and where; not its message, which may repeat what the client sent. */
    private static String origin(@Nullable Object cause) {
        if (!(cause instanceof Throwable failure)) {
            return "no cause";
        }
        StackTraceElement[] trace = failure.getStackTrace();
        return failure.getClass() + (trace.length == 0 ? "" : " at " + trace[0]);
    }

    private static HttpConfiguration http() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
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
