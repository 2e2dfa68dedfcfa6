// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.apiserver.http.PlainServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The page alone, over plain HTTP and so for this machine alone. */
public final class PageEndpoint implements AutoCloseable {
    private final PlainServer server;

    private PageEndpoint(PlainServer server) {
        this.server = server;
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
        // By its number: what was looked at is what is listened on.
        InetSocketAddress numeric = new InetSocketAddress(
                InetAddress.getByAddress(address.getAddress().getAddress()), address.getPort());
        return new PageEndpoint(PlainServer.start("page", numeric, page));
    }

    /** The port it listens on. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
