// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Notices that a client goes away while it is being answered. The HTTP server does not read before the answer has ended, and an answer
 * that nothing is added to would outlive its client: no write fails and so ends it. The connection must not be used again afterwards.
 */
public final class Departure implements Callback {
    private static final int AT_ONCE = 1_024;

    private final EndPoint end;
    private final Runnable left;

    private Departure(EndPoint end, Runnable left) {
        this.end = end;
        this.left = left;
    }

    /**
     * Begins to listen, once the whole request was read.
     *
     * @param left what is to be done when the client has gone; also when the connection ends otherwise
     */
    static void notice(Request request, Runnable left) {
        EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
        listen(new Departure(end, left));
    }

    private static void listen(Departure departure) {
        if (!departure.end.tryFillInterested(departure)) {
            departure.left.run(); // another reader is active, which must not be
        }
    }

    @Override
    public void succeeded() {
        int read;
        try {
            // What a client sends before it has its answer is not read.
            ByteBuffer unwanted = BufferUtil.allocate(AT_ONCE);
            read = end.fill(unwanted);
        } catch (IOException e) {
            read = -1;
        }
        if (read < 0) {
            left.run();
        } else {
            listen(this);
        }
    }

    @Override
    public void failed(Throwable why) {
        left.run();
    }
}
