// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.http;

import java.io.IOException;
import java.net.BindException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;

/** What the HTTP servers of this program have in common: how they read, and how they begin and end. */
public final class HttpServers {
    /**
     * Paths that the server itself would refuse with 400; {@link StrictRequests} answers them with 404, as the API server does. A percent
     * sign in a path stays what it is: no name has one.
     */
    private static final UriCompliance PATHS = UriCompliance.DEFAULT.with(
            "mooring",
            Violation.AMBIGUOUS_PATH_SEGMENT,
            Violation.AMBIGUOUS_EMPTY_SEGMENT,
            Violation.AMBIGUOUS_PATH_SEPARATOR,
            Violation.AMBIGUOUS_PATH_PARAMETER,
            Violation.AMBIGUOUS_PATH_ENCODING);

    private HttpServers() {}

    /** How requests are read. The handler of such a server has to be a {@link StrictRequests}. */
    public static HttpConfiguration configuration() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setUriCompliance(PATHS);
        // What a handler left of a body is not read. One look finds out that a request without a body has none.
        http.setMaxUnconsumedRequestContentReads(1);
        return http;
    }

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
        String why = String.valueOf(reason.getMessage());
        if (reason instanceof UnresolvedAddressException) {
            why = "there is no host of that name";
        } else if (why.contains("Permission denied")) {
            why += ": ports below 1024 take root or CAP_NET_BIND_SERVICE; name another port";
        } else if (reason instanceof BindException) {
            why += ": use another address or port, or stop the process that has this one";
        }
        return new IOException("cannot listen on " + host + ":" + port + ": " + why, failure);
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
            // Everything is stopped; a client was cut off.
        } catch (Exception e) {
            throw new IllegalStateException("an endpoint cannot be stopped: " + e.getMessage(), e);
        }
    }
}
