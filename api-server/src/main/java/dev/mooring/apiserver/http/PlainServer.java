// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A server of plain HTTP for a few requests at a time. */
public final class PlainServer implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofMillis(200);
    private static final int MOST_THREADS = 6;

    private final Server server;
    private final ServerConnector connector;

    private PlainServer(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /**
     * Starts to listen.
     *
     * @param name what its threads are called
     * @param address where; port 0 for a free one
     * @param handler answers
     * @throws IOException if it cannot listen there; the message says where
     */
    public static PlainServer start(String name, InetSocketAddress address, Handler handler) throws IOException {
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 1);
        threads.setName(name);
        threads.setDaemon(true);
        Server server = new Server(threads);
        ServerConnector connector =
                new ServerConnector(server, 1, 1, new HttpConnectionFactory(HttpServers.configuration()));
        connector.setHost(address.getHostString());
        connector.setPort(address.getPort());
        connector.setIdleTimeout(IDLE.toMillis());
        server.addConnector(connector);
        server.setHandler(new StrictRequests(handler));
        try {
            server.start();
        } catch (Exception e) {
            HttpServers.stop(server, Duration.ZERO);
            throw HttpServers.cannotListen(address.getHostString(), address.getPort(), e);
        }
        return new PlainServer(server, connector);
    }

    /** The port it listens on. */
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        HttpServers.stop(server, GRACE);
    }
}
