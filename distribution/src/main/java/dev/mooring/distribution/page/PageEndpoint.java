// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.distribution.http.HttpServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The page alone, over plain HTTP and so for this machine alone. */
public final class PageEndpoint implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofMillis(200);
    private static final int MOST_THREADS = 6;

    private final Server server;
    private final ServerConnector connector;

    private PageEndpoint(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /**
     * Starts to listen.
     *
     * @param address where, on loopback; port 0 for a free one
     * @throws IllegalArgumentException if others can reach the address
     * @throws IOException if it cannot listen there; the message says where
     */
    public static PageEndpoint start(InetSocketAddress address, PageHandler page) throws IOException {
        if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("the page is shown on loopback only, not on " + address.getHostString());
        }
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 1);
        threads.setName("page");
        threads.setDaemon(true);
        Server server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(address.getAddress().getHostAddress());
        connector.setPort(address.getPort());
        connector.setIdleTimeout(IDLE.toMillis());
        server.addConnector(connector);
        server.setHandler(page);
        try {
            server.start();
        } catch (Exception e) {
            HttpServers.stop(server, Duration.ZERO);
            throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
        return new PageEndpoint(server, connector);
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
