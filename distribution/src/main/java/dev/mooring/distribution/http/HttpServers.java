// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.http;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Server;

/** The end of HTTP servers. */
public final class HttpServers {
    private HttpServers() {}

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
