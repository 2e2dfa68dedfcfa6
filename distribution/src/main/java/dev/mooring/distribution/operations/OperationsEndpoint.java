// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import dev.mooring.apiserver.http.PlainServer;
import java.io.IOException;

/**
 * Metrics and health over plain HTTP, for Prometheus and for probes: {@code /metrics}, {@code /livez}, {@code /readyz}, and {@code
 * /healthz} as another name of the first of the two. Nothing can be changed here. Names of namespaces and storage classes are shown,
 * contents of objects are not. {@code
 * /configuration} and {@code /log}, the recent log lines, are answered to programs of the same machine alone.
 */
public final class OperationsEndpoint implements AutoCloseable {
    private final PlainServer server;

    private OperationsEndpoint(PlainServer server) {
        this.server = server;
    }

    /**
     * Starts to listen.
     *
     * @param address where, and what is said of the process
     * @throws IOException if it cannot listen there; the message says where
     */
    public static OperationsEndpoint start(OperationsAddress address, Operations operations) throws IOException {
        return new OperationsEndpoint(
                PlainServer.start("operations", address.listen(), new OperationsHandler(operations, address)));
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
