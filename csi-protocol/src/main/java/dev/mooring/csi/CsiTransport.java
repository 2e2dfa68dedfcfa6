// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import io.grpc.BindableService;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/**
 * Speaks gRPC over unix sockets: connects to drivers, and serves as one. Owns the threads that read and write. Thread-safe.
 *
 * <p>There is no encryption and no authentication: who may write to the socket may call (specification, "Security").
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CsiTransport implements AutoCloseable {
    /** The largest message that is sent or accepted, in bytes. It is gRPC's usual limit, so drivers have it too. */
    public static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

    private static final long CLOSE_SECONDS = 5;

    private final EventLoopGroup loops;

    private CsiTransport(EventLoopGroup loops) {
        this.loops = loops;
    }

    /**
     * Starts the threads, which are daemons.
     *
     * @param threads at least 1; one is enough for dozens of drivers, as calls do not run in them
     */
    public static CsiTransport start(int threads) {
        return new CsiTransport(new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("mooring-csi", true), NioIoHandler.newFactory()));
    }

    /**
     * A channel to a driver. Does not wait: the first call connects, and says so if no process listens.
     *
     * @param endpoint where the driver listens
     * @return to be closed before this transport
     */
    public DriverChannel connect(CsiEndpoint endpoint) {
        return DriverChannel.to(endpoint, loops);
    }

    /**
     * Serves on a socket until the server is closed. A stale socket, on which no process listens, is replaced.
     *
     * @param endpoint where to listen; its directory has to exist
     * @param permissions who may call: those who may write to the socket
     * @param services what is served
     * @param executor runs the calls, and so decides how many run at a time
     * @return to be closed before this transport
     * @throws IOException if the socket cannot be made, or another process listens on it; the message names the socket
     */
    public DriverServer serve(
            CsiEndpoint endpoint,
            Set<PosixFilePermission> permissions,
            List<? extends BindableService> services,
            Executor executor)
            throws IOException {
        return DriverServer.start(endpoint, permissions, services, executor, loops);
    }

    /** Ends the threads, and waits for that for a few seconds. Calls that still run are lost. */
    @Override
    public void close() {
        loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
