// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.control.TimeSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnectionFactory;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/**
 * Connections by HTTP/1.1 that carry one request at a time, each written and read by the thread that sends it. That takes less processor
 * time than a connection that many requests share. They are kept for a while, since a new one costs a handshake. Thread-safe.
 */
final class RequestConnections implements AutoCloseable {
    private static final Duration KEPT = Duration.ofSeconds(10);

    /** A connection that was idle for longer is looked at first, which takes a millisecond: its server may have ended it. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    private final HttpRequestExecutor executor = new HttpRequestExecutor();
    private final DefaultBHttpClientConnectionFactory factory =
            DefaultBHttpClientConnectionFactory.builder().build();
    private final Executor later;
    private final Settings settings;
    private final TimeSource time;
    private final Deque<OwnConnection> idle = new ArrayDeque<>(); // the one used last comes first; guarded by this
    private boolean lookingForOld; // guarded by this
    private boolean closed; // guarded by this

    /**
     * What all connections have in common.
     *
     * @param tlsVersions the JDK's names; empty for its defaults
     * @param serverName what TLS asks for; empty for the host's name
     * @param connectTimeout zero for none
     */
    record Settings(SSLContext tls, List<String> tlsVersions, String serverName, Duration connectTimeout) {}

    /** An answer, read whole. */
    record Answer(ClassicHttpResponse head, ByteBuffer body) {}

    private static final class OwnConnection {
        final String authority;
        final DefaultBHttpClientConnection line;
        long idleSinceNanos;

        OwnConnection(String authority, DefaultBHttpClientConnection line) {
            this.authority = authority;
            this.line = line;
        }

        void end() {
            line.close(CloseMode.IMMEDIATE);
        }
    }

    RequestConnections(Settings settings, TimeSource time) {
        this(settings, time, CompletableFuture.delayedExecutor(KEPT.toSeconds(), TimeUnit.SECONDS, Runnable::run));
    }

    /** Looks by an executor for connections that are old. */
    RequestConnections(Settings settings, TimeSource time, Executor later) {
        this.settings = settings;
        this.time = time;
        this.later = later;
    }

    /**
     * Sends a request once and reads the whole answer.
     *
     * @param limit for how long, the connection's making among it; zero for ever
     * @throws IOException a {@link HttpTimeoutException} when the limit is over, a {@link HttpConnectTimeoutException} if nothing was sent
     */
    Answer exchange(URI uri, ClassicHttpRequest request, Duration limit) throws IOException {
        long begin = time.now().monotonicNanos();
        OwnConnection connection = connection(uri);
        CompletableFuture<Void> over = new CompletableFuture<>();
        if (!limit.isZero()) {
            long left = limit.toNanos() - (time.now().monotonicNanos() - begin);
            Future<?> unused = over.orTimeout(Math.max(0, left), TimeUnit.NANOSECONDS)
                    .whenComplete((nothing, late) -> Optional.ofNullable(late).ifPresent(any -> connection.end()));
        }
        boolean reusable = false;
        HttpCoreContext context = HttpCoreContext.create();
        try (ClassicHttpResponse response = executor.execute(request, connection.line, context)) {
            byte[] body = response.getEntity() == null ? new byte[0] : EntityUtils.toByteArray(response.getEntity());
            reusable = executor.keepAlive(request, response, connection.line, context);
            return new Answer(response, ByteBuffer.wrap(body));
        } catch (HttpException e) {
            throw new IOException("the answer is no HTTP: " + e.getMessage(), e);
        } catch (IOException e) {
            if (over.isCompletedExceptionally()) {
                HttpTimeoutException late = new HttpTimeoutException("no answer within " + limit);
                late.initCause(e);
                throw late;
            }
            throw e;
        } finally {
            if (over.complete(null) && reusable) {
                keep(connection);
            } else {
                connection.end();
            }
        }
    }

    private OwnConnection connection(URI uri) throws IOException {
        while (true) {
            Optional<OwnConnection> there = idle(authority(uri));
            if (there.isEmpty()) {
                return connect(uri);
            } else if (isUsable(there.get())) {
                return there.get();
            }
            there.get().end();
        }
    }

    /** Whether it stands and says nothing: what a server says unasked would be taken for the answer to the next request. */
    private boolean isUsable(OwnConnection connection) {
        try {
            boolean fresh = time.now().monotonicNanos() - connection.idleSinceNanos < FRESH.toNanos();
            return fresh || (!connection.line.isStale() && !connection.line.isDataAvailable(Timeout.ofMilliseconds(1)));
        } catch (IOException e) {
            return false;
        }
    }

    private synchronized Optional<OwnConnection> idle(String authority) throws IOException {
        if (closed) {
            throw new IOException("the client is closed");
        }
        for (Iterator<OwnConnection> each = idle.iterator(); each.hasNext(); ) {
            OwnConnection there = each.next();
            if (there.authority.equals(authority)) {
                each.remove();
                return Optional.of(there);
            }
        }
        return Optional.empty();
    }

    private static String authority(URI uri) {
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    private static boolean isTls(URI uri) {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    private OwnConnection connect(URI uri) throws IOException {
        String host = uri.getHost().startsWith("[")
                ? uri.getHost().substring(1, uri.getHost().length() - 1)
                : uri.getHost();
        int port = uri.getPort() >= 0 ? uri.getPort() : isTls(uri) ? HTTPS_PORT : HTTP_PORT;
        int timeout = (int) settings.connectTimeout().toMillis();
        Socket socket = SocketChannel.open().socket(); // which ends when its thread is interrupted
        try {
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new UnknownHostException(host);
            }
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.connect(address, timeout);
            if (!isTls(uri)) {
                return new OwnConnection(authority(uri), factory.createConnection(socket));
            }
            SSLSocket secured = (SSLSocket) settings.tls().getSocketFactory().createSocket(socket, host, port, true);
            secured.setSSLParameters(
                    parameters(TlsPreferences.apply(secured.getSSLParameters(), settings.tlsVersions())));
            secured.setSoTimeout(timeout);
            secured.startHandshake();
            secured.setSoTimeout(0);
            return new OwnConnection(authority(uri), factory.createConnection(secured, socket));
        } catch (SocketTimeoutException e) {
            socket.close();
            HttpConnectTimeoutException late = new HttpConnectTimeoutException("no connection in time");
            late.initCause(e);
            throw late;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private SSLParameters parameters(SSLParameters parameters) {
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        if (!settings.serverName().isEmpty()) {
            parameters.setServerNames(List.of(new SNIHostName(settings.serverName())));
        }
        return parameters;
    }

    private void keep(OwnConnection connection) {
        connection.idleSinceNanos = time.now().monotonicNanos();
        synchronized (this) {
            if (!closed) {
                idle.addFirst(connection);
                if (!lookingForOld) {
                    lookingForOld = true;
                    later.execute(this::endOld);
                }
                return;
            }
        }
        connection.end();
    }

    /** Ends those that had nothing to do for a while; comes again while there are others, and only once for all of them. */
    private void endOld() {
        List<OwnConnection> old = new ArrayList<>();
        synchronized (this) {
            while (!idle.isEmpty() && time.now().monotonicNanos() - idle.getLast().idleSinceNanos >= KEPT.toNanos()) {
                old.add(idle.removeLast());
            }
            lookingForOld = !idle.isEmpty();
            if (lookingForOld) {
                later.execute(this::endOld);
            }
        }
        old.forEach(OwnConnection::end);
    }

    /** Ends those that are idle; those that carry a request end with it. */
    @Override
    public void close() {
        List<OwnConnection> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(idle);
            idle.clear();
        }
        all.forEach(OwnConnection::end);
    }
}
