// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/** Serves gRPC on a unix socket. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DriverServer implements AutoCloseable {
    private static final int MAX_HEADER_BYTES = 64 * 1024;
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final CsiEndpoint endpoint;
    private final ServerSocketFile file;
    private final Server server;

    private DriverServer(CsiEndpoint endpoint, ServerSocketFile file, Server server) {
        this.endpoint = endpoint;
        this.file = file;
        this.server = server;
    }

    static DriverServer start(
            CsiEndpoint endpoint,
            Set<PosixFilePermission> permissions,
            List<? extends BindableService> services,
            Executor executor,
            EventLoopGroup loops)
            throws IOException {
        ServerSocketFile file = ServerSocketFile.prepare(endpoint);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(file.birthplace()))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .executor(executor)
                .maxInboundMessageSize(CsiTransport.MAX_MESSAGE_BYTES)
                .maxInboundMetadataSize(MAX_HEADER_BYTES);
        services.forEach(builder::addService);
        Server server = builder.build();
        try {
            server.start();
            file.publish(permissions);
        } catch (IOException | RuntimeException e) {
            server.shutdownNow();
            file.abandon();
            throw e;
        }
        return new DriverServer(endpoint, file, server);
    }

    /** Where it listens. */
    public CsiEndpoint endpoint() {
        return endpoint;
    }

    /** Removes the socket, waits up to 2 s for calls that run, and cancels the others. */
    @Override
    public void close() {
        close(GRACE);
    }

    /**
     * Removes the socket, waits for calls that run, and cancels those that take longer.
     *
     * @param grace how long to wait
     */
    public void close(Duration grace) {
        file.remove();
        server.shutdown();
        try {
            if (!server.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                server.shutdownNow();
                server.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
