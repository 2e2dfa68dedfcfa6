// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.http;

import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Server;

/** The beginning and the end of HTTP servers, as far as they go wrong. */
public final class HttpServers {
    private HttpServers() {}

    /**
     * What is said when a server cannot start to listen: the reason is that of the kernel, not of the server.
     *
     * @param host name or address
     * @param port the port wanted
     */
    public static IOException cannotListen(String host, int port, Exception failure) {
        Throwable reason = failure;
        while (reason.getCause() != null && !(reason instanceof BindException)) {
            reason = reason.getCause();
        }
        String advice =
                reason instanceof BindException ? ": name another address or port, or end whoever has this one" : "";
        return new IOException("cannot listen on " + host + ":" + port + ": " + reason.getMessage() + advice, failure);
    }

    /**
     * Stops to listen, and cuts off what has not ended in time; a client that keeps a silent connection open is cut off as well.
     *
     * @param grace how long requests under way may take to end
     */
    public static void stop(Server server, Duration grace) {
        server.setStopTimeout(grace.toMillis());
        try {
            server.stop();
        } catch (TimeoutException e) {
            // Everything is stopped; somebody was cut off.
        } catch (Exception e) {
            throw new IllegalStateException("an endpoint cannot be stopped: " + e.getMessage(), e);
        }
    }
}
